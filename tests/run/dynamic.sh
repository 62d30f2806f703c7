#!/bin/bash
# dynamic.sh: dynamically linked programs, position-independent or not, do what they did, and the tools count in them what
# the oracle counts in the uninstrumented program.
# Requires: atomc (ATOMC), the Alpha cross compilers and libraries, qemu-alpha with plugins; run from the repository's root.
#
# Use: dynamic.sh [NAME...]: of the programs, only these; PROGRAM=only: nothing but programs.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/dynamic.lib
. tests/run/dynamic.lib
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage
oracle=$BUILD/tests/oracle.so

# try_program NAME KIND WORKLOAD TOOL...
try_program() {
    local name=$1 kind=$2 workload=$3 program tool test
    shift 3
    test=dynamic/$name-$kind/$workload
    if ! program=$(build_dynamic "$name" "$kind"); then
        skipped "$test" "$(tail -n 1 "$BUILD/tests/$name-$kind.build")"
        return
    fi
    rm -rf "$scratch/inputs"
    flock "$BUILD/sources/lock" cp -a "$BUILD/programs/$name/inputs" "$scratch/inputs"
    unset -f normalise
    standard_input=
    arguments=()
    # shellcheck source=/dev/null
    . "tests/programs/$name/program.sh"
    "workload_$workload"
    run_program "$scratch/plain" "$name" "$program" "$scratch/inputs" "$standard_input" -L "$libraries" -- "${arguments[@]}"
    rm -f "$scratch/oracle"*
    run_program "$scratch/counted" "$name" "$program" "$scratch/inputs" "$standard_input" -L "$libraries" -singlestep \
        -plugin "$oracle,out=$scratch/oracle,cache=on,registers=on" -- "${arguments[@]}"
    own_counts "$kind" "$program" "$scratch/oracle" >"$scratch/own"
    for tool in "$@"; do
        if ! "$ATOMC" -t "$tool" "$program" -o "$scratch/instrumented" >"$scratch/log" 2>&1; then
            failed "$test/$tool" "atomc failed" "$scratch/log"
            continue
        fi
        run_program "$scratch/$tool" "$name" "$scratch/instrumented" "$scratch/inputs" "$standard_input" \
            -L "$libraries" -- "${arguments[@]}"
        same_results "$test/$tool" "$scratch/plain" "$scratch/$tool" prof.out btaken.out
        case $tool in
        prof) output=prof.out ;;
        branch) output=btaken.out ;;
        *) continue ;;
        esac
        if [ ! -s "$scratch/$tool/files/$output" ]; then
            failed "$test/$tool/counts" "no results"
            continue
        fi
        from_zero "$kind" "$scratch/$tool/files/$output" >"$scratch/found"
        if tests/run/counts.sh "$tool" "$scratch/own" "$scratch/found" "$program" >"$scratch/differences" 2>&1; then
            passed "$test/$tool/counts"
        else
            failed "$test/$tool/counts" "not the oracle's (<)" "$scratch/differences"
        fi
    done
}
first_workload() {
    sed -n 's/^workloads="\([a-z]*\).*/\1/p' "tests/programs/$1/program.sh"
}
for name in ${*:-bzip2 lua byacc mawk minisat lzip dash sqlite3}; do
    for kind in dynamic pie; do
        try_program "$name" "$kind" "$(first_workload "$name")" empty prof branch
    done
done
[ "${PROGRAM:-}" != only ] || exit "$failures"

# Programs with other objects: exceptions through libraries, threads, signals in system calls, plug-ins.
alpha-linux-gnu-g++ -O2 -fno-pie -no-pie -rdynamic -Wl,--no-relax tests/data/objects.cc -o "$scratch/objects-dynamic" -pthread -ldl
alpha-linux-gnu-g++ -O2 -fPIE -pie -rdynamic -Wl,--no-relax tests/data/objects.cc -o "$scratch/objects-pie" -pthread -ldl
alpha-linux-gnu-g++ -O2 -fPIC -shared -Wl,--no-relax tests/data/plugin.cc -o "$scratch/plugin.so"
unset -f normalise
for kind in dynamic pie; do
    program=$scratch/objects-$kind
    "$ATOMC" -t prof "$program" -o "$scratch/instrumented"
    for way in exceptions threads cancel signals "plugins $scratch/plugin.so"; do
        test=dynamic/objects-$kind/${way%% *}
        # shellcheck disable=SC2086
        run_program "$scratch/plain" objects "$program" "" "" -L "$libraries" -- $way
        rm -f "$scratch/oracle"*
        # shellcheck disable=SC2086
        run_program "$scratch/counted" objects "$program" "" "" -L "$libraries" -singlestep \
            -plugin "$oracle,out=$scratch/oracle,cache=on,registers=on" -- $way
        own_counts "$kind" "$program" "$scratch/oracle" >"$scratch/own"
        # shellcheck disable=SC2086
        run_program "$scratch/prof" objects "$scratch/instrumented" "" "" -L "$libraries" -- $way
        same_results "$test" "$scratch/plain" "$scratch/prof" prof.out
        case $way in
        signals) continue ;; # the child of fork counts as well, in the same file
        esac
        from_zero "$kind" "$scratch/prof/files/prof.out" >"$scratch/found"
        if tests/run/counts.sh prof "$scratch/own" "$scratch/found" "$program" >"$scratch/differences" 2>&1; then
            passed "$test/counts"
        else
            failed "$test/counts" "not the oracle's (<)" "$scratch/differences"
        fi
    done
done

# However the program ends, it does so as before, with results.
alpha-linux-gnu-gcc -O2 -fno-pie -no-pie -Wl,--no-relax tests/data/signals.c -o "$scratch/signals"
"$ATOMC" -t prof "$scratch/signals" -o "$scratch/signals.prof"
for way in return quick abort segv illegal term pipe alarm ignored; do
    run_program "$scratch/plain" signals "$scratch/signals" "" "" -L "$libraries" -- "$way"
    run_program "$scratch/prof" signals "$scratch/signals.prof" "" "" -L "$libraries" -- "$way"
    same_results "dynamic/ends/$way" "$scratch/plain" "$scratch/prof" prof.out
    if grep -q '^total' "$scratch/prof/files/prof.out"; then
        passed "dynamic/ends/$way/results"
    else
        failed "dynamic/ends/$way/results" "no results"
    fi
done

# A static position-independent program: nothing of a C library, a table that it relocates itself would be next.
cat >"$scratch/alone.c" <<'C'
static long call(long number, long argument) {
    register long v0 __asm__("$0") = number, a0 __asm__("$16") = argument;
    __asm__ volatile("callsys" : "+r"(v0), "+r"(a0) : : "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$19", "$22", "$23",
                     "$24", "$25", "$27", "$28", "memory");
    return v0;
}
__attribute__((noinline)) static long sum(long n) { return n ? n + sum(n - 1) : 0; }
void _start(void) { call(405, sum(10)); }
C
alpha-linux-gnu-gcc -O1 -fPIE -fno-stack-protector -nostdlib -nostartfiles -static -pie -Wl,--no-relax,--no-dynamic-linker \
    "$scratch/alone.c" -o "$scratch/alone"
"$ATOMC" -t prof "$scratch/alone" -o "$scratch/alone.prof"
run_program "$scratch/plain" alone "$scratch/alone" "" "" --
run_program "$scratch/prof" alone "$scratch/alone.prof" "" "" --
same_results dynamic/alone "$scratch/plain" "$scratch/prof" prof.out
[ "$failures" = 0 ]
