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

# try_libraries TEST NAME PROGRAM INPUTS ARGUMENTS...: with all libraries, and with some; sums of prof.out over procedures.
try_libraries() {
    local test=$1 name=$2 program=$3 inputs=$4 objects range
    shift 4
    run_program "$scratch/plain" "$name" "$program" "$inputs" "$standard_input" -L "$libraries" -- "$@"
    for range in own libraries; do
        rm -f "$scratch/oracle"*
        run_program "$scratch/counted" "$name" "$program" "$inputs" "$standard_input" -L "$libraries" -singlestep -plugin \
            "$oracle,out=$scratch/oracle,cache=on,registers=on$([ $range = own ] || echo ,text=4000800000-4003800000)" -- "$@"
        cp "$scratch/oracle" "$scratch/$range"
    done
    write_bases "$program"
    cat "$scratch/own" "$scratch/libraries" >"$scratch/both"
    all_counts "$scratch/bases" "$scratch/both" >"$scratch/counts"
    for objects in all libc; do
        if ! "$ATOMC" --objects=$objects -t prof "$program" -o "$scratch/instrumented" >"$scratch/log" 2>&1; then
            failed "$test/$objects" "atomc failed" "$scratch/log"
            continue
        fi
        run_program "$scratch/prof" "$name" "$scratch/instrumented" "$inputs" "$standard_input" -L "$libraries" -- "$@"
        same_results "$test/$objects" "$scratch/plain" "$scratch/prof" prof.out
        if [ $objects = libc ]; then # its base is then the first
            base=$(awk '/libc.so/ { print $2 }' "$scratch/names")
            printf '%016x 0000040000000000\n' "0x$base" >"$scratch/bases"
            end=$(awk -v base="$base" '$2 > base { print $2 }' "$scratch/names" | sort | head -n 1)
            printf '%016x %016x\n' "0x${end:-5000000000}" 0 >>"$scratch/bases"
            all_counts "$scratch/bases" "$scratch/libraries" | awk '$1 >= 4398046511104' >"$scratch/counts"
        fi
        if same_sums "$scratch/counts" "$scratch/prof/files/prof.out" >"$scratch/differences" 2>&1; then
            passed "$test/$objects/counts"
        else
            failed "$test/$objects/counts" "not the oracle's (<)" "$scratch/differences"
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

unset -f normalise
# Programs with other objects: exceptions through libraries, threads, signals in system calls, plug-ins.
alpha-linux-gnu-g++ -O2 -fno-pie -no-pie -rdynamic -Wl,--no-relax tests/data/objects.cc -o "$scratch/objects-dynamic" -pthread -ldl
alpha-linux-gnu-g++ -O2 -fPIE -pie -rdynamic -Wl,--no-relax tests/data/objects.cc -o "$scratch/objects-pie" -pthread -ldl
alpha-linux-gnu-g++ -O2 -fPIC -shared -Wl,--no-relax tests/data/plugin.cc -o "$scratch/plugin.so"
# Libraries too: the dynamic linker, the C library and others.
for name in ${*:-bzip2 lua byacc mawk minisat lzip dash}; do
    program=$(build_dynamic "$name" dynamic) || continue
    rm -rf "$scratch/inputs"
    flock "$BUILD/sources/lock" cp -a "$BUILD/programs/$name/inputs" "$scratch/inputs"
    unset -f normalise
    standard_input=
    arguments=()
    # shellcheck source=/dev/null
    . "tests/programs/$name/program.sh"
    "workload_$(first_workload "$name")"
    try_libraries "dynamic/libraries/$name" "$name" "$program" "$scratch/inputs" "${arguments[@]}"
done
unset -f normalise
standard_input=
try_libraries dynamic/libraries/objects/exceptions objects "$scratch/objects-dynamic" "" exceptions

# All libraries, and a plug-in that comes and goes 50 times.
for kind in dynamic pie; do
    program=$scratch/objects-$kind
    "$ATOMC" --objects="all,$scratch/plugin.so" -t prof -D libraries=true "$program" -o "$scratch/instrumented"
    for way in exceptions threads cancel signals "plugins $scratch/plugin.so"; do
        # shellcheck disable=SC2086
        run_program "$scratch/plain" objects "$program" "" "" -L "$libraries" -- $way
        # shellcheck disable=SC2086
        run_program "$scratch/prof" objects "$scratch/instrumented" "" "" -L "$libraries" -- $way
        same_results "dynamic/libraries/objects-$kind/${way%% *}" "$scratch/plain" "$scratch/prof" prof.out
    done
    if awk -F'\t' '$5 == "plugin.so" && $4 == "plugin_run" { found = 1 } END { exit !found }' "$scratch/prof/files/prof.out"; then
        passed "dynamic/libraries/objects-$kind/rows"
    else
        failed "dynamic/libraries/objects-$kind/rows" "no row of the plug-in" "$scratch/prof/files/prof.out"
    fi
done
# A tool that calls C at every load and store of every object, with all registers overwritten that are taken to be dead.
"$ATOMC" --objects=all --poison -t cache "$scratch/objects-dynamic" -o "$scratch/instrumented"
for way in exceptions threads signals; do
    run_program "$scratch/plain" objects "$scratch/objects-dynamic" "" "" -L "$libraries" -- $way
    run_program "$scratch/cache" objects "$scratch/instrumented" "" "" -L "$libraries" -- $way
    same_results "dynamic/libraries/poison/$way" "$scratch/plain" "$scratch/cache" cache.out
done
# Another plug-in of the same name is not instrumented, which is said.
"$ATOMC" --objects="main,$scratch/plugin.so" -t prof "$scratch/objects-dynamic" -o "$scratch/instrumented"
alpha-linux-gnu-g++ -O1 -fPIC -shared -Wl,--no-relax tests/data/plugin.cc -o "$scratch/plugin.so"
run_program "$scratch/plain" objects "$scratch/objects-dynamic" "" "" -L "$libraries" -- plugins "$scratch/plugin.so"
run_program "$scratch/prof" objects "$scratch/instrumented" "" "" -L "$libraries" -- plugins "$scratch/plugin.so"
if ! grep -q 'plugin.so is not instrumented: it is not the file' "$scratch/prof/stderr"; then
    failed dynamic/libraries/other-file "nothing is said of it" "$scratch/prof/stderr"
elif ! cmp -s "$scratch/plain/stdout" "$scratch/prof/stdout"; then
    failed dynamic/libraries/other-file "the program prints something else"
else
    passed dynamic/libraries/other-file
fi

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
