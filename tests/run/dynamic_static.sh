#!/bin/bash
# dynamic_static.sh: what tools say of a program's own procedures is the same whether it is linked statically or dynamically,
# and whether its libraries are instrumented or not.
# Requires: atomc (ATOMC), the Alpha cross compilers and libraries, qemu-alpha; run from the repository's root.
#
# The same compiler with the same flags, and no relaxation by the linker (-Wl,--no-relax), which would take instructions out of
# the static program only: then nothing differs but addresses. Rows are compared by procedure and line, without addresses
# and percentages. Procedures that the linker brings from elsewhere (crt1.o, libgcc) have no source lines: not compared. lua is
# none of the programs: its cache of strings is by their addresses, which are others.
#
# Use: dynamic_static.sh [NAME...]: of the programs, only these; DYNAMIC_ALL=1: four.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/dynamic.lib
. tests/run/dynamic.lib
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage

# own_sums FILE: the numbers of a tool's rows, added up by what names them: of procedures that the static program has sources of.
own_sums() {
    awk -F'\t' 'NR == FNR { own[$1]; next }
        FNR == 1 { for (i = 1; i <= NF; i++) { title[i] = $i; if ($i == "Procedure") procedure = i } next }
        $procedure in own {
            key = $procedure; line = ""
            for (i = 1; i <= NF; i++) {
                if (title[i] ~ /^(Line|Depth)$/) key = key "\t" $i
                if (title[i] ~ /^(Instructions|Calls|Taken|Not Taken|Blocks|Loads|Stores|Executed|Redundant|Entered|Turns)$/) sum[i] = $i; else sum[i] = ""
            }
            for (i = 1; i <= NF; i++) if (sum[i] != "") all[key, i] += sum[i]
            columns = NF; keys[key]
        }
        END { for (key in keys) { line = key; for (i = 1; i <= columns; i++) if ((key, i) in all) line = line "\t" title[i] " " all[key, i]; print line } }' \
        "$scratch/own" "$1" | sort
}

check() { # NAME TOOL...
    local name=$1 tool kind objects fixed linked test program
    shift
    fixed=$(tests/programs/build.sh "$name" O2) && linked=$(build_dynamic "$name" dynamic) || {
        skipped "dynamic/static/$name" "it cannot be built"
        return 0
    }
    rm -rf "$scratch/inputs"
    flock "$BUILD/sources/lock" cp -a "$BUILD/programs/$name/inputs" "$scratch/inputs"
    unset -f normalise
    standard_input=
    arguments=()
    # shellcheck source=/dev/null
    . "tests/programs/$name/program.sh"
    "workload_$(sed -n 's/^workloads="\([a-z]*\).*/\1/p' "tests/programs/$name/program.sh")"
    # Names that are there once in each, with sources.
    "$ATOMC" tests/dynamic/named.atd "$fixed" -o "$scratch/instrumented"
    run_program "$scratch/named" "$name" "$scratch/instrumented" "$scratch/inputs" "$standard_input" -L "$libraries" -- "${arguments[@]}"
    for program in "$fixed" "$linked"; do
        alpha-linux-gnu-nm "$program" | awk '$2 ~ /[tT]/ { print $3 }' | sort | uniq -u
    done | sort | uniq -d >"$scratch/once"
    sort -u "$scratch/named/files/named.out" | comm -12 - "$scratch/once" >"$scratch/own"
    for tool in "$@"; do
        for kind in static main all; do
            program=$linked objects=$kind
            [ "$kind" != static ] || program=$fixed objects=main
            "$ATOMC" --objects="$objects" -t "$tool" "$program" -o "$scratch/instrumented"
            run_program "$scratch/$kind" "$name" "$scratch/instrumented" "$scratch/inputs" "$standard_input" -L "$libraries" -- "${arguments[@]}"
            own_sums "$scratch/$kind/files/"*"$(output_of "$tool")" >"$scratch/$kind.sums"
        done
        for kind in main all; do
            test=dynamic/static/$name/$tool/$kind
            if [ "$(wc -l <"$scratch/static.sums")" -lt 10 ]; then
                failed "$test" "too few procedures to mean anything" "$scratch/static.sums"
            elif diff "$scratch/static.sums" "$scratch/$kind.sums" >"$scratch/differences"; then
                passed "$test"
            else
                failed "$test" "not as in the static program (<)" "$scratch/differences"
            fi
        done
    done
}
output_of() {
    case $1 in
    branch) echo btaken.out ;;
    *) echo "$1.out" ;;
    esac
}
for name in ${*:-bzip2 mawk ${DYNAMIC_ALL:+byacc lzip}}; do
    check "$name" prof branch iprof pixie loops
done
[ "$failures" = 0 ]
