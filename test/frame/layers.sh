#!/bin/sh
# The layer check must pass what the order allows and refuse what it forbids.
# Usage: layers.sh PROJECT
set -eu
check=$1/tools/check_layers.py
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/src/base" "$root/src/curve" "$root/src/circuit" "$root/src/groth16"
for layer in base curve circuit groth16; do
    : >"$root/src/$layer/$layer.h"
done

# expect OUTCOME FILE INCLUDE
expect() {
    printf '#include %s\n' "$3" >"$root/src/$2"
    if "$check" "$root" 2>"$root/why"; then outcome=pass; else outcome=refuse; fi
    rm "$root/src/$2"
    if [ "$outcome" != "$1" ]; then
        echo "$2 with #include $3: expected $1, got $outcome" >&2
        cat "$root/why" >&2
        exit 1
    fi
}

expect pass curve/x.c '"base/base.h"'
expect pass curve/x.c '"cuzk.h"'
expect pass curve/x.c '<stdio.h>'
expect pass groth16/x.c '"curve/curve.h"'
expect refuse base/x.c '"curve/curve.h"'
expect refuse base/x.c '<curve/curve.h>'
expect refuse groth16/x.c '"circuit/circuit.h"'
expect refuse curve/x.c '"curve.h"'
expect refuse curve/x.c '"../base/base.h"'
