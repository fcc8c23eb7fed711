#!/bin/bash
# Installs what building, testing and the demo need on Debian 12, and says why. Asks the package manager
# only when something is missing; as root or through sudo.
set -euo pipefail
cd "$(dirname "$0")/.."

# package: why
packages=(
    "build-essential:the C compiler and its library"
    "cmake:the build"
    "ninja-build:the build"
    "pkg-config:finding the libraries"
    "libssl-dev:SHA-256 and BLAKE2b (libcrypto)"
    "libjansson-dev:reading and writing JSON"
    "libsqlite3-dev:the job store"
    "libgrpc-dev:the gRPC service (C core)"
    "libprotobuf-c-dev:messages of the gRPC service"
    "protobuf-c-compiler:compiling their description"
    "protobuf-compiler:the description that the reflection service gives"
    "openssl:certificates for the tests"
    "libmicrohttpd-dev:the HTTP service"
    "libtomlplusplus-dev:reading the configuration"
    "libcmocka-dev:the tests"
    "python3:the layer check"
    "clang:the second compiler, and the fuzz targets"
    "lld:linking a hundred test programs three times as fast, in CI"
    "clang-format:the format check"
    "git:listing the files whose format is checked"
)

node_is_new_enough() {
    command -v node >/dev/null && [ "$(node -p 'parseInt(process.versions.node)')" -ge 18 ]
}

if ! node_is_new_enough; then
    packages+=("nodejs:snarkjs, which checks our proofs in the tests and the demo")
fi
if ! command -v npm >/dev/null; then
    packages+=("npm:installing snarkjs")
fi

missing=()
for entry in "${packages[@]}"; do
    name=${entry%%:*}
    if [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" != installed ]; then
        missing+=("$name")
        echo "deps: installing $name: ${entry#*:}"
    fi
done

if [ ${#missing[@]} -gt 0 ]; then
    root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "deps: run this as root, or install: ${missing[*]}" >&2
            exit 1
        fi
        root=(sudo)
    fi
    "${root[@]}" apt-get update -q
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${missing[@]}"
fi

# snarkjs, circom2, circomlib and grpc-js, exactly as the lock file says; the stamp is the lock it came from.
stamp=test/e2e/node_modules/.cuzk-lock
if ! cmp -s test/e2e/package-lock.json "$stamp"; then
    echo "deps: installing snarkjs, circom2, circomlib and grpc-js into test/e2e/node_modules"
    (cd test/e2e && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error)
    cp test/e2e/package-lock.json "$stamp"
fi
