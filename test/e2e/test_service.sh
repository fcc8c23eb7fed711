#!/bin/bash
# The service as a process: configuration, start, clients, signals, death, what is in its way.
. "$(dirname "$0")/support.sh"
c=$circom/merkle20-bn128
socket=$work/s.sock
export CUZK_ADDRESS=unix://$socket
unset CUZK_TOKEN_FILE NOTIFY_SOCKET
mkdir "$work/keys"
cp "$c/circuit.zkey" "$work/keys/merkle.zkey"
pid=
trap '[ -n "$pid" ] && kill -9 "$pid" 2>/dev/null; rm -rf "$work"' EXIT

# config [LINE...]: a file with these lines at its end.
config() {
    {
        printf 'daemon.listen = ["unix://%s", "127.0.0.1:0"]\n' "$socket"
        printf 'keys.folder = "%s/keys"\nstore.folder = "%s/store"\n' "$work" "$work"
        printf '%s\n' "$@"
    } >"$work/cuzk.toml"
}

# start [ARGUMENT...]: starts the service and waits until it serves.
start() {
    : >"$work/log"
    "$CUZK" serve --config "$work/cuzk.toml" "$@" >>"$work/log" 2>&1 &
    pid=$!
    while ! grep -q 'gRPC on\|HTTP on' "$work/log"; do
        if ! kill -0 "$pid" 2>/dev/null; then
            cp "$work/log" "$work/stderr"
            fail "the service did not start"
            return
        fi
        sleep 0.02
    done
}

# stop CODE [SIGNAL...]: sends the signals (TERM) and waits for the end.
stop() {
    local code=$1 got=0
    shift
    cases=$((cases + 1))
    for signal in "${@:-TERM}"; do kill "-$signal" "$pid"; done
    wait "$pid" || got=$?
    pid=
    cp "$work/log" "$work/stderr"
    [ "$got" -eq "$code" ] || fail "the service ended with $got instead of $code"
}

tcp_address() { sed -n 's/.*gRPC on [^ ]*, \(127[0-9.:]*\).*/\1/p' "$work/log"; }
verify() { "$CUZK" verify "$c/verification_key.json" "$work/public.json" "$work/proof.json"; }

# --- configuration ---
config
expect 0 'folder = .*keys' "$CUZK" serve -c "$work/cuzk.toml" --print-config
cp "$work/stdout" "$work/printed.toml"
expect 0 '' "$CUZK" serve -c "$work/printed.toml" --print-config
check "the printed configuration reads back" cmp "$work/stdout" "$work/printed.toml"
expect 0 'listen = \["unix:/x"\]' "$CUZK" --config="$work/cuzk.toml" -l unix:/x --print-config
expect 2 'nowhere.toml' "$CUZK" serve -c "$work/nowhere.toml"
config 'daemon.lissten = "x"'
expect 3 'cuzk.toml:4:18: unknown key daemon.lissten: did you mean daemon.listen\?' \
    "$CUZK" -c "$work/cuzk.toml"
config 'gpus.gpu_threads = 32'
expect 0 'WARN .*gpus.gpu_threads has no effect' "$CUZK" -c "$work/cuzk.toml" --print-config
expect 3 'log-level' "$CUZK" --log-level loud --print-config -c "$work/cuzk.toml"
mkdir "$work/alone"
cp "$CUZK" "$work/alone/cuzk"
expect 4 'alone/cuzk-service' "$work/alone/cuzk" serve

# --- a session ---
expect 22 '' "$CUZK" status
config 'daemon.status_listen = "127.0.0.1:0"'
start
expect 0 'IDLE_NO_JOB' "$CUZK" status
check "who came in is logged" \
    grep -Eq "s.sock: connection of pid [0-9]+, uid $(id -u), gid $(id -g)\$" "$work/log"
expect 0 'load ms' "$CUZK" preload merkle
expect 0 '' "$CUZK" submit merkle "$c/witness.wtns" --id mine
check "the job's name is printed" grep -qx mine "$work/stdout"
expect 0 '' "$CUZK" await mine -o "$work/proof.json" --public "$work/public.json"
expect 0 'valid: *yes' verify
expect 0 '"total_ms"' "$CUZK" submit merkle "$c/witness.wtns" --wait --json -o "$work/both.json"
check "both parts are in one" json "$work/both.json" '{"proof", "publicSignals"} <= d.keys()'
expect 0 '"completed": 2' "$CUZK" status --json
expect 25 '' "$CUZK" cancel nobody
expect 0 'state: *completed' "$CUZK" cancel mine
expect 25 '' "$CUZK" await nobody
expect 1 'nokey' "$CUZK" submit nokey "$c/witness.wtns"
expect 0 'freed bytes: *[1-9]' "$CUZK" evict merkle
expect 1 'needs? --wait|need --wait' "$CUZK" submit merkle "$c/witness.wtns" -o "$work/x"
expect 1 'duration' "$CUZK" await mine --timeout soon
expect 0 '' "$CUZK" status --connect "$(tcp_address)"
expect 1 'needs a terminal' "$CUZK" top
expect 0 'top ends' python3 - "$CUZK" <<'PY'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], ["cuzk", "top", "--delay", "100ms"])
seen = b""
try:
    while chunk := os.read(fd, 4096):
        seen += chunk
        if b"device 0" in seen:
            os.write(fd, b"q")
except OSError:
    pass
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print("top ends" if b"device 0" in seen else "top shows no device")
sys.exit(code)
PY


# --- the same with curl ---
http=$(sed -n 's/.*HTTP on \(127[0-9.:]*\).*/\1/p' "$work/log")
expect 0 '^ready' curl -sS "http://$http/readyz"
expect 0 '"job_id":"curled"' curl -sS -H 'Content-Type: application/octet-stream' \
    --data-binary "@$c/witness.wtns" "http://$http/v1/jobs?key=merkle&id=curled"
expect 0 '"publicSignals"' curl -sS "http://$http/v1/jobs/curled?wait_ms=60000"
expect 0 '"code":"ended".*completed' curl -sS -X DELETE "http://$http/v1/jobs/curled"
expect 0 '400' curl -sS -o "$work/refused" -w '%{http_code}' --data-binary "@$c/witness.wtns" \
    -H 'Content-Type: application/octet-stream' "http://$http/v1/jobs?kind=winning-post"
check "and says what is missing" grep -q 'randomness' "$work/refused"
expect 0 '"gpu_workers"' curl -sS "http://$http/status"
expect 0 '^# TYPE' curl -sS "http://$http/metrics"
expect 0 'status_listen' curl -sS "http://$http/v1/config"

# --- what is in its way: one line, a code of its own, nothing disturbed ---
cp "$work/cuzk.toml" "$work/first.toml"
expect 2 "store.*in use by process $pid;" "$CUZK" serve -c "$work/cuzk.toml" -l "unix:$work/o.sock"
sed "s|/store|/store2|" "$work/first.toml" >"$work/cuzk.toml"
expect 20 'another process serves' "$CUZK" serve -c "$work/cuzk.toml"
check "one line says so" test "$(grep -vc INFO "$work/stderr")" -eq 1
expect 20 "$(tcp_address)" "$CUZK" serve -c "$work/cuzk.toml" -l "$(tcp_address)"
printf 'daemon.listen = []\ndaemon.status_listen = "%s"\nstore.folder = ""\n' "$http" \
    >"$work/other.toml"
expect 20 "$http" "$CUZK" serve -c "$work/other.toml"
expect 0 '' "$CUZK" status
cp "$work/first.toml" "$work/cuzk.toml"
stop 0
check "the socket is gone" test ! -e "$socket"

# --- results outlive the process; a dead process's socket is replaced ---
start
expect 0 '' "$CUZK" await mine -o "$work/proof.json" --public "$work/public.json"
expect 0 'valid: *yes' verify
kill -9 "$pid"
wait "$pid" 2>/dev/null
check "the dead leave their socket" test -S "$socket"
start
stop 0

# --- kill -9, and a second signal, under load: no accepted job is lost ---
start
for i in 1 2 3 4 5 6 7 8; do
    expect 0 '' "$CUZK" submit merkle "$c/witness.wtns" --id "load-$i"
done
kill -9 "$pid"
wait "$pid" 2>/dev/null
start
for i in 9 10 11 12; do
    expect 0 '' "$CUZK" submit merkle "$c/witness.wtns" --id "load-$i"
done
stop 21 TERM INT
start
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    expect 0 '' "$CUZK" await "load-$i" -o "$work/proof.json" --public "$work/public.json"
    expect 0 'valid: *yes' verify
done
check "all requests are gone from the disk" test -z "$(ls "$work/store/payloads")"
stop 0 INT

# --- who may call ---
printf 'daemon.listen = "0.0.0.0:0"\nstore.folder = ""\n' >"$work/open.toml"
expect 6 '0.0.0.0' "$CUZK" serve -c "$work/open.toml"
openssl rand -hex 32 >"$work/token"
chmod 600 "$work/token"
config "auth.token_file = \"$work/token\""
start
expect 26 '' "$CUZK" status --connect "$(tcp_address)"
expect 0 '' "$CUZK" status --connect "$(tcp_address)" --token-file "$work/token"
stop 0
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -batch \
    -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
    -keyout "$work/tls.key" -out "$work/tls.pem" 2>"$work/stderr"
config "tls.cert = \"$work/tls.pem\"" "tls.key = \"$work/tls.key\""
start
expect 0 '' "$CUZK" status --connect "$(tcp_address)" --ca "$work/tls.pem"
expect 22 '' "$CUZK" status --connect "$(tcp_address)"
stop 0
config "tls.cert = \"$work/tls.pem\"" "tls.key = \"$work/nowhere.key\""
expect 20 'nowhere.key' "$CUZK" serve -c "$work/cuzk.toml"
echo word >"$work/token"
config "auth.token_file = \"$work/token\""
expect 3 'openssl rand' "$CUZK" serve -c "$work/cuzk.toml"

# --- keys that must have their digests ---
(cd "$work/keys" && sha256sum merkle.zkey) >"$work/digests"
config "keys.digests = \"$work/digests\""
start
expect 0 'load ms' "$CUZK" preload merkle
stop 0
tr '0-9' '1-90' <"$work/digests" >"$work/others"
config "keys.digests = \"$work/others\""
start
expect 27 "$(cut -c1-64 "$work/digests"), expected $(cut -c1-64 "$work/others")" \
    "$CUZK" preload merkle
stop 0
config "keys.digests = \"$work/nowhere\""
expect 2 'nowhere' "$CUZK" serve -c "$work/cuzk.toml"

# --- systemd ---
python3 - "$work/notify" "$work/told" <<'PY' &
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
with open(sys.argv[2], "wb", buffering=0) as told:
    while True:
        message = s.recv(4096)
        told.write(message + b"\n")
        if b"STATUS=Ending" in message:
            break
PY
listener=$!
while [ ! -S "$work/notify" ]; do sleep 0.02; done
config
export NOTIFY_SOCKET=$work/notify
start
stop 0
unset NOTIFY_SOCKET
wait "$listener"
check "systemd is told" grep -q '^READY=1' "$work/told"
check "and of the end" grep -q '^STOPPING=1' "$work/told"

# --- a log for machines ---
config 'logging.format = "json"'
start
stop 0
check "each line is JSON" python3 -c 'import json, sys
for line in open(sys.argv[1]): assert json.loads(line)["message"]' "$work/log"

finish
