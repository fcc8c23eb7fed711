#!/bin/bash
# An unmodified @grpc/grpc-js client speaks to the service through a unix socket, TCP with a token, TLS
# and TLS with client certificates. `make deps` installs it.
source "$(dirname "$0")/support.sh"
cd "$(dirname "$0")" || exit 1
if [ ! -d node_modules/@grpc/grpc-js ]; then
    echo "@grpc/grpc-js is not installed: run make deps"
    exit 1
fi
c=$circom/multiplier-bn128
socket=$work/s.sock
mkdir "$work/keys"
cp "$c/circuit.zkey" "$work/keys/multiplier.zkey"
token=$(openssl rand -hex 32)
(umask 077 && echo "$token" >"$work/token")
pid=
trap '[ -n "$pid" ] && kill -9 "$pid" 2>/dev/null; rm -rf "$work"' EXIT

# start [LINE...]: serves with these lines of configuration besides; sets $tcp.
start() {
    {
        printf 'daemon.listen = ["unix://%s", "127.0.0.1:0"]\n' "$socket"
        printf 'keys.folder = "%s/keys"\nstore.folder = "%s/store"\n' "$work" "$work"
        printf '%s\n' "$@"
    } >"$work/cuzk.toml"
    : >"$work/log"
    "$CUZK" serve --config "$work/cuzk.toml" >>"$work/log" 2>&1 &
    pid=$!
    while ! grep -q 'gRPC on' "$work/log"; do
        if ! kill -0 "$pid" 2>/dev/null; then
            cat "$work/log"
            exit 1
        fi
        sleep 0.02
    done
    tcp=$(sed -n 's/.*gRPC on [^ ]*, \(127[0-9.:]*\).*/\1/p' "$work/log")
}

stop() {
    cases=$((cases + 1))
    kill "$pid"
    wait "$pid" || fail "the service ended with $?"
    pid=
}

# client ADDRESS [OPTION...]
client() {
    local address=$1
    shift
    expect 0 'all calls answered' node --no-warnings grpc_js.mjs --address "$address" \
        --proto ../../proto --key multiplier --witness "$c/witness.wtns" \
        --bad-witness "$negative/multiplier-bn128.witness_unsatisfied.wtns" \
        --vk "$c/verification_key.json" "$@"
}

# certificate NAME ALTERNATIVES: NAME.pem and NAME.key, signed by ca.pem.
certificate() {
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" \
        -keyout "$work/$1.key" -out "$work/$1.csr" 2>/dev/null
    openssl x509 -req -in "$work/$1.csr" -CA "$work/ca.pem" -CAkey "$work/ca.key" -CAcreateserial \
        -days 2 -extfile <(echo "subjectAltName=$2") -out "$work/$1.pem" 2>/dev/null
}

start "auth.token_file = \"$work/token\""
client "unix://$socket"
client "$tcp" --token "$token"
# Who watches its health is told that it ends.
node grpc_js.mjs --address "unix://$socket" --proto ../../proto --watch >"$work/watch" 2>&1 &
watch=$!
while ! grep -q SERVING "$work/watch" && kill -0 "$watch" 2>/dev/null; do sleep 0.05; done
stop
wait "$watch"
cp "$work/watch" "$work/stdout"
check "the end of its health is told" test "$(tr '\n' ' ' <"$work/watch")" = \
    'SERVING NOT_SERVING ended '

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=ca \
    -keyout "$work/ca.key" -out "$work/ca.pem" 2>/dev/null
certificate server DNS:localhost,IP:127.0.0.1
certificate client DNS:client
tls=("tls.cert = \"$work/server.pem\"" "tls.key = \"$work/server.key\"")
start "${tls[@]}" "auth.token_file = \"$work/token\""
client "$tcp" --token "$token" --ca "$work/ca.pem"
stop
start "${tls[@]}" "tls.client_ca = \"$work/ca.pem\""
client "localhost:${tcp##*:}" --ca "$work/ca.pem" --cert "$work/client.pem" \
    --cert-key "$work/client.key"
stop
finish
