#!/bin/bash
# native.sh: measures tools without C on a real AArch64 machine, which needs neither atomc nor a compiler.
# Requires there: bash, awk and, for counts of instructions, perf.
#
# Use: native.sh make FOLDER [PROGRAM...]: makes the programs, instruments them, and copies itself; where atomc is, with a compiler
#      for AArch64. PROGRAM: a static program for AArch64 that needs no arguments, beside nqueens and quicksort.
#      FOLDER/native.sh run: on the machine that is measured. Environment: RUNS=N, timed runs of each, in turns (default
#      5); EMULATOR=qemu-aarch64, for a dry run on another machine; SCALE=N, inputs of N per cent (default 100).
# Each instrumented run must have the output and status of the plain one. The table has the least of the times, and the
# instructions that perf counted in user mode. Beside the total of `prof` is perf's count of the plain program.
set -eu
tools="empty prof branch dyninst"
if [ "${1:-}" = make ] && [ $# -ge 2 ]; then
    here=$(cd "$(dirname "$0")" && pwd) folder=$2
    ATOMC=${ATOMC:-$here/../../build/atomc}
    compiler=$(command -v aarch64-linux-gnu-gcc || echo gcc)
    mkdir -p "$folder"
    for program in nqueens quicksort; do
        "$compiler" -O2 -static "$here/$program.c" -o "$folder/$program.plain"
    done
    for program in "${@:3}"; do
        cp "$program" "$folder/$(basename "$program").plain"
    done
    for program in "$folder"/*.plain; do
        for tool in $tools; do
            "$ATOMC" -t "$tool" "$program" -o "${program%.plain}.$tool"
        done
    done
    [ "$here/native.sh" -ef "$folder/native.sh" ] || cp "$here/native.sh" "$folder"
    echo "made: $folder. Copy it to the machine, and run $(basename "$folder")/native.sh run there."
    exit
fi
[ "${1:-}" = run ] || { sed -n '4,9s/^# \{0,6\}//p' "$0" >&2 && exit 2; }

cd "$(dirname "$0")"
runs=${RUNS:-5} scale=${SCALE:-100} emulator=${EMULATOR:-}
[ "$(uname -m)" = aarch64 ] || [ "$emulator" ] || {
    echo "native.sh: this is no AArch64 machine; EMULATOR=qemu-aarch64 makes a dry run" >&2
    exit 1
}
processor=$(awk -F': *' '/^(model name|CPU part)/ { print $2; exit }' /proc/cpuinfo)
echo "machine: $(uname -srm), $processor, $(getconf _NPROCESSORS_ONLN) processors"
echo "date: $(date -u +%Y-%m-%d), runs of each: $runs, inputs: $scale per cent"
[ -z "$emulator" ] || echo "dry run: the times and perf's counts are those of $emulator, not those of a processor"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
perf=
if perf stat -x, -e instructions:u -o "$scratch/perf" true 2>/dev/null && grep -q '^[0-9].*instructions' "$scratch/perf"; then
    perf=yes
fi
echo "perf: $([ "$perf" ] && echo "counts instructions in user mode" || echo "not there, or it may not count: no instructions")"

arguments_of() { # PROGRAM
    case $1 in
    nqueens) echo 10 $((40 * scale)) ;; # a few times the inputs of workloads.sh, where an emulator executes them
    quicksort) echo $((60000 * scale)) ;;
    esac
}
# one PROGRAM TOOL: runs it in an empty folder, under one name for all; its output, its reports, its time, its instructions.
one() {
    local folder=$scratch/$1.$2 status=0
    rm -rf "$folder" && mkdir "$folder" && cp "$1.$2" "$folder/program"
    # shellcheck disable=SC2046,SC2086
    (
        cd "$folder"
        TIMEFORMAT=%R
        counted="${perf:+perf stat -x, -e instructions:u -o perf} $emulator ./program"
        { time $counted $(arguments_of "$1") >output 2>errors; } 2>seconds || echo $? >status
    )
    [ -e "$folder/status" ] && status=$(cat "$folder/status")
    echo "$status" >>"$folder/output"
    cmp -s "$scratch/$1.plain/output" "$folder/output" || {
        echo "native.sh: $1 with $2: other output, or status, than without atomc" >&2
        exit 1
    }
    echo "$1 $2 $(cat "$folder/seconds") $(awk -F, '/instructions/ { print $1 }' "$folder/perf" 2>/dev/null)" >>"$scratch/results"
}
for program in *.plain; do
    program=${program%.plain}
    for _ in $(seq "$runs"); do
        for tool in plain $tools; do
            one "$program" "$tool"
        done
    done
    echo "$program total $(awk '$1 == "total" { print $2 }' "$scratch/$program.prof/prof.out")" >>"$scratch/results"
done
awk '
    $2 == "total" { total[$1] = $3; next }
    !($1 in programs) { programs[$1]; order[++n] = $1 }
    { key = $1 " " $2
      if (!(key in time) || $3 < time[key]) time[key] = $3
      if ($4 != "" && (!(key in count) || $4 < count[key])) count[key] = $4 }
    END {
        print "program\ttool\tseconds\tratio\tinstructions\tratio"
        split("plain empty prof branch dyninst", tools, " ")
        for (p = 1; p <= n; p++)
            for (t = 1; t <= 5; t++) {
                key = order[p] " " tools[t]; plain = order[p] " plain"
                ratio = time[plain] ? time[key] / time[plain] : 0
                printf "%s\t%s\t%.3f\t%.2f\t", order[p], tools[t], time[key], ratio
                print (key in count) ? count[key] "\t" sprintf("%.3f", count[key] / count[plain]) : "-\t-"
            }
        for (p = 1; p <= n; p++) {
            plain = order[p] " plain"
            print order[p] ": prof counts " total[order[p]] " instructions" ((plain in count) ? ", perf " count[plain] : "")
        }
    }' "$scratch/results" | tee native.results
echo "all instrumented programs had the output and the status of the plain ones"
