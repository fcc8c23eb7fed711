#!/bin/bash
# Installs into an empty folder, builds the example against what lies there, once shared and once static,
# and runs it. The shared library must export the functions of cuzk.h and nothing else.
# Usage: install.sh BUILD PROJECT COMPILER [FLAG...]
set -euo pipefail
build=$1 project=$2 compiler=$3
shift 3
flags=("$@" -std=c17 -Wall -Wextra -Werror)
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT

cmake --install "$build" --prefix "$prefix" >/dev/null
libdir=$(dirname "$(find "$prefix" -name libcuzk.so)")
export PKG_CONFIG_PATH=$libdir/pkgconfig
# The file names the configured prefix; this is the other one that it was installed to.
cuzk_config() { pkg-config --define-variable=prefix="$prefix" "$@" cuzk; }

# shellcheck disable=SC2046
{
    $compiler "${flags[@]}" "$project/examples/verify_and_prove.c" -o "$prefix/shared" \
        $(cuzk_config --cflags --libs) -Wl,-rpath,"$libdir"
    $compiler "${flags[@]}" "$project/examples/verify_and_prove.c" -o "$prefix/static" \
        $(cuzk_config --cflags) "$libdir/libcuzk.a" \
        $(cuzk_config --static --libs | sed 's/-lcuzk//')
}
readelf -d "$libdir/libcuzk.so" | grep -q 'SONAME.*\[libcuzk\.so\.0\]'
readelf -d "$prefix/shared" | grep -q 'NEEDED.*\[libcuzk\.so\.0\]'
[ -x "$prefix/bin/cuzk" ]

nm -D --defined-only "$libdir/libcuzk.so" | awk '$2 ~ /^[A-Z]$/ { print $3 }' |
    sed 's/@.*//' | grep -v '^__\(asan\|odr_asan\|ubsan\)' | sort >"$prefix/exported"
grep -v '^#' "$project/include/cuzk.h" | tr '\n' ' ' | grep -o 'CUZK_API [^;(]*(' |
    sed 's/($//; s/.*[ *]//' | sort >"$prefix/declared"
diff "$prefix/declared" "$prefix/exported"
[ -s "$prefix/declared" ]

circuit=$project/test/data/circom/multiplier-bn128
for kind in shared static; do
    "$prefix/$kind" "$circuit/circuit.zkey" "$circuit/witness.wtns"
    # An outcome that is not success: c = 34 does not satisfy 3 * 11.
    code=0
    "$prefix/$kind" "$circuit/circuit.zkey" \
        "$project/test/data/circom/negative/multiplier-bn128.witness_unsatisfied.wtns" || code=$?
    [ "$code" -eq 7 ]
done
