#!/bin/bash
# bench.sh: measures the tools of jobs.txt on the programs of workloads.sh, beside TCG plugins that do the same jobs.
# Requires: what `make bench` builds; qemu-alpha with -plugin; sources of the test programs (tests/programs/build.sh).
#
# Use: bench.sh [instructions] [times] [host]; without arguments the first two. `host`: instructions of the host that qemu-alpha
# executes, translation included; it runs under another qemu for that, which counts them (x86-64 only). Environment:
#   BENCH_SCALE=N      inputs of N per cent (default 100: about a second for each run under plain qemu-alpha)
#   BENCH_RUNS=N       timed runs of each job (default 5), interleaved: plain, each tool, each plugin, and again
#   BENCH_PROGRAMS=... instead of all; BENCH_JOBS=... names of jobs.txt; BENCH_PLUGINS=... of tests/bench/plugins
#   BENCH_LIST=FILE    instead of tests/bench/jobs.txt; its results are in $BUILD/bench/NAME
#   BENCH_DYNAMIC=yes  the programs linked dynamically; LIBRARIES: the folder that has lib/ld-linux.so.2
#   MACHINE=aarch64    programs for that machine, with QEMU=the emulator for it that loads plugins
#   BENCH_TIERS=...    atomc's --call values to measure as well (default: all that it has)
# Every instrumented run must do what the plain one does, or the benchmark fails. Results: $BUILD/bench/results.tsv,
# and from it table.txt and results.json by tests/bench/report.sh.
set -eu
repository=$(pwd)
BUILD=${BUILD:-$repository/build}
ATOMC=${ATOMC:-$BUILD/atomc}
QEMU=${QEMU:-$BUILD/tests/emulator/with-plugins} # one for all, so that they compare
machine=${MACHINE:-alpha}
runs=${BENCH_RUNS:-5}
base=$BUILD/bench
results=$base/results.tsv
list=${BENCH_LIST:-tests/bench/jobs.txt}
[ "$list" = tests/bench/jobs.txt ] || base=$base/$(basename "$list" .txt) results=$BUILD/bench/$(basename "$list" .txt)/results.tsv
dynamic=()
if [ "${BENCH_DYNAMIC:-}" = yes ]; then
    dynamic=(-L "${LIBRARIES:-/usr/alpha-linux-gnu}")
fi
# shellcheck source=tests/bench/workloads.sh
. tests/bench/workloads.sh
programs=${BENCH_PROGRAMS:-$bench_programs}
plugins=${BENCH_PLUGINS-blocks procedures branches predictor dcache}
stock_plugins=${BENCH_STOCK-stock_hotblocks stock_cache stock_howvec}
what=" ${*:-instructions times} "
counts_host=

say() {
    printf '%s\n' "$*" >&2
}
# Inputs of other programs are pieces of SQLite's source (workloads.sh).
tests/programs/build.sh sqlite3 O2 >/dev/null || { say "sqlite3: its source cannot be had" && exit 1; }
record() { # PROGRAM KIND NAME TIER MEASURE VALUE...: a line of the results
    local IFS='	'
    printf '%s\n' "$*" >>"$results"
}

# The jobs that this atomc can do, as lines "NAME TIER ARGUMENTS"; tiers are those of --call.
list_jobs() {
    local name arguments rest tier tiers=final has
    has=$("$ATOMC" --help 2>&1 | sed -n 's/.*--call=\([a-z|]*\).*/\1/p' | tr '|' ' ')
    tiers="final ${BENCH_TIERS-$has}"
    while read -r name arguments rest; do
        case $name in '' | '#'*) continue ;; esac
        case " ${BENCH_JOBS:-$name} " in *" $name "*) ;; *) continue ;; esac
        # shellcheck disable=SC2086
        if ! "$ATOMC" --check ${arguments//\~/ } >/dev/null 2>&1; then
            say "$name: not among atomc's tools yet"
            continue
        fi
        for tier in $tiers; do
            if [ "$tier" = final ]; then
                echo "$name final ${arguments//\~/ }"
            elif [ "$name" != empty ]; then
                echo "$name $tier --call=$tier ${arguments//\~/ }"
            fi
        done
    done <<<"$(tests/bench/list.sh "$list")"
}

# Threads count by atomic additions.
count_option() {
    case $1 in zpaq) echo ,atomic=on ;; esac
}

# The program's executable: a test program at -O2, or one of tests/bench/.
executable_of() {
    if [ -f "tests/bench/$1.c" ]; then
        mkdir -p "$base/$1"
        "$machine-linux-gnu-gcc" -O2 -g -static $([ "$machine" != alpha ] || echo -Wl,--no-relax) "tests/bench/$1.c" -o "$base/$1/$1"
        echo "$base/$1/$1"
    else
        tests/programs/build.sh "$1" "$([ ${#dynamic[@]} -gt 0 ] && echo dynamic || echo O2)"
    fi
}

# run PROGRAM EXECUTABLE OUTPUT QEMU_OPTION...: in fresh inputs; appends to $base/$program/usage. Under set -e a run
# that ends otherwise than the plain one is noticed by same_output.
run() {
    local program=$1 executable=$2 output=$3 status=0 beneath=()
    shift 3
    [ -z "$counts_host" ] ||
        beneath=(qemu-x86_64 -plugin "$BUILD/bench/plugins/count.so,out=$base/$program/host$(count_option "$program")" -d plugin)
    rm -rf "$base/$program/work"
    cp -al "$base/$program/inputs" "$base/$program/work"
    (
        cd "$base/$program/work"
        exec env -i "$BUILD/bench/timed" "$base/$program/usage" "${beneath[@]}" "$(command -v "$QEMU")" -seed 1 -0 "$program" "${dynamic[@]}" "$@" \
            "$executable" "${arguments[@]}" <"$standard_input" >"$output" 2>/dev/null
    ) || status=$?
    echo "status $status" >>"$output"
}
user_time() { # PROGRAM: of the last run
    tail -n 1 "$base/$1/usage" | cut -d' ' -f1
}
same_output() { # PROGRAM JOB
    if ! cmp -s "$base/$1/plain.stdout" "$base/$1/stdout"; then
        say "$1: under $2 the program does something else than plain"
        exit 1
    fi
}
instructions() { # PROGRAM EXECUTABLE OUTPUT: how many it executes
    run "$1" "$2" "$3" -plugin "$BUILD/bench/plugins/count.so,out=$base/$1/count$(count_option "$1")"
    cat "$base/$1/count"
}

bench_program() {
    local program=$1 plain name tier arguments_of_atomc round plugin count
    local -A seconds=()
    local -a timed=()
    plain=$(executable_of "$program") || { say "$program: cannot be built, passed over"; return 0; }
    rm -rf "$base/$program/inputs"
    mkdir -p "$base/$program/inputs"
    cd "$base/$program/inputs"
    "bench_$program"
    cd "$repository"

    count=$(instructions "$program" "$plain" "$base/$program/plain.stdout")
    record "$program" plain plain final instructions "$count"
    say "$program: $count instructions"
    while read -r name tier arguments_of_atomc; do
        # shellcheck disable=SC2086
        if ! "$ATOMC" $arguments_of_atomc "$plain" -o "$base/$program/$name.$tier" >"$base/$program/log" 2>&1; then
            say "$program: atomc $arguments_of_atomc failed: $(head -n 3 "$base/$program/log")"
            exit 1
        fi
        if [[ $what = *" instructions "* ]]; then
            count=$(instructions "$program" "$base/$program/$name.$tier" "$base/$program/stdout")
            same_output "$program" "$name ($tier)"
            record "$program" tool "$name" "$tier" instructions "$count"
        fi
        timed+=("tool $name $tier $base/$program/$name.$tier")
    done <"$base/jobs"
    [[ $what = *" times "* || $what = *" host "* ]] || { rm -f "$base/$program"/*.final; return 0; }
    for plugin in $plugins; do
        timed+=("peer $plugin final $plain -plugin $BUILD/bench/plugins/$plugin.so,out=$base/$program/$plugin.out")
    done
    for plugin in $stock_plugins; do
        timed+=("stock $plugin final $plain -plugin $BUILD/bench/plugins/$plugin.so,out=$base/$program/$plugin.out")
    done
    timed+=("plain plain final $plain")
    [[ $what = *" times "* ]] || runs=0
    for ((round = 1; round <= runs; round++)); do
        time_round "$round"
    done
    for name in "${!seconds[@]}"; do
        # shellcheck disable=SC2086
        record "$program" $name seconds ${seconds[$name]}
    done
    if [[ $what = *" host "* ]]; then
        count_on_host
    fi
    rm -f "$base/$program"/*.final "$base/$program"/*.wrapper "$base/$program"/*.direct "$base/$program"/*.inline
}

# One run of each; those of the stock plugins, which take half a minute each, only in the first round.
time_round() {
    local line kind name tier executable options
    for line in "${timed[@]}"; do
        read -r kind name tier executable options <<<"$line"
        [ "$kind" != stock ] || [ "$1" = 1 ] || continue
        # shellcheck disable=SC2086
        run "$program" "$executable" "$base/$program/stdout" $options
        same_output "$program" "$name ($tier)"
        seconds["$kind $name $tier"]+=" $(user_time "$program")"
    done
}

# Instructions of the host: the same in nearly every run, whatever else the machine does.
count_on_host() {
    local line kind name tier executable options counts_host=yes
    for line in "${timed[@]}"; do
        read -r kind name tier executable options <<<"$line"
        # shellcheck disable=SC2086
        run "$program" "$executable" "$base/$program/stdout" $options
        same_output "$program" "$name ($tier)"
        record "$program" "$kind" "$name" "$tier" host "$(cat "$base/$program/host")"
    done
}

mkdir -p "$base"
: >"$results"
"$ATOMC" --version 2>/dev/null | head -n 1 >"$base/version" || true
list_jobs >"$base/jobs"
for program in $programs; do
    bench_program "$program"
    BENCH_LIST=$list tests/bench/report.sh "$results" >"$base/table.txt"
done
BENCH_LIST=$list tests/bench/report.sh "$results"
BENCH_LIST=$list tests/bench/report.sh --json "$results" >"$base/results.json"
say "results: ${base#"$repository"/}/table.txt and results.json"
