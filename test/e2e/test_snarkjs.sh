#!/bin/bash
# snarkjs accepts our proofs and keys, and we accept its. `make deps` installs it.
source "$(dirname "$0")/support.sh"
cd "$(dirname "$0")" || exit 1
if [ ! -d node_modules/snarkjs ]; then
    echo "snarkjs is not installed: run make deps"
    exit 1
fi
# snarkjs leaves files open, of which node warns.
node --no-warnings snarkjs_check.mjs "$CUZK" "$circom" "$work"
