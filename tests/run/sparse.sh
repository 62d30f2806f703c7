#!/bin/bash
# sparse.sh: programs of which only the procedures with places are copied do what they did, and the tools count the same.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage

# Places in procedures of all kinds: with jump tables, landing pads, signal handlers, small and large.
cat >"$scratch/some.atd" <<'END'
tool some "all blocks of one procedure in nine, entries and exits, outcomes, loads"
set some = proc p where p.id % 9 == 4
set branches = inst i where i.class == condbr and i.proc in some
counter executed[blocks], entered[some], left[some], taken[branches]
for p in some {
    before p entered[p]++
    after p left[p]++
    for b in p.blocks { before b executed[b]++ }
}
for b in branches { before b when $taken taken[b]++ }
report "counts" for b in blocks where executed[b] > 0 "PC" hex b.pc, "Executed" executed[b]
report "counts.procedures" for p in some where entered[p] > 0 "Name" p.name, "Entered" entered[p], "Left" left[p]
report "counts.branches" for b in branches where taken[b] > 0 "PC" hex b.pc, "Taken" taken[b]
END

# try_program NAME WORKLOAD: as plain, and with the counts that all copies give.
try_program() {
    local program way
    if ! program=$(tests/programs/build.sh "$1" O2 2>"$scratch/build"); then
        skipped "sparse/$1" "$(tail -n 1 "$scratch/build")"
        return
    fi
    flock "$BUILD/sources/lock" cp -a "$BUILD/programs/$1/inputs" "$scratch/inputs"
    standard_input=
    arguments=()
    # shellcheck source=/dev/null
    . "tests/programs/$1/program.sh"
    "workload_$2"
    run_program "$scratch/plain" "$1" "$program" "$scratch/inputs" "$standard_input" -- "${arguments[@]}"
    for way in all sparse; do
        if ! "$ATOMC" --copy=$way "$scratch/some.atd" "$program" -o "$scratch/$way.program" >"$scratch/log" 2>&1; then
            if grep -q 'cannot be copied sparsely: no register is free' "$scratch/log"; then
                skipped "sparse/$1" "$(sed 's/.*sparsely: //' "$scratch/log")"
            else
                failed "sparse/$1/$way" "atomc failed" "$scratch/log"
            fi
            rm -rf "$scratch/inputs"
            return
        fi
        run_program "$scratch/$way" "$1" "$scratch/$way.program" "$scratch/inputs" "$standard_input" -- "${arguments[@]}"
    done
    same_results "sparse/$1/$2" "$scratch/plain" "$scratch/sparse" counts counts.procedures counts.branches
    if [ ! -s "$scratch/sparse/files/counts" ]; then
        failed "sparse/$1/$2/counts" "no results" "$scratch/sparse/stderr"
    elif [ "$threads" = no ]; then
        same_results "sparse/$1/$2/counts" "$scratch/all" "$scratch/sparse"
    fi
    rm -rf "$scratch/inputs"
}
first_workload() {
    sed -n 's/^workloads="\([a-z]*\).*/\1/p' "tests/programs/$1/program.sh"
}
for name in bzip2 lua dash minisat addresses zpaq blas; do
    try_program $name "$(first_workload $name)"
done

# It is chosen where little is copied, and only there.
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax tests/data/signals.c -o "$scratch/signals"
for tool in read prof empty; do
    "$ATOMC" -v -t $tool "$scratch/signals" -o "$scratch/$tool" >"$scratch/$tool.log"
    if [ "$(grep -c '^    copied' "$scratch/$tool.log" || true)" = $([ $tool = read ] && echo 1 || echo 0) ]; then
        passed sparse/chosen/$tool
    else
        failed sparse/chosen/$tool "not the right way to copy" "$scratch/$tool.log"
    fi
done
# However the program ends, it does so as before, with results.
cd "$scratch"
ulimit -c 0
for way in return quick abort segv illegal term pipe alarm ignored; do
    for kind in signals read; do
        status=0
        rm -f read.out
        { "$QEMU" -0 signals "./$kind" "$way" >"$kind.printed" 2>"$kind.err" || status=$?; } 2>/dev/null
        echo "exit status $status" >>"$kind.printed"
    done
    if ! cmp -s signals.printed read.printed; then
        failed "sparse/ends/$way" "does not end like the uninstrumented program" read.printed
    elif ! grep -q '^calls' read.out 2>/dev/null; then
        failed "sparse/ends/$way" "no results"
    else
        passed "sparse/ends/$way"
    fi
done
