# prelude.sh: the beginning of every case of tests/run: a scratch folder, compilers, runs, and checks that print
# results. Requires: bash; sourced by tests/runner.sh with the repository as the working directory.
# docs/internals/testing.md shows a case.
#
# A case is tests/run/NAME.sh. It runs with `set -eu`, in an empty folder, with these variables:
#   top, tests     the repository, and its folder tests/
#   BUILD, ATOMC   the build folder and the atomc under test; ATOMC_CHECKED, if there is one with sanitizers
#   case           NAME; the tests that a case prints are named NAME/TEST
#   SIZE           check, or all for every input and level there is (pick)
# Each test is one line on standard output: "ok NAME", "not ok NAME: REASON" or "skip NAME: REASON".
# shellcheck shell=bash disable=SC2034
set -eu
export LC_ALL=C
top=$(pwd) tests=$(pwd)/tests
BUILD=$(realpath "${BUILD:-$top/build}")
ATOMC=$(realpath "${ATOMC:-$BUILD/atomc}")
export BUILD ATOMC
QEMU=${QEMU:-$BUILD/tests/emulator/qemu-alpha} # tests/oracle/emulator.sh describes it
QEMU_AARCH64=${QEMU_AARCH64:-$BUILD/tests/emulator/qemu-aarch64}
RUN_TIMEOUT=${RUN_TIMEOUT:-900} # seconds for one run of a program
SIZE=${SIZE:-check}
oracle=$BUILD/tests/oracle.so
export ATOMC_CACHE=$BUILD/tests/kept # of compiled analysis code and of atomc run: all cases' together, and not the user's
# Samples in the documentation have been made with the cross compiler and C library of Debian 12 (tests/lib/matches.awk).
elsewhere=$([ "$(alpha-linux-gnu-gcc -dumpversion)" = 12 ] || echo 1)
# Folder of files that the first case that needs them makes for all cases of a run: the runner removes it at the end.
export ONCE=${ONCE:-${scratch:-$PWD}/once}
export GENERATED_MODULES=$ONCE/modules
# For compilers, the linker and atomc: large pages, where the system has them. They take up to two fifths less time. It is
# not exported: programs that atomc runs would see it.
large_pages=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=1073741824:glibc.malloc.top_pad=33554432
failures=0
ulimit -c 0

# ---- results --------------------------------------------------------------------------------------------------------

passed() { # TEST
    echo "ok $case/$1"
}
failed() { # TEST REASON [FILE]: the first lines of the file are shown
    echo "not ok $case/$1: $2"
    [ ! -e "${3:-}" ] || head -n "${FAILURE_LINES:-12}" "$3" | sed 's/^/    /'
    failures=$((failures + 1))
}
skipped() { # TEST REASON
    echo "skip $case/$1: $2"
}

# check TEST CONDITION [FILE]: the condition is shell text. If the condition does not hold, it is printed as the reason,
# followed by its output, or by the file.
check() {
    if eval "$2" >check.log 2>&1; then
        passed "$1"
    else
        [ -z "${3:-}" ] || cat "$3" >>check.log
        failed "$1" "${2//$'\n'/ }" check.log
    fi
}

# same TEST EXPECTED FOUND: the files are equal, and not empty.
same() {
    check "$1" "[ -s '$2' ] && diff '$2' '$3'"
}

# prints TEST COMMAND...: the output of the command, including standard error, must equal standard input.
prints() {
    local test=$1
    cat >prints.expected
    shift
    "$@" >prints.found 2>&1 || true
    check "$test" "diff prints.expected prints.found"
}

# once NAME FUNCTION: sets once to a folder of that name in which the function has made something for all cases of a
# run. The first case that calls it makes the folder; if this fails, the next call fails, too.
once() {
    once=$ONCE/$1
    mkdir -p "$once"
    (
        flock 9
        cd "$once"
        [ -e ready ] || {
            find . -mindepth 1 -delete
            "$2"
            touch ready
        }
    ) 9>>"$once.lock"
}

# ---- programs -------------------------------------------------------------------------------------------------------

# pick CHECK ALL: prints CHECK in make check, and ALL in make check-all.
pick() {
    if [ "$SIZE" = all ]; then echo "$2"; else echo "$1"; fi
}

# alpha OUTPUT SOURCE... [FLAG...]: a static Alpha program, at -O2 unless a flag specifies another level. shared: a
# dynamic program.
alpha() {
    shared "$@" -static
}
shared() {
    local output=$1 compiler=gcc
    shift
    case " $* " in *.cc\ * | *.cpp\ *) compiler=g++ ;; esac
    GLIBC_TUNABLES=$large_pages "alpha-linux-gnu-$compiler" -O2 -Wl,--no-relax "$@" -o "$output"
}

# instrument OUTPUT WORD...: runs atomc, with its messages in OUTPUT.log; returns false after an error, which is
# reported.
instrument() {
    local output=$1
    shift
    GLIBC_TUNABLES=$large_pages "$ATOMC" "$@" -o "$output" >"$output.log" 2>&1 || { failed "instrument ${*##*/}" "atomc failed" "$output.log" && return 1; }
}

# qemu WORD...: runs a program for at most RUN_TIMEOUT seconds. Messages of bash about signals are discarded.
qemu() {
    { timeout -s KILL "$RUN_TIMEOUT" "$QEMU" "$@" 2>&3; } 3>&2 2>/dev/null
}

# computed PROCESS HUNDREDTHS: waits until the process, or a process that it has started, has used that many hundredths
# of a second of processor time; false if it has ended.
computed() {
    local most
    while kill -0 "$1" 2>/dev/null; do
        most=$(for task in $(descendants_of "$1"); do sed 's/.*) //' "/proc/$task/stat" 2>/dev/null; done | awk '{ if ($12 + $13 > most) most = $12 + $13 } END { print most + 0 }')
        [ "$most" -lt "$2" ] || return 0
        sleep 0.02
    done
    return 1
}
descendants_of() { # PROCESS: with itself
    local child
    echo "$1"
    for child in $(cat "/proc/$1"/task/*/children 2>/dev/null); do descendants_of "$child"; done
}

# ending FILE WORD...: output and exit status of a program.
ending() {
    local file=$1 status=0
    shift
    qemu "$@" >"$file" 2>&1 || status=$?
    echo "exit status $status" >>"$file"
}

# run_program RESULT NAME EXECUTABLE INPUTS STANDARD_INPUT QEMU_OPTION... -- ARGUMENT...
# Runs the executable as stage/bin/NAME in a folder stage/work with fresh inputs, so that every run of a test sees the same
# paths, arguments and (empty) environment. In RESULT: stdout, stderr, status, and the working folder as files/.
run_program() {
    local result=$1 name=$2 executable=$3 inputs=$4 standard_input=$5 status=0
    local -a options=()
    shift 5
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    rm -rf "$result" stage
    mkdir -p "$result" stage/bin stage/work
    [[ $result = /* ]] || result=$PWD/$result
    local bin=$PWD/stage/bin
    cp "$executable" "stage/bin/$name"
    [ -x "stage/bin/$name" ] || chmod +x "stage/bin/$name"
    [ -z "$inputs" ] || cp -a "$inputs/." stage/work
    {
        (
            cd stage/work || exit 1
            exec env -i timeout -s KILL "$RUN_TIMEOUT" "$QEMU" -seed 1 "${options[@]}" -0 "$name" "$bin/$name" "$@" \
                <"${standard_input:-/dev/null}" >"$result/stdout" 2>"$result/stderr"
        ) || status=$?
    } 2>/dev/null # bash would report that a signal ended the process
    echo "$status" >"$result/status"
    mv stage/work "$result/files"
}

# same_results TEST RESULT OTHER [IGNORED...]: are output, exit status and files the same? Files named are ignored.
same_results() {
    local test=$1 expected=$2 actual=$3 part ignored=
    shift 3
    for part in "$@"; do
        ignored+=" -x '$part' -x '$part.[0-9]*'" # of children, too
    done
    for part in status stdout stderr; do
        ! cmp -s "$expected/$part" "$actual/$part" || continue
        normalised "$expected/$part" >expected.part
        normalised "$actual/$part" >actual.part
        cmp -s expected.part actual.part || { failed "$test" "$part differs" <(diff -a expected.part actual.part) && return; }
    done
    check "$test" "diff -r$ignored '$expected/files' '$actual/files'"
}
normalised() {
    if [ "$(type -t normalise)" = function ]; then normalise "$1"; else cat "$1"; fi
}

# use PROGRAM LEVEL WORKLOAD: builds a test program and sets program, inputs, name, arguments, standard_input, stable,
# unrepeatable, varying. Returns false, with a message, if its source cannot be fetched. LEVEL is an optimization,
# dynamic or pie.
use() {
    local level=$2 status=0
    name=$1 arguments=() standard_input= stable= unrepeatable= varying= process_numbers= atomc_flags= check_workloads= timing= only_tools=
    left_out= reads_unwritten=
    program=$("$tests/programs/build.sh" "$1" "$level" 2>build.log) || status=$?
    if [ "$status" != 0 ]; then
        # Without the network there is no source; all other errors are failures.
        if [ "$status" = 77 ]; then skipped "$1-$level" "no source"; else failed "$1-$level" "does not build" build.log; fi
        return 1
    fi
    inputs=$scratch/inputs-$1
    [ -e "$inputs" ] || flock "$BUILD/sources/lock" cp -a "$BUILD/programs/$1/inputs" "$inputs"
    # shellcheck disable=SC2046 # several names
    unset -f normalise $(compgen -A function workload_)
    # shellcheck source=/dev/null
    . "$tests/programs/$1/program.sh"
    workload "$3"
}
workload() { # NAME: of the program that is in use
    arguments=("$1") standard_input=
    if [ "$(type -t "workload_$1")" = function ]; then "workload_$1"; fi
}

# run RESULT EXECUTABLE [QEMU_OPTION...]: runs an instrumented or plain program with the settings of `use`.
run() {
    run_program "$1" "$name" "$2" "$inputs" "$standard_input" "${@:3}" -- "${arguments[@]}"
}

# count_with_oracle RESULT FILE [QEMU_OPTION...]: runs the plain program under the oracle.
count_with_oracle() {
    rm -f "$2"*
    run "$1" "$program" "${@:3}" -singlestep -plugin "$oracle,out=$(realpath "$2"),cache=on,registers=on"
}

# statistic FILE LINE: a number from the output of atomc -v.
statistic() {
    sed -n "s/^ *$2  *\([0-9]*\).*/\1/p" "$1"
}

# For awk programs: the number that a text of hexadecimal digits represents, with 0x or without, in every awk.
hexadecimal='function number(text, i, value) {
        text = tolower(text)
        sub(/^0x/, "", text)
        for (i = 1; i <= length(text); i++) value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
        return value
    }
    '
