#!/bin/sh
# Compiles each header alone: include/cuzk.h and src/**/*.h. Exceptions are texts that want parameters:
# *_tmpl.h, headers without an include guard, and vf_fp2.h, which is over the field included before it.
# Headers of one processor level (x_adx.h, ...) get that level's instructions.
# Usage: check_headers.sh COMPILER PROJECT [GENERATED], GENERATED: the folder of headers that the build makes
set -eu
compiler=$1
generated=${3:-include}
cd "$2"
failed=0
machine=$($compiler -dumpmachine)
for header in include/cuzk.h $(find src -name '*.h' ! -name '*_tmpl.h' ! -name vf_fp2.h | sort); do
    grep -q '^#ifndef CUZK_.*H$' "$header" || continue
    flags=
    case $header in
    *_adx.h) flags="-mbmi2 -madx" ;;
    *_ifma.h) flags="-mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx512ifma -mbmi2 -madx" ;;
    *_avx2.h | */lane_*.h) flags="-mavx2 -mfma -mbmi2 -madx" ;;
    esac
    case $machine in
    x86_64*) levels=1 ;;
    *) levels=0; [ -z "$flags" ] || continue ;;
    esac
    if ! printf '#include "%s"\ntypedef int not_empty;\n' "${header#*/}" |
        $compiler -std=c17 -D_DEFAULT_SOURCE -DCUZK_X86_LEVELS=$levels $flags -Wall -Wextra \
            -Wpedantic -Wno-unused-function -Werror -fsyntax-only -Iinclude -Isrc -isystem "$generated" -xc -; then
        echo "$header does not compile alone" >&2
        failed=1
    fi
done
exit $failed
