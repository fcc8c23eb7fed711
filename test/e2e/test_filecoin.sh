#!/bin/bash
# cuzk circuit and cuzk filecoin: what they print and write, and how they take wrong input.
source "$(dirname "$0")/support.sh"
same() { cmp "$1" "$2"; }
differs() { ! cmp -s "$1" "$2"; }

# circuit: help and usage.
for action in list info compile hash stats; do
    expect 0 "Usage: cuzk circuit $action" "$CUZK" circuit $action --help
done
expect 0 'compile .*save it' "$CUZK" circuit --help
expect 1 'no action given' "$CUZK" circuit
expect 1 'unknown action: fly' "$CUZK" circuit fly
expect 1 'argument is missing' "$CUZK" circuit info
expect 1 'neither a circuit .* nor a file' "$CUZK" circuit info porep-3k
expect 1 'output=FILE is missing' "$CUZK" circuit compile window-2k
expect 1 'not written to standard output' "$CUZK" circuit compile window-2k -o -
expect 1 'porep-3k is not known' "$CUZK" circuit compile porep-3k -o "$work/c"
expect 2 'No such file' "$CUZK" circuit compile window-2k -o "$work/none/c"

# circuit: figures of Filecoin circuits, sections 7 to 9 and 15.3.
expect 0 'porep-32g +328 +130169893 +130278541 +v28-stacked-proof-of-replication' "$CUZK" circuit list
expect 0 '' "$CUZK" circuit list --json
check "circuit list has all" json "$work/stdout" \
    'len({c["circuit"] for c in d["circuits"]}) == 20 and len({c["key"] for c in d["circuits"]}) == 20'
expect 0 '' "$CUZK" circuit info window-2k --json
check "circuit info" json "$work/stdout" \
    '((d["inputs"], d["aux"], d["rows"], d["rows_with_those_for_inputs"]) == (23, 22128, 21866, 21889) and
     (d["nonzero_a"], d["nonzero_b"], d["nonzero_c"]) == (150262, 22230, 27456) and
     (d["aux_in_a"], d["inputs_in_b"], d["aux_in_b"]) == (16770, 1, 16028) and d["log_domain"] == 15 and
     d["key_blake2b_16"] == "7610b9f82bfc88405b7a832b651ce2f6")'
expect 0 '' "$CUZK" circuit stats window-2k --json
check "circuit stats" json "$work/stdout" \
    '(sum(t["instances"] * t["rows"] for t in d["templates"]) == d["rows"] == 21866 and
     abs(sum(t["share"] for t in d["templates"]) - 1) < 1e-9)'
expect 0 'tree level .*%' "$CUZK" circuit stats window-2k
window=14279e1c38053fa35eab6f56dbf1c5ef337b533f2c42fd3d7b4e7a116796b331
expect 0 "$window" "$CUZK" circuit hash window-2k
expect 0 "$window" "$CUZK" circuit hash window-2k --direct

# circuit: saved forms.
expect 0 'compile seconds' "$CUZK" circuit compile window-2k -o "$work/window"
expect 0 '' "$CUZK" circuit compile window-2k -o "$work/again"
check "compiling is repeatable" same "$work/window" "$work/again"
expect 0 "$window" "$CUZK" circuit hash "$work/window"
expect 0 'v28-proof-of-spacetime-fallback' "$CUZK" circuit info "$work/window"
printf X | dd of="$work/again" bs=1 seek=5000 conv=notrunc status=none
expect 3 'checksum' "$CUZK" circuit info "$work/again"
expect 3 'not a compiled circuit|no compiled circuit' "$CUZK" circuit stats "$circom/multiplier-bn128/circuit.zkey"

# setup of a circuit: test keys.
expect 1 'unexpected argument' "$CUZK" setup --circuit window-2k "$work/x.r1cs" -o "$work/k.params"
expect 1 'porep-3k is not known' "$CUZK" setup --circuit porep-3k -o "$work/k.params"
expect 4 '130278541 rows' "$CUZK" setup --circuit porep-32g -o "$work/k.params"
expect 0 'NOT FOR PRODUCTION' "$CUZK" setup --circuit window-2k -o "$work/k.params" --vk "$work/k.vk" --json
check "setup of a circuit" json "$work/stdout" \
    'd["rows"] == 21866 and d["public_signals"] == 22 and d["log_domain"] == 15 and d["for_tests_only"]'
expect 0 'public_signals": 22' "$CUZK" info "$work/k.params" --json
expect 0 'public_signals": 22' "$CUZK" info "$work/k.vk" --json

# filecoin: help and usage.
for action in seal c1 post update check; do
    expect 0 "Usage: cuzk filecoin $action" "$CUZK" filecoin $action --help
done
sector=$work/sector
expect 1 'one of --size and --proof' "$CUZK" filecoin seal -o "$sector"
expect 1 'output=DIR is missing' "$CUZK" filecoin seal --size 2KiB
expect 1 'StackedDrg3KiBV1_1 is not' "$CUZK" filecoin seal --size 3KiB -o "$sector"
expect 1 'seed=-1: expected a number' "$CUZK" filecoin seal --size 2KiB --seed=-1 -o "$sector"
expect 1 '64 hexadecimal' "$CUZK" filecoin seal --size 2KiB --ticket 12 -o "$sector"
expect 4 'use --sparse' "$CUZK" filecoin seal --size 32GiB -o "$sector"
expect 4 'cannot be sparse' "$CUZK" filecoin seal --sparse -o "$sector" \
    --proof StackedDrg2KiBV1_1_Feat_SyntheticPoRep
expect 2 'cannot be made' "$CUZK" filecoin seal --size 2KiB -o "$work/none/sector"
expect 2 'sector.json: cannot be opened' "$CUZK" filecoin c1 "$work" -o "$work/x"
check "nothing was left behind" test ! -e "$sector"

# filecoin: a sealed sector and its vanilla proofs.
expect 0 'comm r:' "$CUZK" filecoin seal --size 2KiB --seed 7 --miner 1234 --sector 5 -o "$sector"
check "sizes of a sector" test "$(stat -c %s "$sector/sealed" "$sector/unsealed" | sort -u)" = 2048
check "sealed and unsealed differ" differs "$sector/sealed" "$sector/unsealed"
comm_r=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["comm_r"])' "$sector/sector.json")
expect 0 "$comm_r" "$CUZK" filecoin c1 "$sector" -o "$work/c1.json"
check "c1 is of the sector" json "$work/c1.json" \
    '(d["registered_proof"] == "StackedDrg2KiBV1_1" and bytes(d["comm_r"]).hex() == "'"$comm_r"'" and
     len(d["vanilla_proofs"]["StackedDrg2KiBV1"][0]) == 2)'
expect 0 "$comm_r" "$CUZK" filecoin c1 "$sector" --wrap -o "$work/wrapped.json"
cat >"$work/unwrap.py" <<'END'
import base64, json, sys
w = json.load(open(sys.argv[1]))
assert (w["SectorNum"], w["SectorSize"]) == (5, 2048)
assert base64.b64decode(w["Phase1Out"]) == open(sys.argv[2], "rb").read()
END
check "the wrapper holds the same" python3 "$work/unwrap.py" "$work/wrapped.json" "$work/c1.json"
expect 0 '' "$CUZK" filecoin c1 "$sector" -o -
check "c1 to standard output" same "$work/stdout" "$work/c1.json"
ones=$(printf '11%.0s' {1..32})
expect 0 "$ones" "$CUZK" filecoin c1 "$sector" --challenge-seed "$ones" -o "$work/other.json"
check "another seed, other challenges" differs "$work/c1.json" "$work/other.json"
expect 1 'kind=window or --kind=winning' "$CUZK" filecoin post "$sector" -o "$work/post"
expect 1 'kind=fly' "$CUZK" filecoin post "$sector" --kind fly -o "$work/post"
for kind in window winning; do
    expect 0 "$comm_r" "$CUZK" filecoin post "$sector" --kind $kind -o "$work/$kind.1" --randomness "$ones"
    expect 0 "$comm_r" "$CUZK" filecoin post "$sector" --kind $kind -o "$work/$kind.2"
    check "randomness chooses what $kind opens" differs "$work/$kind.1" "$work/$kind.2"
done
expect 0 "$comm_r" "$CUZK" filecoin update "$sector" -o "$work/update" --json
check "update says what it wrote" json "$work/stdout" \
    'd["comm_r_old"] == "'"$comm_r"'" and d["comm_r_new"] != d["comm_r_old"] and d["partitions"] == 1'
check "update.json is that" same "$work/stdout" <(cat "$work/update/update.json" && echo)
check "the partition's proof" test -s "$work/update/partition-0.vproof"
expect 1 'name a folder' "$CUZK" filecoin update "$sector" -o -

# filecoin: all of these are valid, and satisfy their circuits.
mine=(--miner 1234 --sector 5)
posts=(--randomness "$ones" --registered-proof)
expect 0 'rows checked in each: 2687921' "$CUZK" filecoin check --kind porep "${mine[@]}" --rows "$work/wrapped.json"
expect 0 'rows checked in each: 90750' "$CUZK" filecoin check --kind winning "${posts[@]}" 0 --rows "$work/winning.1"
expect 0 'rows checked in each: 21866' "$CUZK" filecoin check --kind window "${posts[@]}" 10 --rows \
    "$work/window.1" "$work/window.1"
expect 0 'rows checked in each: 1705039' "$CUZK" filecoin check --kind update --rows "$work/update"
expect 1 'kind=KIND is missing' "$CUZK" filecoin check "$work/update"
expect 1 'FILE is missing' "$CUZK" filecoin check --kind update
expect 1 'expected one folder, found 2' "$CUZK" filecoin check --kind update a b
expect 1 'are needed for this kind' "$CUZK" filecoin check --kind window "$work/window.1"
expect 1 'registered proof 4 is not one of WindowPoSt' "$CUZK" filecoin check --kind window "${posts[@]}" 4 \
    "$work/window.1"
expect 2 'missing: cannot be opened' "$CUZK" filecoin check --kind winning "${posts[@]}" 0 "$work/missing"
expect 3 'vanilla_proof' "$CUZK" filecoin check --kind porep "$work/winning.1"
expect 5 'not sector 5 of miner 1' "$CUZK" filecoin check --kind porep --miner 1 --sector 5 "$work/wrapped.json"
expect 5 'lead to leaf' "$CUZK" filecoin check --kind winning "${posts[@]}" 0 "$work/winning.2"
sed -i 's/"comm_r_new": "17/"comm_r_new": "71/' "$work/update/update.json"
expect 3 'comm_r_new. is 17.*, expected 71' "$CUZK" filecoin check --kind update "$work/update"

# filecoin: a folder that was changed.
cp "$sector/unsealed" "$work/kept"
printf X | dd of="$sector/unsealed" bs=1 seek=100 conv=notrunc status=none
expect 5 'sector.json says' "$CUZK" filecoin c1 "$sector" -o "$work/x"
head -c 2047 "$work/kept" >"$sector/unsealed"
expect 3 'found 2047 bytes, expected 2048' "$CUZK" filecoin c1 "$sector" -o "$work/x"
cp "$work/kept" "$sector/unsealed"
printf X | dd of="$sector/sealed" bs=1 seek=100 conv=notrunc status=none
expect 5 'sealed is not' "$CUZK" filecoin post "$sector" --kind window -o "$work/x"
sed -i 's/"ticket": "../"ticket": "zz/' "$sector/sector.json"
expect 3 'ticket: expected 64' "$CUZK" filecoin update "$sector" -o "$work/x"
echo '{' >"$sector/sector.json"
expect 3 'sector.json: line' "$CUZK" filecoin c1 "$sector" -o "$work/x"

# filecoin: proofs of several partitions, and sparse sectors.
expect 0 '' "$CUZK" filecoin seal -o "$work/ni" --proof StackedDrg2KiBV1_2_Feat_NonInteractivePoRep
expect 0 'partitions: +13' "$CUZK" filecoin c1 "$work/ni" --wrap -o "$work/x"
expect 0 'NonInteractivePoRep' "$CUZK" filecoin check --kind porep "$work/x"
expect 0 'sparse: +yes' "$CUZK" filecoin seal --size 64GiB --sparse -o "$work/sparse"
expect 0 'registered proof: +StackedDrgWinning64GiBV1' "$CUZK" filecoin post "$work/sparse" \
    --kind winning --randomness "$ones" -o "$work/x"
expect 0 'rows checked in each: 391314' "$CUZK" filecoin check --kind winning "${posts[@]}" 4 --rows "$work/x"
expect 0 'partitions: +16' "$CUZK" filecoin update "$work/sparse" -o "$work/large"
check "a proof for each partition" test "$(find "$work/large" -name "partition-*.vproof" | wc -l)" = 16
expect 0 'circuit: +update-64g' "$CUZK" filecoin check --kind update "$work/large"
finish
