#!/bin/bash
# dynamic_tools.sh: every stock tool on dynamic programs, of the program only, of the C library only, of all objects: the
# program does what it did, reports are whole, procedures have names that their objects' symbols give, and what is said of the
# program's own places does not depend on whether libraries are instrumented too.
# Requires: atomc (ATOMC), the Alpha cross compilers and libraries, qemu-alpha; run from the repository's root.
#
# Use: dynamic_tools.sh [TOOL...]: instead of some; DYNAMIC_ALL=1: all, on two programs.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/dynamic.lib
. tests/run/dynamic.lib
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage
tools=${*:-prof gprof branch third hiprof malloc dtb}
[ -z "${DYNAMIC_ALL:-}" ] || tools=$("$ATOMC" --list | cut -d' ' -f1)

# The names that symbols give, of the program and its libraries.
list_names() { # PROGRAM
    local name file
    {
        alpha-linux-gnu-nm "$1"
        library_bases "$1" | while read -r name _; do
            file=$(find "$libraries/lib" -name "$(basename "$name")" | head -n 1)
            alpha-linux-gnu-nm -D "$file"
            alpha-linux-gnu-nm "$file" 2>/dev/null || true
        done
    } | awk '{ sub("@.*", "", $NF); print $NF }' | sort -u
}

# A table's rows have its columns; names of procedures are known, or made of the address.
check_table() { # FILE
    awk -F'\t' 'NR == FNR { known[$1]; next }
        FNR == 1 { columns = NF; for (i = 1; i <= NF; i++) if ($i ~ /^(Procedure|Caller|Callee)$/) named[i]; next }
        NF != columns && $1 != "total" { print FILENAME ": " NF " columns of " columns ": " $0; bad = 1 }
        $1 != "total" {
            for (i in named)
                if ($i != "" && $i != "all" && !($i in known) && $i !~ /^proc_at_0x[0-9a-f]+$/) { print FILENAME ": no symbol " $i; bad = 1 }
        }
        END { exit bad }' "$scratch/names" "$1"
}

# Rows of the program itself without percentages.
own_rows() { # FILE
    awk -F'\t' 'FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "Percent" || $i == "Share") drop[i]; pc = $1 == "PC"; next }
        pc && $1 ~ /^0x12/ && length($1) == 11 { line = ""; for (i = 1; i <= NF; i++) if (!(i in drop)) line = line "\t" $i; print line }' "$1" | sort
}
# Name, calls and instructions of a procedure itself, of those of the program.
own_profile() { # FILE
    awk 'NR == FNR { own[$1]; next } FNR > 5 && NF == 7 && $NF in own { print $NF, $3, $4 } /^-----/ { exit }' "$scratch/own" "$1" | sort
}

check_reports() { # TEST TOOL OBJECTS
    local file found=0 problems=$scratch/problems
    : >"$problems"
    for file in "$scratch/$2.$3"/*; do
        [ -s "$file" ] || continue
        found=1
        case $(head -n 1 "$file") in
        *'	'*) check_table "$file" >>"$problems" || true ;;
        esac
    done
    [ "$found" = 1 ] || [ "$2" = empty ] || echo "there is no report" >>"$problems"
    if [ "$3" = all ]; then
        for file in "$scratch/$2.main"/*; do
            [ -e "$file" ] || continue
            case $2 in
            prof | iprof | branch | audit | loops | unalign | pipe | pixie)
                diff <(own_rows "$file") <(own_rows "$scratch/$2.all/${file##*/}") >>"$problems" || true
                [ "$2" = unalign ] || own_rows "$file" | grep -q . || echo "no rows" >>"$problems"
                ;;
            gprof)
                diff <(own_profile "$file") <(own_profile "$scratch/$2.all/${file##*/}") >>"$problems" || true
                own_profile "$file" | grep -q . || echo "no rows" >>"$problems"
                ;;
            esac
        done
        case $2 in
        prof | iprof | dyninst | pipe) sed -n 's/^total\t*//p' "$scratch/$2.all"/* | awk -F'\t' -v tool="$2" '{ print tool == "prof" || tool == "pipe" ? $1 : $2 }' >>"$scratch/totals" ;;
        third) # the programs have no errors, if all that sets values is seen
            [ "$(wc -l <"$scratch/third.all/third.out")" = 1 ] || cat "$scratch/third.all/third.out" >>"$problems" ;;
        esac
    fi
    if [ -s "$problems" ]; then failed "$1/report" "is not as it should be" "$problems"; else passed "$1/report"; fi
}

check_program() { # NAME OBJECTS...
    local name=$1 program tool objects file test
    local -a ignored
    program=$(build_dynamic "$name" dynamic) || exit 1
    rm -rf "$scratch/inputs"
    flock "$BUILD/sources/lock" cp -a "$BUILD/programs/$name/inputs" "$scratch/inputs"
    unset -f normalise
    standard_input=
    arguments=()
    # shellcheck source=/dev/null
    . "tests/programs/$name/program.sh"
    "workload_$(sed -n 's/^workloads="\([a-z]*\).*/\1/p' "tests/programs/$name/program.sh")"
    run_program "$scratch/plain" "$name" "$program" "$scratch/inputs" "$standard_input" -L "$libraries" -- "${arguments[@]}"
    list_names "$program" >"$scratch/names"
    alpha-linux-gnu-nm "$program" | awk '$2 ~ /[tT]/ && $3 !~ /^_PROCEDURE_LINKAGE/ { print $3 }' | sort -u >"$scratch/own"
    : >"$scratch/totals"
    for tool in $tools; do
        rm -rf "$scratch/$tool".*
        for objects in "${@:2}"; do
            test=dynamic/tools/$name/$tool/$objects
            if ! "$ATOMC" --objects=$objects -t "$tool" "$program" -o "$scratch/instrumented" >"$scratch/log" 2>&1; then
                failed "$test" "atomc failed" "$scratch/log"
                continue
            fi
            run_program "$scratch/run" "$name" "$scratch/instrumented" "$scratch/inputs" "$standard_input" \
                -L "$libraries" -- "${arguments[@]}"
            rm -rf "$scratch/$tool.$objects"
            mkdir "$scratch/$tool.$objects"
            ignored=()
            for file in "$scratch/run/files"/*; do
                if [ ! -e "$scratch/plain/files/${file##*/}" ]; then
                    mv "$file" "$scratch/$tool.$objects"
                    ignored+=("${file##*/}")
                fi
            done
            same_results "$test" "$scratch/plain" "$scratch/run"
            check_reports "$test" "$tool" "$objects"
        done
        [ "$tool" != trace ] || rm -rf "$scratch"/trace.*
    done
    if [ "$(sort -u "$scratch/totals" | wc -l)" -gt 1 ]; then
        failed "dynamic/tools/$name/totals" "tools do not agree how many instructions there were" "$scratch/totals"
    elif [ -s "$scratch/totals" ]; then
        passed "dynamic/tools/$name/totals"
    fi
}
check_program lua main libc all
[ -z "${DYNAMIC_ALL:-}" ] || check_program bzip2 main all

# third says of a dynamic program what it says of a static one.
alpha-linux-gnu-gcc -O1 -g -static -Wl,--no-relax docs/examples/heap.c -o "$scratch/heap"
alpha-linux-gnu-gcc -O1 -g -no-pie -fno-pie -Wl,--no-relax docs/examples/heap.c -o "$scratch/heap-dynamic"
for kind in heap heap-dynamic; do
    "$ATOMC" --objects=all -t third "$scratch/$kind" -o "$scratch/instrumented" 2>/dev/null
    run_program "$scratch/$kind.run" heap "$scratch/instrumented" "" "" -L "$libraries" --
done
if [ "$(wc -l <"$scratch/heap.run/files/third.out")" -gt 2 ] && cmp -s "$scratch/heap.run/files/third.out" "$scratch/heap-dynamic.run/files/third.out"; then
    passed dynamic/tools/third/heap
else
    diff "$scratch/heap.run/files/third.out" "$scratch/heap-dynamic.run/files/third.out" >"$scratch/differences" || true
    failed dynamic/tools/third/heap "not what it says of the static program (<)" "$scratch/differences"
fi
[ "$failures" = 0 ]
