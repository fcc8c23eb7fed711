#!/bin/bash
# Builds the SHA-256 circuit (64 bytes in, 59,793 rows) for benchmarks: compiles it with circom, makes a
# witness with snarkjs and a key, for tests only, with `cuzk setup`.
# Usage, in the project's folder after `make deps build`: make_sha256_fixture.sh [OUTPUT [CUZK [CURVE]]]
set -euo pipefail
out=${1:-build/sha256}
cuzk=${2:-build/cuzk}
curve=${3:-bn128}
modules=test/e2e/node_modules
[ -d "$modules/circom2" ] || { echo "circom is not installed: run make deps" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The compiler sees paths below its working folder only.
cp test/data/circom/src/sha256_512.circom "$work/"
cp -r "$modules/circomlib/circuits" "$work/lib"
circom=$PWD/$modules/circom2/cli.js
(cd "$work" && node "$circom" sha256_512.circom --prime "$curve" --r1cs --wasm --O2 -l lib -l lib/sha256)

mkdir -p "$out"
node "$modules/.bin/snarkjs" wtns calculate "$work/sha256_512_js/sha256_512.wasm" \
    "test/data/circom/sha256_512-$curve/input.json" "$work/witness.wtns"
mv "$work/sha256_512.r1cs" "$out/circuit.r1cs"
mv "$work/witness.wtns" "$out/witness.wtns"
"$cuzk" check "$out/circuit.r1cs" "$out/witness.wtns"
"$cuzk" setup "$out/circuit.r1cs" -o "$out/circuit.zkey" --vk "$out/verification_key.json"
# The digest in the public signals is known.
"$cuzk" prove "$out/circuit.zkey" "$out/witness.wtns" -o "$work/proof.json" --public "$work/public.json"
cmp "$work/public.json" "test/data/circom/sha256_512-$curve/public.json"
