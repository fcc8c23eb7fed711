#!/bin/bash
# From a sector's seed to a proof of the service, with a key made for the test: the README's session, for
# WindowPoSt, whose key is a quarter of WinningPoSt's.
. "$(dirname "$0")/support.sh"
socket=$work/s.sock
export CUZK_ADDRESS=unix://$socket
unset CUZK_TOKEN_FILE NOTIFY_SOCKET FIL_PROOFS_PARAMETER_CACHE
pid=
trap '[ -n "$pid" ] && kill -9 "$pid" 2>/dev/null; rm -rf "$work"' EXIT
mkdir "$work/params"

# start [LINE...]: the service, with these lines in its configuration.
start() {
    {
        printf 'daemon.listen = "unix://%s"\ndaemon.status_listen = "127.0.0.1:0"\n' "$socket"
        printf 'srs.param_cache = "%s/params"\nstore.folder = "%s/store"\n' "$work" "$work"
        printf '%s\n' "$@"
    } >"$work/cuzk.toml"
    : >"$work/log"
    "$CUZK" serve --config "$work/cuzk.toml" >>"$work/log" 2>&1 &
    pid=$!
    while ! grep -q 'HTTP on' "$work/log"; do
        kill -0 "$pid" 2>/dev/null || { cp "$work/log" "$work/stderr"; fail "no start"; return; }
        sleep 0.02
    done
    http=$(sed -n 's/.*HTTP on \(127[0-9.:]*\).*/\1/p' "$work/log")
}

stop() {
    kill -TERM "$pid"
    wait "$pid"
    pid=
}

# submit ID [PARAMETER...]: the window vanilla proof over HTTP, and the job's end in stdout.
submit() {
    local id=$1
    curl -sS -o "$work/taken" --data-binary "@$work/window.vproof" \
        -H 'Content-Type: application/octet-stream' \
        "http://$http/v1/jobs?kind=window-post&id=$id&miner_id=1000&registered_proof=5&randomness=$randomness"
    curl -sS "http://$http/v1/jobs/$id?wait_ms=600000"
}

expect 0 '' "$CUZK" filecoin seal --size 2KiB -o "$work/sector"
expect 0 '' "$CUZK" filecoin post "$work/sector" --kind window --json -o "$work/window.vproof"
randomness=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["randomness"])' \
    "$work/stdout")
key=$("$CUZK" circuit list | awk '$1 == "window-2k" {print $5}')
expect 0 '' "$CUZK" setup --circuit window-2k -o "$work/params/$key.params" \
    --vk "$work/params/$key.vk"

# --- a key that was not published is for tests only ---
start
expect 0 '"state":"failed".*not the published parameters' submit refused
stop
start 'keys.allow_test_params = true'
check "the log says so" grep -q 'WARN keys.allow_test_params' "$work/log"
expect 0 '"state":"completed".*"proof_base64":"[A-Za-z0-9+/]{256}"' submit first
check "and names the key" grep -q 'WARN key window-2k: TEST PARAMETERS' "$work/log"
expect 0 '"warning":"keys.allow_test_params' curl -sS "http://$http/status"
expect 0 '' "$CUZK" await first -o "$work/proof"
check "the proof has 192 bytes" test "$(stat -c %s "$work/proof")" -eq 192
randomness=$(printf '%064d' 5)
expect 0 '"state":"failed".*from randomness' submit other
expect 0 '"state":"completed"' curl -sS "http://$http/v1/jobs/first"

# --- a verifying key of another key beside the parameters ---
stop
printf 'x' >>"$work/params/$key.vk"
rm -r "$work/store"
start 'keys.allow_test_params = true'
expect 27 'not the verifying key' "$CUZK" preload window-2k
stop
finish
