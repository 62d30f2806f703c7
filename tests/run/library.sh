# library.sh: functions for the scripts of tests/run: results, and runs of a program under qemu-alpha.
# Requires: bash; sourced with the repository as the working directory, BUILD absolute or unset.
# shellcheck shell=bash

# shellcheck disable=SC2034 # used by those who source this
repository=$(pwd)
BUILD=${BUILD:-$repository/build}
ATOMC=${ATOMC:-$BUILD/atomc}
QEMU=${QEMU:-qemu-alpha}
RUN_TIMEOUT=${RUN_TIMEOUT:-300}
failures=0
stage= # the folder of run_program, set by who calls it

# Results, one line each: run-all.sh counts them.
passed() {
    echo "ok $1"
}
failed() { # TEST REASON [FILE]: the first lines of the file are shown
    echo "not ok $1: $2"
    [ -z "${3:-}" ] || head -n "${FAILURE_LINES:-12}" "$3" | sed 's/^/    /'
    failures=$((failures + 1))
}
skipped() { # TEST REASON
    echo "skip $1: $2"
}

# For awk programs: the number that a text of hexadecimal digits says, with 0x or without, in every awk.
hexadecimal='function number(text, i, value) {
        sub(/^0x/, "", text)
        for (i = 1; i <= length(text); i++) value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
        return value
    }
    '

# run_program RESULT NAME EXECUTABLE INPUTS STANDARD_INPUT QEMU_OPTIONS -- ARGUMENTS
# Runs the executable as $stage/bin/NAME in a working directory $stage/work with fresh inputs, so that every run of a
# test sees the same paths, arguments and (empty) environment. In RESULT: stdout, stderr, status, and the working
# directory as files/.
run_program() {
    local result=$1 name=$2 executable=$3 inputs=$4 standard_input=$5 status=0
    local -a options=()
    shift 5
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    rm -rf "$result" "${stage:?}/bin" "$stage/work"
    mkdir -p "$result" "${stage:?}/bin" "$stage/work"
    cp "$executable" "$stage/bin/$name"
    chmod +x "$stage/bin/$name"
    [ -z "$inputs" ] || cp -a "$inputs/." "$stage/work"
    {
        (
            cd "$stage/work" || exit 1
            ulimit -c 0
            exec env -i timeout -s KILL "$RUN_TIMEOUT" "$(command -v "$QEMU")" -seed 1 "${options[@]}" -0 "$name" \
                "$stage/bin/$name" "$@" <"${standard_input:-/dev/null}" >"$result/stdout" 2>"$result/stderr"
        ) || status=$?
    } 2>/dev/null # where bash would say that a signal ended it
    echo "$status" >"$result/status"
    mv "$stage/work" "$result/files"
}

# same_results TEST RESULT OTHER [IGNORED...]: are output, exit status and files the same? Files named are ignored.
same_results() {
    local test=$1 expected=$2 actual=$3 part ok=1
    shift 3
    local -a ignore=()
    for part in "$@"; do
        ignore+=(-x "$part")
    done
    for part in status stdout stderr; do
        if ! cmp -s <(normalised "$expected/$part") <(normalised "$actual/$part"); then
            diff <(normalised "$expected/$part") <(normalised "$actual/$part") >"$actual/difference" 2>&1 || true
            failed "$test" "$part differs from the uninstrumented run's" "$actual/difference"
            ok=0
        fi
    done
    if ! diff -r "${ignore[@]}" "$expected/files" "$actual/files" >"$actual/difference" 2>&1; then
        failed "$test" "files differ from the uninstrumented run's" "$actual/difference"
        ok=0
    fi
    [ "$ok" = 0 ] || passed "$test"
}

normalised() {
    if [ "$(type -t normalise)" = function ]; then
        normalise "$1"
    else
        cat "$1"
    fi
}
