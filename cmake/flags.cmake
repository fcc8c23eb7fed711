# Compiler flags for the whole build, and those of the per-processor variants.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CUZK_DEBUG_INFO -g CACHE STRING "What debuggers are told; CI, which needs lines at most, is faster with less")
set(CMAKE_C_FLAGS_RELEASE "-O2 ${CUZK_DEBUG_INFO}")
set(CMAKE_C_FLAGS_DEBUG "-O1 ${CUZK_DEBUG_INFO} -fno-omit-frame-pointer")
set(CMAKE_CXX_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")
set(CMAKE_CXX_FLAGS_DEBUG "${CMAKE_C_FLAGS_DEBUG}")

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

# Of C and C++; nvcc has its own (cuda.cmake).
add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion>")
# Products that the source writes as two roundings must not become one.
add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off>")
add_compile_definitions(_DEFAULT_SOURCE)
if(CUZK_WERROR)
    add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-Werror>")
endif()

if(CUZK_SANITIZE)
    add_compile_options(-fsanitize=${CUZK_SANITIZE} -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${CUZK_SANITIZE})
endif()
if(CUZK_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(CUZK_X86_LEVELS 1)
else()
    set(CUZK_X86_LEVELS 0)
endif()
add_compile_definitions(CUZK_X86_LEVELS=${CUZK_X86_LEVELS})

set(CUZK_FLAGS_adx -mbmi2 -madx)
set(CUZK_FLAGS_avx2 -frounding-math -mavx2 -mfma -mbmi2 -madx -fno-strict-aliasing)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # gcc 12 reorders the unrolled products for worse: 42 ns instead of 25 for one of BLS12-381.
    list(APPEND CUZK_FLAGS_avx2 -fno-tree-ter)
endif()
set(CUZK_FLAGS_ifma -mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx512ifma -mbmi2 -madx
    -fno-strict-aliasing -fno-tree-vectorize -fno-tree-slp-vectorize)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # Scheduled under register pressure, products need fewer register moves.
    list(APPEND CUZK_FLAGS_ifma -fno-tree-ter -fschedule-insns -fsched-pressure)
endif()

# For tests on machines without AVX-512: the ifma level in plain C, 8 lanes, exact and slow.
option(CUZK_EMULATE_IFMA "Compute the ifma level without its instructions (tests only)" OFF)
if(CUZK_EMULATE_IFMA)
    add_compile_definitions(CUZK_ASSUME_IFMA=1)
    set(CUZK_FLAGS_ifma -DCUZK_EMULATE_IFMA=1 -mbmi2 -madx -fno-strict-aliasing -Wno-psabi)
endif()

# cuzk_set_level_flags gives the files x_adx.c, x_avx2.c and x_ifma.c in the named list variable the
# instructions that their names promise, optimises all variants fully in release builds, and drops
# those that this machine's architecture does not have.
function(cuzk_set_level_flags list_name)
    set(kept)
    foreach(file ${${list_name}})
        if(file MATCHES "_(adx|avx2|ifma)\\.c$")
            set(level ${CMAKE_MATCH_1})
            if(NOT CUZK_X86_LEVELS)
                continue()
            endif()
            set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS ${CUZK_FLAGS_${level}})
        endif()
        if(file MATCHES "_(avx2|ifma)\\.c$")
            set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
        endif()
        if(CUZK_FUZZ AND file MATCHES "/cpu/(msm|ntt|field_ops|sparse)_")
            # Fuzzers look for faults in what reads files; sanitized kernels are half of their build.
            # Products need the frame pointer's register.
            set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=all
                -fomit-frame-pointer)
        endif()
        list(APPEND kept ${file})
    endforeach()
    set(${list_name} ${kept} PARENT_SCOPE)
endfunction()
