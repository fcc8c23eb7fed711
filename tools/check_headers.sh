#!/bin/sh
# Compiles each header alone: include/cuzk.h and src/**/*.h. Exceptions are *_tmpl.h, which want
# parameters, and those pieces of one kernel text in compute/cpu/ that have no include guard.
# Headers of one processor level (x_adx.h, ...) get that level's instructions.
# Usage: check_headers.sh COMPILER PROJECT
set -eu
compiler=$1
cd "$2"
failed=0
machine=$($compiler -dumpmachine)
for header in include/cuzk.h $(find src -name '*.h' ! -name '*_tmpl.h' | sort); do
    case $header in
    src/compute/cpu/*) grep -q '^#ifndef CUZK_.*_H$' "$header" || continue ;;
    esac
    flags=
    case $header in
    *_adx.h) flags="-mbmi2 -madx" ;;
    *_avx2.h | */lane_*.h) flags="-mavx2 -mfma -mbmi2 -madx" ;;
    *_ifma.h) flags="-mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx512ifma -mbmi2 -madx" ;;
    esac
    case $machine in
    x86_64*) levels=1 ;;
    *) levels=0; [ -z "$flags" ] || continue ;;
    esac
    # Included from a C file: as the main file a header's `static` functions would count as unused.
    if ! printf '#include "%s"\ntypedef int not_empty;\n' "${header#*/}" |
        $compiler -std=c17 -D_DEFAULT_SOURCE -DCUZK_X86_LEVELS=$levels $flags -Wall -Wextra \
            -Wpedantic -Werror -fsyntax-only -Iinclude -Isrc -xc -; then
        echo "$header does not compile alone" >&2
        failed=1
    fi
done
exit $failed
