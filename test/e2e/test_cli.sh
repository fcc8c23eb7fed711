#!/bin/bash
# The command line: what it prints, its exit codes, its files, and how it takes wrong input.
source "$(dirname "$0")/support.sh"
bn=$circom/multiplier-bn128
bls=$circom/multiplier-bls12381
merkle=$circom/merkle20-bn128

# Help and usage.
expect 0 'prove.*make a proof' "$CUZK" --help
expect 0 '8 +the proof is well formed and false' "$CUZK" --help
expect 0 '^0\.1\.0$' "$CUZK" --version
for command in prove verify setup check info export-vk prover bench version; do
    expect 0 'Usage: cuzk' "$CUZK" "$command" --help
done
for command in prove verify setup check info export-vk prover bench; do
    expect 0 'Example:' "$CUZK" "$command" --help
done
expect 1 'no command' "$CUZK" --
expect 1 'unknown command: fly' "$CUZK" fly
expect 1 'arguments? (is|are) missing' "$CUZK" prove "$bn/circuit.zkey"
expect 1 'unexpected argument' "$CUZK" prove a b c
expect 1 'unrecognized option' "$CUZK" prove --fly a b
expect 1 'threads=0' "$CUZK" prove --threads=0 a b
expect 1 'threads=1x' "$CUZK" prove --threads=1x a b
expect 1 'missing' "$CUZK" prover a b c

# Files that are not what they should be: missing, a folder, empty, random, swapped, of another circuit.
: >"$work/empty"
head -c 5000 /dev/urandom >"$work/random"
head -c 1000 "$bn/circuit.zkey" >"$work/cut.zkey"
for command in prove verify setup check info export-vk prover; do
    args=("$work/missing" "$work/missing" "$work/missing" "$work/missing")
    case $command in
    prove | check) args=("${args[@]:0:2}") ;;
    verify) args=("${args[@]:0:3}") ;;
    setup) args=("$work/missing" -o "$work/k.zkey") ;;
    info | export-vk) args=("$work/missing") ;;
    prover) args=("$work/missing" "$work/missing" "$work/p.json" "$work/u.json") ;;
    esac
    code=2
    [ "$command" = prover ] && code=1
    expect $code "missing: cannot be opened: No such file" "$CUZK" "$command" "${args[@]}"
done
expect 2 'is a folder' "$CUZK" prove "$bn" "$bn/witness.wtns"
expect 2 'is a folder' "$CUZK" info "$bn"
expect 3 'empty' "$CUZK" prove "$work/empty" "$bn/witness.wtns"
expect 3 'empty' "$CUZK" prove "$bn/circuit.zkey" "$work/empty"
expect 3 'empty' "$CUZK" verify "$work/empty" "$bn/public.json" "$bn/proof.json"
expect 3 'empty' "$CUZK" info "$work/empty"
expect 3 'no kind' "$CUZK" prove "$work/random" "$bn/witness.wtns"
expect 3 'no kind' "$CUZK" prove "$bn/circuit.zkey" "$work/random"
expect 3 'no kind' "$CUZK" verify "$bn/verification_key.json" "$bn/public.json" "$work/random"
expect 3 'no kind' "$CUZK" verify "$bn/verification_key.json" "$work/random" "$bn/proof.json"
expect 3 'no kind' "$CUZK" setup "$work/random" -o "$work/k.zkey"
expect 3 'no kind' "$CUZK" check "$work/random" "$bn/witness.wtns"
expect 3 'no kind' "$CUZK" info "$work/random"
expect 3 'cut.zkey' "$CUZK" prove "$work/cut.zkey" "$bn/witness.wtns"
expect 3 'cut.zkey' "$CUZK" info "$work/cut.zkey"
expect 3 'is a witness.*right order' "$CUZK" prove "$bn/witness.wtns" "$bn/circuit.zkey"
expect 3 'is public signals.*right order' "$CUZK" verify "$bn/verification_key.json" "$bn/proof.json" \
    "$bn/public.json"
expect 5 'witness over BLS12-381' "$CUZK" prove "$bn/circuit.zkey" "$bls/witness.wtns"
expect 5 'witness of 4862 values' "$CUZK" prove "$bn/circuit.zkey" "$merkle/witness.wtns"
expect 5 'circuit over BLS12-381' "$CUZK" prove "$bn/circuit.zkey" "$bn/witness.wtns" \
    --r1cs "$bls/circuit.r1cs"
expect 5 'witness of 4862' "$CUZK" check "$bn/circuit.r1cs" "$merkle/witness.wtns"
expect 5 'proof over bls12381' "$CUZK" verify "$bn/verification_key.json" "$bn/public.json" \
    "$bls/proof.json"

# Outputs.
expect 0 '"pi_a"' "$CUZK" prove "$bn/circuit.zkey" "$bn/witness.wtns"
check "the proof on standard output is JSON" is_json "$work/stdout"
expect 0 'proved and verified in' "$CUZK" prove "$bn/circuit.zkey" "$bn/witness.wtns" \
    --r1cs "$bn/circuit.r1cs" -o "$work/proof.json" --public "$work/public.json"
check "the public signals are those of snarkjs" cmp "$work/public.json" <(printf '[\n "33"\n]')
expect 0 'valid: *yes' "$CUZK" verify "$bn/verification_key.json" "$work/public.json" "$work/proof.json"
cp "$work/proof.json" "$work/first.json"
expect 0 'proved' "$CUZK" prove "$bn/circuit.zkey" "$bn/witness.wtns" -o "$work/proof.json"
check "blinding is fresh" bash -c "! cmp -s '$work/first.json' '$work/proof.json'"
expect 2 'nowhere/proof.json' "$CUZK" prove "$bn/circuit.zkey" "$bn/witness.wtns" \
    -o "$work/nowhere/proof.json"
expect 2 'is a folder' "$CUZK" prove "$bn/circuit.zkey" "$bn/witness.wtns" -o "$work"
expect 2 'nowhere/k.zkey' "$CUZK" setup "$bn/circuit.r1cs" -o "$work/nowhere/k.zkey"
expect 2 'standard output|/dev/full' "$CUZK" prove "$bn/circuit.zkey" "$bn/witness.wtns" -o /dev/full
expect 2 'standard output' bash -c "'$CUZK' info '$bn/circuit.zkey' >/dev/full"
expect 0 'proved' "$CUZK" prove "$bn/circuit.zkey" "$bn/witness.wtns" -o /dev/null
check "devices are not replaced" test -c /dev/null
expect 1 'mixed' "$CUZK" prove "$bn/circuit.zkey" "$bn/witness.wtns" -o - --public -
check "no temporary files are left" bash -c "! ls '$work' | grep tmp"

# bellperson's 192 bytes, alone and several in turn.
expect 0 'proved' "$CUZK" prove "$bls/circuit.zkey" "$bls/witness.wtns" -o "$work/b.json" \
    --public "$work/bu.json" --bytes "$work/one.bin"
check "a proof has 192 bytes" test "$(stat -c %s "$work/one.bin")" = 192
expect 0 'valid: *yes' "$CUZK" verify "$bls/verification_key.json" "$work/bu.json" "$work/one.bin"
cat "$work/one.bin" "$work/one.bin" >"$work/two.bin"
echo '["33","33"]' >"$work/two.json"
expect 0 'proofs: *2' "$CUZK" verify "$bls/verification_key.json" "$work/two.json" "$work/two.bin"
echo '["33","34"]' >"$work/two.json"
expect 8 'proof 1' "$CUZK" verify "$bls/verification_key.json" "$work/two.json" "$work/two.bin"
head -c 191 "$work/one.bin" >"$work/cut.bin"
expect 3 'no kind' "$CUZK" verify "$bls/verification_key.json" "$work/bu.json" "$work/cut.bin"
expect 4 'BLS12-381 only' "$CUZK" prove "$bn/circuit.zkey" "$bn/witness.wtns" -o "$work/x.json" \
    --bytes "$work/x.bin"

# rapidsnark's prover: one line of JSON without "curve", codes 0 and 1.
expect 0 '' "$CUZK" prover "$bn/circuit.zkey" "$bn/witness.wtns" "$work/rp.json" "$work/ru.json"
check "prover prints nothing" test ! -s "$work/stdout"
check "its public signals" cmp "$work/ru.json" <(printf '["33"]')
check "its proof, byte for byte but for the numbers" grep -Pzq \
    '^\{"pi_a":\["\d+","\d+","1"\],"pi_b":\[\["\d+","\d+"\],\["\d+","\d+"\],\["1","0"\]\],"pi_c":\["\d+","\d+","1"\],"protocol":"groth16"\}$' \
    "$work/rp.json"
expect 0 'valid: *yes' "$CUZK" verify "$bn/verification_key.json" "$work/ru.json" "$work/rp.json"
expect 1 'does not satisfy' "$CUZK" prover "$bn/circuit.zkey" \
    "$negative/multiplier-bn128.witness_unsatisfied.wtns" "$work/a.json" "$work/b2.json"
expect 1 'right order' "$CUZK" prover "$bn/witness.wtns" "$bn/circuit.zkey" "$work/a.json" "$work/b2.json"

# Every verification key that a proof can be checked with, and export-vk.
expect 0 'valid: *yes' "$CUZK" verify "$bn/circuit.zkey" "$bn/public.json" "$bn/proof.json"
expect 0 '' "$CUZK" export-vk "$bn/circuit.zkey" -o "$work/vk.json"
check "export-vk writes what snarkjs writes" cmp "$work/vk.json" "$bn/verification_key.json"
expect 3 'is a witness' "$CUZK" export-vk "$bn/witness.wtns"
expect 3 '' "$CUZK" export-vk "$bn/witness.wtns" --json
check "the error of export-vk is JSON" json "$work/stderr" 'd["error"]["exit_code"] == 3'

# check
expect 0 'satisfied: *yes' "$CUZK" check "$merkle/circuit.r1cs" "$merkle/witness.wtns"
expect 7 'wire' "$CUZK" check "$bn/circuit.r1cs" \
    "$negative/multiplier-bn128.witness_unsatisfied.wtns"
check "check shows the wrong value" grep -q '34' "$work/stdout"

# --json, on success and failure.
expect 0 'load_seconds' "$CUZK" prove "$bn/circuit.zkey" "$bn/witness.wtns" --json
check "prove --json holds proof and public signals" json "$work/stdout" \
    'd["proof"]["curve"] == "bn128" and d["public"] == ["33"]'
expect 0 '' "$CUZK" verify "$bn/verification_key.json" "$bn/public.json" "$bn/proof.json" --json
check "verify --json" json "$work/stdout" 'd["valid"] is True and d["public_signals"] == 1'
echo '["34"]' >"$work/34.json"
expect 8 '' "$CUZK" verify "$bn/verification_key.json" "$work/34.json" "$bn/proof.json" --json
check "verify --json of a false proof" json "$work/stdout" 'd["valid"] is False'
check "its error" json "$work/stderr" \
    'd["error"]["status"] == "REJECTED" and d["error"]["exit_code"] == 8'
expect 7 '' "$CUZK" check "$bn/circuit.r1cs" "$negative/multiplier-bn128.witness_unsatisfied.wtns" --json
check "check --json" json "$work/stdout" \
    'd["row"] == 0 and d["c"]["terms"][0]["wire"] == 1 and d["c"]["terms"][0]["value"] == "34"'
expect 2 '' "$CUZK" info "$work/missing" --json
check "errors are JSON" json "$work/stderr" 'd["error"]["status"] == "IO"'
expect 0 '' "$CUZK" version --json
check "version --json" json "$work/stdout" 'd["version"] == "0.1.0" and d["threads"] >= 1'
expect 0 '' "$CUZK" setup "$bn/circuit.r1cs" -o "$work/j.zkey" --json
check "setup --json" json "$work/stdout" 'd["for_tests_only"] is True and d["format"] == "zkey"'
expect 0 '' "$CUZK" bench field --json --quick
check "bench --json" json "$work/stdout" 'len(d["rows"]) == 8 and d["rows"][0]["seconds_each"] > 0'
expect 0 '' "$CUZK" bench group msm ntt fixtures synthetic --json --quick --max-log 10 --log-rows 8 \
    --curve bn128 --data "$circom/poseidon2-bn128"
check "every group of bench has rows" json "$work/stdout" \
    '{r["group"] for r in d["rows"]} == {"group", "msm", "ntt", "fixtures", "synthetic"}'
check "bounds of bench" json "$work/stdout" \
    'all(0 < r["fraction_of_bound"] for r in d["rows"] if r["group"] == "msm" and "2^" in r["name"])'
expect 0 'Fp mul.*bls12381' "$CUZK" bench field --quick --curve bls12381 --level portable
expect 1 'level=warp' "$CUZK" bench --level warp
expect 1 'unknown benchmark' "$CUZK" bench everything

# info knows every file.
info() {
    expect 0 'kind' "$CUZK" info "$1" --json
    check "info of $1: $2" json "$work/stdout" "$2"
}
info "$bn/circuit.r1cs" 'd["rows"] == 1 and d["wires"] == 4 and d["curve"] == "bn128"'
info "$bn/witness.wtns" 'd["wires"] == 4'
info "$bls/circuit.zkey" 'd["domain"] == 4 and d["curve"] == "bls12381" and d["contributions"] == 1'
info "$bn/verification_key.json" 'd["public_signals"] == 1 and d["problems"] == []'
info "$bn/proof.json" 'd["curve"] == "bn128"'
info "$work/rp.json" 'd["curve"] == "bn128"'
info "$bn/public.json" 'd["public_signals"] == 1'
info "$work/two.bin" 'd["proofs"] == 2'
info "$circom/ptau/bn128-5-contributed.ptau" 'd["power"] == 5 and d["prepared"]'
info "$CUZK_TEST_DATA/vectors/rust-por.params" 'd["curve"] == "bls12381" and d["public_signals"] > 0'
info "$CUZK_TEST_DATA/vectors/rust-por.vk" 'd["curve"] == "bls12381"'
expect 0 "$(sha256sum <"$bn/circuit.zkey" | cut -d' ' -f1)" "$CUZK" info "$bn/circuit.zkey"

# Processor levels and threads.
best=$("$CUZK" version --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["best_cpu"])')
for level in portable adx avx2 ifma; do
    expect 0 'proved' env CUZK_CPU=$level "$CUZK" prove "$merkle/circuit.zkey" "$merkle/witness.wtns" \
        -o "$work/$level.json" --public "$work/u.json"
    expect 0 'valid: *yes' env CUZK_CPU=$level "$CUZK" verify "$merkle/verification_key.json" \
        "$work/u.json" "$work/$level.json"
    [ "$level" = "$best" ] && break
done
expect 1 'CUZK_CPU=fast' env CUZK_CPU=fast "$CUZK" version
for threads in 1 2 5; do
    expect 0 'proved' "$CUZK" prove "$merkle/circuit.zkey" "$merkle/witness.wtns" -o "$work/t.json" \
        --threads $threads
done

# setup: names, formats, contradictions.
expect 1 'ends neither' "$CUZK" setup "$bn/circuit.r1cs" -o "$work/key.bin"
expect 0 'NOT FOR PRODUCTION' "$CUZK" setup "$bn/circuit.r1cs" -o "$work/key.bin" --format zkey \
    --vk "$work/key.json"
expect 0 'proved' "$CUZK" prove "$work/key.bin" "$bn/witness.wtns" -o "$work/s.json" --public "$work/su.json"
expect 0 'valid: *yes' "$CUZK" verify "$work/key.json" "$work/su.json" "$work/s.json"
expect 1 'standard output' "$CUZK" setup "$bn/circuit.r1cs" -o -
expect 1 'standard output' "$CUZK" setup "$bn/circuit.r1cs" -o "$work/key.zkey" --vk -
expect 4 'BLS12-381 only' "$CUZK" setup "$bn/circuit.r1cs" -o "$work/key.params"
expect 0 'NOT FOR PRODUCTION' "$CUZK" setup "$bls/circuit.r1cs" -o "$work/key.params" --vk "$work/key.vk"
expect 1 'name the .r1cs' "$CUZK" prove "$work/key.params" "$bls/witness.wtns"
expect 0 'proved' "$CUZK" prove "$work/key.params" "$bls/witness.wtns" --r1cs "$bls/circuit.r1cs" \
    -o "$work/s.json" --public "$work/su.json" --bytes "$work/s.bin"
for vk in key.params key.vk; do
    expect 0 'valid: *yes' "$CUZK" verify "$work/$vk" "$work/su.json" "$work/s.json"
    expect 0 'valid: *yes' "$CUZK" verify "$work/$vk" "$work/su.json" "$work/s.bin"
done
expect 5 'key was made for' "$CUZK" prove "$work/key.params" "$bls/witness.wtns" \
    --r1cs "$circom/chain6-bls12381/circuit.r1cs"
expect 4 'roots of unity' "$CUZK" setup "$bls/circuit.r1cs" -o "$work/key.params" \
    --ptau "$circom/ptau/bls12381-5-contributed.ptau"
expect 5 'bls12381|BLS12-381' "$CUZK" setup "$bn/circuit.r1cs" -o "$work/key.zkey" \
    --ptau "$circom/ptau/bls12381-5-contributed.ptau"
expect 3 'is a witness' "$CUZK" setup "$bn/circuit.r1cs" -o "$work/key.zkey" --ptau "$bn/witness.wtns"
finish
