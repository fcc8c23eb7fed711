# Sourced by the test_*.sh here. CUZK is the program, CUZK_TEST_DATA the folder of test data.
set -uo pipefail
: "${CUZK:?the program to test}" "${CUZK_TEST_DATA:?the folder test/data}"
circom=$CUZK_TEST_DATA/circom
negative=$circom/negative
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Verdicts about keys are kept per test, not in the home of whoever runs it.
export XDG_CACHE_HOME=$work/cache
unset CUZK_CPU CUZK_THREADS
cases=0
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    sed 's/^/  stdout: /' "$work/stdout" | head -20
    sed 's/^/  stderr: /' "$work/stderr" | head -20
}

# expect CODE REGEX COMMAND...: the exit code, and what standard output and error together match.
expect() {
    local code=$1 regex=$2 got=0
    shift 2
    cases=$((cases + 1))
    "$@" >"$work/stdout" 2>"$work/stderr" || got=$?
    if [ "$got" -ne "$code" ]; then
        fail "exit code $got instead of $code: $*"
    elif [ -n "$regex" ] && ! grep -Eq -- "$regex" "$work/stdout" "$work/stderr"; then
        fail "no /$regex/ in the output of: $*"
    elif [ "$code" -ne 0 ] && [ ! -s "$work/stderr" ]; then
        fail "no message from: $*"
    fi
}

# check WHAT COMMAND...: the command, which may look at the output of the last expect, succeeds.
check() {
    local what=$1
    shift
    cases=$((cases + 1))
    "$@" >"$work/checked" 2>&1 || { fail "$what" && sed 's/^/  check: /' "$work/checked" | tail -5; }
}

# The last line of a test.
finish() {
    echo "$cases cases, $failures failed"
    [ "$failures" -eq 0 ] && [ "$cases" -gt 0 ]
}

is_json() {
    python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1"
}

# json FILE EXPRESSION: an expression over the parsed file, d, holds.
json() {
    python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2]))' "$1" "$2"
}
