#!/bin/bash
# A first proof: a depth-20 Merkle path over Poseidon, compiled by circom, with a key made by snarkjs.
# cuzk proves it and checks it; then snarkjs, which shares no code with cuzk, checks it too; then both must
# reject the same proof for another statement. Then a Filecoin sector of 2 KiB is sealed, and the service
# proves it. Usage, in the project's folder: demo.sh BUILD
set -euo pipefail
cuzk=$1/cuzk
circuit=test/data/circom/merkle20-bn128
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# So that the first run checks all points of the key, on this machine as on a fresh one.
export XDG_CACHE_HOME=$out/cache

bold='' plain=''
[ -t 1 ] && bold=$'\033[1m' plain=$'\033[0m'
say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
show() {
    printf '$ %s\n' "$*"
    "$@"
}
now() { date +%s%N; }
milliseconds() { awk -v ns="$1" 'BEGIN { printf "%.1f", ns / 1e6 }'; }
snarkjs() { node test/e2e/node_modules/.bin/snarkjs "$@"; }

say "The circuit: a leaf and 20 siblings hash to a public Merkle root (circom, snarkjs files)"
show "$cuzk" info "$circuit/circuit.r1cs" | sed '/^[sb].*[0-9a-f]\{32\}$/d'
rows=$("$cuzk" info "$circuit/circuit.r1cs" --json | sed -n 's/^ "rows": \([0-9]*\),/\1/p')

say "Proving it"
start=$(now)
show "$cuzk" prove "$circuit/circuit.zkey" "$circuit/witness.wtns" \
    -o "$out/proof.json" --public "$out/public.json"
first=$(($(now) - start))
best=$first
for _ in 1 2 3 4; do
    start=$(now)
    "$cuzk" prove "$circuit/circuit.zkey" "$circuit/witness.wtns" -o "$out/again.json" >/dev/null
    took=$(($(now) - start))
    [ "$took" -ge "$best" ] || best=$took
done
awk -v first="$first" -v best="$best" -v rows="$rows" 'BEGIN {
    printf "whole program, points of the key checked: %.1f ms; again, known key: %.1f ms\n", first / 1e6, best / 1e6
    printf "that is %.2f ms per thousand of its %d constraints\n", best / 1e3 / rows, rows }'

say "cuzk verifies it"
start=$(now)
show "$cuzk" verify "$circuit/verification_key.json" "$out/public.json" "$out/proof.json"
echo "in $(milliseconds $(($(now) - start))) ms"

say "snarkjs verifies it"
start=$(now)
snarkjs groth16 verify "$circuit/verification_key.json" "$out/public.json" "$out/proof.json" |
    tee "$out/snarkjs"
grep -q 'OK!' "$out/snarkjs"
echo "in $(milliseconds $(($(now) - start))) ms, most of it the start of node"

say "The same proof for another Merkle root: both must say no"
python3 -c 'import json, sys; a = json.load(sys.stdin); a[0] = str(int(a[0]) + 1); print(json.dumps(a))' \
    <"$out/public.json" >"$out/tampered.json"
code=0
"$cuzk" verify "$circuit/verification_key.json" "$out/tampered.json" "$out/proof.json" || code=$?
[ "$code" -eq 8 ] || { echo "cuzk did not reject it (exit code $code)"; exit 1; }
code=0
snarkjs groth16 verify "$circuit/verification_key.json" "$out/tampered.json" "$out/proof.json" || code=$?
[ "$code" -ne 0 ] || { echo "snarkjs did not reject it"; exit 1; }

sector=$out/sector
keys=$1/filecoin-keys
export XDG_CACHE_HOME=$keys/cache # that the key's points are good is remembered with it
name=$("$cuzk" circuit list | awk '$1 == "porep-2k" { print $5 }')
say "Filecoin: a sector of 2 KiB is sealed, and what C1 says of it checked"
show "$cuzk" filecoin seal --size 2KiB -o "$sector" | grep -E '^(sector bytes|comm [dr]):'
show "$cuzk" filecoin c1 "$sector" --wrap -o "$out/c1.json" >"$out/c1.log"
show "$cuzk" filecoin check --kind porep "$out/c1.json" --public "$out/porep.json"

if [ -s "$keys/$name.params" ] && [ -s "$keys/$name.vk" ]; then
    say "A key for its circuit was made before: $keys"
else
    say "A key for its circuit, of 2,687,961 rows (about a minute; kept in $keys)"
    mkdir -p "$keys"
    start=$(now)
    show "$cuzk" setup --circuit porep-2k -o "$keys/$name.params" --vk "$keys/$name.vk" >"$out/setup.log"
    echo "in $(milliseconds $(($(now) - start))) ms"
fi

say "The service starts and takes the request by gRPC"
cat >"$out/cuzk.toml" <<END
[daemon]
listen = "unix://$out/cuzk.sock"
status_listen = "unix://$out/http.sock"
[keys]
allow_test_params = true
[srs]
param_cache = "$(cd "$keys" && pwd)"
[store]
folder = "$out/store"
END
"$cuzk" serve --config "$out/cuzk.toml" >"$out/serve.log" 2>&1 &
service=$!
trap 'kill "$service" 2>/dev/null; rm -rf "$out"' EXIT
for _ in $(seq 100); do
    [ ! -S "$out/cuzk.sock" ] || break
    sleep 0.1
done
export CUZK_ADDRESS=unix://$out/cuzk.sock
start=$(now)
show "$cuzk" submit --kind porep-c2 --miner 1000 --sector 1 --id porep-1 "$out/c1.json" --wait \
    -o "$out/porep.proof" || { tail -5 "$out/serve.log"; exit 1; }
echo "in $(milliseconds $(($(now) - start))) ms, the loading of the key and the verification of the proof among them"
show od -An -tx1 -w48 "$out/porep.proof"
show "$cuzk" verify "$keys/$name.vk" "$out/porep.json" "$out/porep.proof"
kill "$service"
wait "$service" || { tail -5 "$out/serve.log"; exit 1; }
trap 'rm -rf "$out"' EXIT

say "Done: a circom proof with two verifiers that agree, one forgery that neither accepts, and a sector proved."
