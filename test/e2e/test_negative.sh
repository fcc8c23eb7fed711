#!/bin/bash
# Every file of negative/ through the command line: what its README demands, by exit code and message.
source "$(dirname "$0")/support.sh"
bn=$circom/multiplier-bn128
bls=$circom/multiplier-bls12381

# The counterparts that are good, so that the refusals below are due to the one thing that is wrong.
expect 0 'valid: *yes' "$CUZK" verify "$bn/verification_key.json" "$bn/public.json" "$bn/proof.json"
expect 0 'valid: *yes' "$CUZK" verify "$bls/verification_key.json" "$bls/public.json" "$bls/proof.json"

expect 3 'public_plus_r.json.*not below|canonical' "$CUZK" verify "$bn/verification_key.json" \
    "$negative/multiplier-bn128.public_plus_r.json" "$bn/proof.json"
expect 3 'witness_wire1_plus_r.wtns.*(wire|value) 1' "$CUZK" prove "$bn/circuit.zkey" \
    "$negative/multiplier-bn128.witness_wire1_plus_r.wtns" -o "$work/proof.json"
expect 7 'witness_unsatisfied.wtns.*does not satisfy' "$CUZK" prove "$bn/circuit.zkey" \
    "$negative/multiplier-bn128.witness_unsatisfied.wtns" -o "$work/proof.json"
expect 7 'row 0' "$CUZK" prove "$bn/circuit.zkey" --r1cs "$bn/circuit.r1cs" \
    "$negative/multiplier-bn128.witness_unsatisfied.wtns" -o "$work/proof.json"
expect 7 'row 0' "$CUZK" check "$bn/circuit.r1cs" \
    "$negative/multiplier-bn128.witness_unsatisfied.wtns"
check "no proof is written for a bad witness" test ! -e "$work/proof.json"

expect 3 'pi_a.*not on the curve' "$CUZK" verify "$bn/verification_key.json" "$bn/public.json" \
    "$negative/multiplier-bn128.proof_A_not_on_curve.json"
expect 3 'pi_b.*subgroup' "$CUZK" verify "$bn/verification_key.json" "$bn/public.json" \
    "$negative/multiplier-bn128.proof_B_not_in_subgroup.json"
expect 3 'pi_a.*subgroup' "$CUZK" verify "$bls/verification_key.json" "$bls/public.json" \
    "$negative/multiplier-bls12381.proof_A_plus_3torsion.json"

# Custom gates: the forged assignment satisfies all rows, so the circuit itself must be refused.
for curve in bn128 bls12381; do
    gate=$circom/customgate-$curve
    expect 4 'custom gate' "$CUZK" setup "$gate/circuit.r1cs" -o "$work/gate.zkey"
    expect 4 'custom gate' "$CUZK" check "$gate/circuit.r1cs" "$gate/witness.wtns"
    expect 4 'custom gate' "$CUZK" prove "$gate/circuit.zkey" "$gate/witness.wtns" \
        --r1cs "$gate/circuit.r1cs"
    expect 0 'problems:.*custom gates' "$CUZK" info "$gate/circuit.r1cs"
done
expect 4 'custom gate' "$CUZK" prove "$circom/customgate-bn128/circuit.zkey" \
    "$negative/customgate-bn128.forged.wtns" --r1cs "$circom/customgate-bn128/circuit.r1cs"

key=$negative/multiplier-bn128.no_contribution.zkey
vk=$negative/multiplier-bn128.no_contribution.vk.json
expect 6 'phase 2' "$CUZK" prove "$key" "$bn/witness.wtns"
expect 1 'phase 2' "$CUZK" prover "$key" "$bn/witness.wtns" "$work/p.json" "$work/u.json"
expect 6 'phase 2' "$CUZK" verify "$vk" "$bn/public.json" "$bn/proof.json"
expect 6 'phase 2' "$CUZK" verify "$key" "$bn/public.json" "$bn/proof.json"
expect 0 'problems:.*phase 2' "$CUZK" info "$key"
expect 0 'problems:.*phase 2' "$CUZK" info "$vk"
expect 0 'warning.*phase 2' "$CUZK" export-vk "$key" -o "$work/vk.json"
expect 0 'proved' "$CUZK" prove "$key" "$bn/witness.wtns" --allow-insecure-key -o "$work/i.json" \
    --public "$work/iu.json"
expect 6 'phase 2' "$CUZK" verify "$vk" "$work/iu.json" "$work/i.json"
expect 0 'valid: *yes' "$CUZK" verify "$vk" "$work/iu.json" "$work/i.json" --allow-insecure-key

# A false proof is told apart from a malformed one.
echo '["34"]' >"$work/34.json"
expect 8 'proof is false' "$CUZK" verify "$bn/verification_key.json" "$work/34.json" "$bn/proof.json"
finish
