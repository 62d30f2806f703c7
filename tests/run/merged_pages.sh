# merged_pages: `atomc merge` and `atomc diff` on the rows of random pages (tests/pages): a run merged with nothing is
# that run, two runs have the sums of their rows, for all columns of places. PAGES chooses, as in random_pages.
# size: quick
alpha-linux-gnu-gcc -O2 -g -static -nostdlib -ffreestanding -fno-tree-loop-distribute-patterns -Wl,--no-relax \
    "$top/tests/bench/small.c" -o program
cp "$tests/pages/routines.c" .
places=$("$ATOMC" info --json places | jq -r '[.places[].loop | select(.)] | join(" ")')
check places "[ $(wc -w <<<"$places") -ge 11 ]"

run() { # FOLDER ARGUMENT
    env -i ATOMC_FORMAT=rows ATOMC_OUT="$1" "$QEMU" -seed 1 ./instrumented "$2" >stdout 2>stderr
}
compared=0 cells=0
# compare_rows: all files of a and b.
compare_rows() {
    local file columns
    for file in a/*.rows; do
        compared=$((compared + 1))
        columns=$(head -n 1 "$file" | jq -r '[.columns[] | "\(.role):\(.merge):\(.type)"] | join(" ")')
        if ! "$ATOMC" merge --format=rows "$file" "b/${file##*/}" >merged 2>wrong; then
            # Numbers of 64 bits cannot all be added.
            ! grep -q 'integer overflow' wrong || continue
        elif ! "$ATOMC" diff --format=json --threshold=0 "$file" "b/${file##*/}" >differences ||
            ! awk -v columns="$columns" -f "$tests/pages/merged.awk" "$file" "b/${file##*/}" merged differences >wrong 2>number; then
            echo "not compared" >>wrong
        fi
        cells=$((cells + $(cat number)))
        [ ! -s wrong ] || failed "$1 ${file##*/}" "rows are put together that are of several places, or not added" wrong
    done
}
for seed in ${PAGES:-$(seq 1 $(pick 12 150))}; do
    awk -v seed="$seed" -v places="$places" -f "$tests/pages/page.awk" >page.atd
    "$ATOMC" page.atd program -o instrumented >log 2>&1 || { failed "page $seed" "not instrumented" log && continue; }
    rm -rf a b
    run a 1 || true
    run b 3 || true
    compare_rows "page $seed"
done
check compared "[ $compared -ge 150 ] && [ $cells -ge 700 ] || [ -n '${PAGES:+some}' ]"

# Places of a program with a C library: names that several have, lines at one address, data of each kind.
cat >main.c <<'END'
#include <stdio.h>
static __thread int own; int many[3]; static inline int twice(int n) { return 2 * n; }
int main(int count, char **words) { own = count; many[1] = twice(twice(own)); return printf("%d\n", many[1] + twice(count)) < 0 || !words; }
END
alpha program main.c -O2 -g
{
    echo 'tool places'
    for each in $places; do echo "report \"$each.out\" for v in $each \"Counts\" 1"; done
    echo 'counter n[syscalls], calls[procs], executed[blocks]'
    echo 'for s in syscalls { before s n[s]++ }
        for p in procs { before p calls[p]++ }  for b in blocks { before b executed[b]++ }'
    echo 'report "named.out" for s in syscalls where n[s] > 0 "Name" s.name, "Calls" n[s]'
    echo 'report "grouped.out" for b in blocks where executed[b] > 0 grouped by b.proc
        "Name" b.proc.name, "Executed" executed[b], "%" percent executed[b]'
    echo 'report "several.out" for b in blocks grouped by b.proc.file, b.line, b.proc "Executed" executed[b]'
    echo 'report "unsaid.out" for p in procs grouped by p.name == "main" "Calls" calls[p]'
} >page.atd
"$ATOMC" page.atd program -o instrumented
run a 1
run b "2 3"
compare_rows "places"
