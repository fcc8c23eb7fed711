# Two commands on a fresh machine: make demo, make test. Both install what is missing, build, and run.
# JOBS=n sets how many compilers run at once. CUDA=0 leaves the CUDA back end out, CUDA=1 insists on it;
# otherwise it is built where nvcc is.
JOBS ?= $(shell nproc)
BUILD := build
PREFIX ?= /usr/local
CUDA ?= AUTO
CONFIGURE := cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DCUZK_CUDA=$(CUDA)

.PHONY: all build deps demo test test-long bench format install clean

all: build

deps:
	@tools/deps.sh

build:
	@$(CONFIGURE) --log-level=WARNING >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)

demo: deps
	@$(CONFIGURE) --log-level=WARNING >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target cuzk_cmd cuzk_service
	@tools/demo.sh $(BUILD)

test: deps
	@$(MAKE) --no-print-directory build
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)

# What takes minutes each: circuits of hundred million rows, keys of gigabytes.
test-long: deps
	@$(MAKE) --no-print-directory build
	@CUZK_TEST_LONG=1 ctest --test-dir $(BUILD) --output-on-failure -L vectors --timeout 86400

bench: build
	@$(BUILD)/cuzk bench

format:
	@tools/format.sh

install: build
	@cmake --install $(BUILD)

clean:
	rm -rf build build-asan-ubsan build-tsan build-fuzz build-ci-*
