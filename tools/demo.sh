#!/bin/bash
# A first proof: a depth-20 Merkle path over Poseidon, compiled by circom, with a key made by snarkjs.
# cuzk proves it and checks it; then snarkjs, which shares no code with cuzk, checks it too.
# Usage, in the project's folder: demo.sh BUILD
set -euo pipefail
build=$1
circuit=test/data/circom/merkle20-bn128
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

show "$build/cuzk" info "$circuit/circuit.zkey"
start=$(date +%s%N)
show "$build/cuzk" prove "$circuit/circuit.zkey" "$circuit/witness.wtns" \
    -o "$out/proof.json" --public "$out/public.json"
stop=$(date +%s%N)
echo "4840 constraints proved and verified in $(((stop - start) / 1000000)) ms, start of the program included"
show "$build/cuzk" verify "$circuit/verification_key.json" "$out/public.json" "$out/proof.json"
show node test/e2e/node_modules/.bin/snarkjs groth16 verify \
    "$circuit/verification_key.json" "$out/public.json" "$out/proof.json"
printf '\nBoth verifiers accept the proof.\n'
