# sums: amounts that C routines add to a variable at each call are counted by the flow of control, if no code can
# observe this; results equal those of additions at their own places.
cp "$tests"/sums/* .
alpha plain "$tests/data/interrupts.c"
printf '#define %s\n' DECLARE DEFINE PRINT >variant.h

# ---- the same results, whatever interrupts the program

for how in default poison without=placement call=wrapper without=promotion; do
    instrument $how -v $([ $how = default ] || echo --$how) sums.atd plain
done
taken=$(statistic default.log "sums turned into counters")
check taken-out "[ $taken -gt 10000 ] && [ $(statistic default.log 'counter updates derived') -gt $((taken * 9 / 10)) ] &&
    [ $(statistic without=placement.log 'sums turned into counters') = 0 ] &&
    [ $(statistic default.log 'text bytes copied') -lt $(statistic without=placement.log 'text bytes copied') ]" default.log
hows="poison without=placement call=wrapper without=promotion"
for mode in fault skip crash; do
    run_program expected program default "" "" -- $mode
    check $mode "grep '[1-9]' expected/files/sums"
    for how in $([ $mode = fault ] && echo "$hows" || pick without=placement "$hows"); do
        run_program found program $how "" "" -- $mode
        same_results $mode-$how expected found
    done
done
# Interrupted anywhere: no more is lost than each jump interrupts.
for how in default poison without=promotion; do
    run_program found program $how "" "" -- jump 400
    check jump-$how "awk -v most=$(tail -n 1 found/files/jumped) 'function far(a, b) { return a - b > most || b - a > most }
        { exit \$1 < 1000 || far(\$1, \$2) || far(\$1, \$3) || most < 1 }' found/files/sums" found/files/sums
done

# ---- where somebody may see it

# The definitions of a variant in C, and a statement of its own. SUMS: the first variant's are all taken out, or none of
# `references`.
within=$(pick "^(main|work|leaf|touch|[a-i])" ".*") all=$(pick 5000 $taken)
while IFS='|' read -r test sums declare define print statement; do
    printf '#define %s %s\n' DECLARE "$declare" DEFINE "$define" PRINT "$print" >variant.h
    echo "$statement" | cat sums.atd - >variant.atd
    for how in made derived; do
        instrument $how -v -D "within=$within" $([ $how = derived ] || echo --without=placement) variant.atd plain
        run_program ran-$how program $how "" "" -- fault
    done
    lines=$(statistic derived.log "sums turned into counters")
    check "$test" "[ $lines $([ "$sums" = all ] && echo -ge $all || echo -lt $none) ] && grep '[1-9]' ran-made/files/sums" \
        derived.log
    same_results "$test/results" ran-made ran-derived
    if [ "$test" = nobody ]; then
        # Some references are in load-locked sequences, which nothing is taken out of.
        all=$lines none=$((lines - $(sed -n 's/^ *\([0-9]*\) of Reference.*/\1/p' derived.log) + 1000))
    fi
done <<'END'
nobody|all||||
volatile-print|all|||fprintf(file, "%ld\n", references * 2);|
helper|none||__attribute__((noinline, noclone)) static long get(void) { return references; }|fprintf(file, "%ld\n", get());|
pointer|none|static long *where = &references; long **there = &where;||fprintf(file, "%ld\n", **there);|
peek|none|static long seen;|void Peek(void) { seen += references; }|fprintf(file, "%ld\n", seen);|for p in procs { before p call Peek() }
start|none||void Start(void) { references = 7; }||before program call Start()
at-exit|none|void Print(void);|void Start(void) { atexit(Print); }||before program call Start()
together|all||||for p in procs where p.name == "main" { before p call Add(1), call Keep(1) }
constructor|none||__attribute__((constructor)) static void begin(void) { references = 5; }||
END

# Sums of values in an array that ATOM's interface passes. (Programs without faults: dyninst detects how far a block has
# been executed.)
alpha queens "$top/docs/examples/queens.c"
instrument arrays queens "$tests"/atom/kit/dyninst.{inst,anal}.c
instrument blocks -t dyninst queens # names are equally long
qemu arrays >log
qemu blocks >log
check arrays "grep -q total kit.out && [ \"\$(sed -n 's/^total //p' kit.out)\" = \
    \"\$(awk '\$1 == \"total\" { print \$3, \$2, \$4, \$5, \$6 }' dyninst.out)\" ]"

# ---- a slow path that ends the program: the counts up to there are the same, derived or not
cat >ends.atd <<'END'
tool ends "a slow path that ends the program"
analysis "ends.c"
counter executed[blocks]
for b in blocks {
    before b    executed[b]++
}
for i in insts where i.reads_memory or i.writes_memory {
    before i    call Reference($addr)
}
report "ends.out" for b in blocks where executed[b] > 0 "PC" hex b.pc, "Times" executed[b]
END
cat >ends.c <<'END'
#include <stdlib.h>
static unsigned long recent[8], lines[4], slow;
static void search(unsigned long line) {
    int i = 0;
    while (i < 3 && lines[i] != line)
        i++;
    for (; i > 0; i--)
        lines[i] = lines[i - 1];
    lines[0] = recent[line % 8] = line;
    if (++slow == 300)
        exit(3);
}
void Reference(unsigned long address) {
    if (recent[address / 32 % 8] != address / 32)
        search(address / 32);
}
END
for how in made derived; do
    instrument $how $([ $how = derived ] || echo --without=placement) ends.atd queens
    cp $how ended && qemu -0 ended ended >/dev/null 2>&1 || true # names of one length, because the C library reads them
    mv ends.out ends.$how
done
same ends/results ends.made ends.derived
