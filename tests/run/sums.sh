#!/bin/bash
# sums.sh: what C routines add to a variable at each call is counted by the flow of control, where nobody can see that; results are the
# same as when it is added where it stands.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
ulimit -c 0
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax tests/data/interrupts.c -o "$scratch/plain"

cat >"$scratch/sums.atd" <<'END_ATD'
tool sums "references, and what they should come to"
analysis "sums.c"
counter jumped
for i in insts where i.reads_memory or i.writes_memory { before i call Reference($addr) }
for b in blocks { before b call Add(b.ninsts) }
for p in procs where p.name == "jump_out" { before p jumped++ }
#STARTS before program call Start()
#PEEKS for p in procs { before p call Peek() }
after program call Print()
report "jumped" jumped
END_ATD
sed -i 's/report "jumped" jumped/report "jumped" "Jumped" jumped/' "$scratch/sums.atd"
cat >"$scratch/sums.c" <<'END_C'
#include <stdio.h>
#include <stdlib.h>

static unsigned long lines[64];
static long references, total, sampled;
long odd, even, hits, misses;
//DECLARE

void Reference(unsigned long address) {
    unsigned long line = address / 32;
    references++;
    if (line & 1)
        odd++;
    else
        even++;
    if (lines[line % 64] == line + 1) {
        hits++;
    } else {
        lines[line % 64] = line + 1;
        misses++;
    }
}

void Add(long n) {
    total += n;
    sampled += 3;
}

//DEFINE
void Print(void) {
    FILE *file = fopen("sums", "w");
    fprintf(file, "%ld %ld %ld %ld %ld %ld %ld\n", references, odd + even, hits + misses, total, sampled, odd, misses);
    //PRINT
    fclose(file);
}
END_C
number_in() { # STATISTICS LINE
    sed -n "s/^ *$2  *\([0-9]*\).*/\1/p" "$1"
}
# run NAME MODE: in its own folder, under one path.
run() {
    rm -rf "$scratch/work" "$scratch/results-$1"
    mkdir "$scratch/work"
    cp "$scratch/$1" "$scratch/work/program"
    (
        cd "$scratch/work"
        env -i timeout -s KILL 60 "$(command -v "$QEMU")" -seed 1 ./program "$2" 0.4 >out 2>err || echo "status $?" >>out
        rm program
    ) 2>/dev/null
    mv "$scratch/work" "$scratch/results-$1"
}

# ---- the same results ----

for how in default poison no-placement call=wrapper no-promotion; do
    options=--$how
    [ $how != default ] || options=--warnings
    "$ATOMC" -v "$options" "$scratch/sums.atd" "$scratch/plain" -o "$scratch/$how" >"$scratch/$how.statistics" 2>&1 ||
        "$ATOMC" -v "$scratch/sums.atd" "$scratch/plain" -o "$scratch/$how" >"$scratch/$how.statistics"
done
taken=$(number_in "$scratch/default.statistics" "sums taken out")
derived=$(number_in "$scratch/default.statistics" "counter updates derived")
if [ "$taken" -gt 10000 ] && [ "$derived" -gt $((taken * 9 / 10)) ] &&
    [ "$(number_in "$scratch/no-placement.statistics" "sums taken out")" = 0 ] &&
    [ "$(number_in "$scratch/default.statistics" "text bytes copied")" -lt \
        "$(number_in "$scratch/no-placement.statistics" "text bytes copied")" ]; then
    passed sums/taken-out
else
    failed sums/taken-out "no sums are taken out" "$scratch/default.statistics"
fi
for mode in fault skip crash; do
    for how in default poison no-placement call=wrapper no-promotion; do
        run $how $mode
        if grep -q '[1-9]' "$scratch/results-$how/sums" && diff -r "$scratch/results-$how" "$scratch/results-default" >"$scratch/difference"; then
            passed "sums/$mode-$how"
        else
            failed "sums/$mode-$how" "not the same" "$scratch/difference"
        fi
    done
done

# ---- interrupted anywhere: no more is lost than each jump interrupts ----

for mode in jump; do
    for how in default poison no-promotion; do
        run $how $mode
        jumped=$(tail -n 1 "$scratch/results-$how/jumped")
        if awk -v most="$jumped" 'function far(a, b) { return a - b > most || b - a > most }
            { exit $1 < 1000 || far($1, $2) || far($1, $3) || most < 1 }' "$scratch/results-$how/sums"; then
            passed "sums/$mode-$how"
        else
            failed "sums/$mode-$how" "not what the others come to, $jumped jumps" "$scratch/results-$how/sums"
        fi
    done
done

# ---- where somebody may see it ----

# seen NAME SUMS PLACE TEXT [PLACE TEXT]...: with the text at these places of the routines so many of the two routines' sums are taken out.
seen() {
    local name=$1 sums=$2 how
    shift 2
    cp "$scratch/sums.c" "$scratch/kept.c"
    cp "$scratch/sums.atd" "$scratch/kept.atd"
    while [ $# -gt 0 ]; do
        sed -i "s|^ *//$1\$|$2|" "$scratch/sums.c"
        sed -i "s|^#$1 ||" "$scratch/sums.atd"
        shift 2
    done
    for how in made derived; do
        options=-v
        [ $how = derived ] || options=--no-placement
        "$ATOMC" -v $options "$scratch/sums.atd" "$scratch/plain" -o "$scratch/$how" >"$scratch/$how.statistics" 2>&1 || true
        run $how fault
    done
    mv "$scratch/kept.c" "$scratch/sums.c"
    mv "$scratch/kept.atd" "$scratch/sums.atd"
    local lines
    lines=$(number_in "$scratch/derived.statistics" "sums taken out")
    case $sums in
    none) [ "$lines" -lt "$((taken - references))" ] || sums= ;;
    all) [ "$lines" -ge "$taken" ] || sums= ;;
    esac
    if [ -n "$sums" ] && grep -q '[1-9]' "$scratch/results-made/sums" &&
        diff -r "$scratch/results-made" "$scratch/results-derived" >"$scratch/difference"; then
        passed "sums/$name"
    else
        echo "taken out: $lines of $taken, references $references" >>"$scratch/difference"
        failed "sums/$name" "taken out where it is seen, or not where it is not" "$scratch/difference"
    fi
}
references=$(sed -n 's/^ *\([0-9]*\) of Reference.*/\1/p' "$scratch/default.statistics")
references=$((references - 1000)) # some are in load-locked sequences, which nothing is taken out of
seen nobody all DEFINE ''
seen volatile-print all PRINT 'fprintf(file, "%ld\\\\n", references * 2);'
seen helper none DEFINE '__attribute__((noinline, noclone)) static long get(void) { return references; }' PRINT 'fprintf(file, "%ld\\\\n", get());'
seen pointer none DECLARE 'static long *where = \&references; long **there = \&where;' PRINT 'fprintf(file, "%ld\\\\n", **there);'
seen peek none DEFINE 'static long seen; void Peek(void) { seen = seen * 5 + references; }' PRINT 'fprintf(file, "%ld\\\\n", seen);' PEEKS ''
seen start none DEFINE 'void Start(void) { references = 7; }' STARTS ''
seen at-exit none DECLARE 'void Print(void);' DEFINE 'void Start(void) { atexit(Print); }' STARTS ''
seen constructor none DEFINE '__attribute__((constructor)) static void begin(void) { references = 5; }'
exit "$failures"
