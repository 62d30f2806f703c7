# annotate: the source with the counts of each line: no count is lost or printed twice, for one run or several, with and
# without the source.
. "$tests/lib/dynamic.sh"
mkdir code
cat >code/turns.c <<'END'
#include <stdio.h>

__attribute__((noinline)) static long work(long n) {
    volatile long sum = 0;
    for (long i = 0; i < n; i++)
        sum += i;
    return sum;
}

/* Nothing is executed
   for as long
   as this
   comment
   takes. */

__attribute__((noinline)) long never(long n) { return n + 1; }
int main(int count, char **words) {
    if (count > 5)
        printf("%ld %s\n", never(count), words[1]);
    return work(1000) == 499500 ? 0 : 1;
}
END
(cd code && shared ../turns turns.c -g -O1)
cat >calls.atd <<'END'
tool calls "calls and turns at lines"
counter calls[insts], turns[loops]
for i in insts where i.is_call and i.line > 0 { before i calls[i]++ }
report "calls.out" for i in insts where calls[i] > 0 "Calls" calls[i], "File" i.file, "Line" i.line
END
instrument called calls.atd turns
instrument blocks -t pixie turns
instrument procedures -t prof turns
for n in 1 2; do
    ATOMC_FORMAT=rows ATOMC_OUT=run$n qemu -L "$libraries" blocks
done
ATOMC_FORMAT=rows ATOMC_OUT=calls qemu -L "$libraries" called
ATOMC_FORMAT=rows ATOMC_OUT=both qemu -L "$libraries" called
cp run1/*.rows both
ATOMC_FORMAT=rows ATOMC_OUT=counted qemu -L "$libraries" procedures
shown() { "$ATOMC" annotate "$@" | sed 's|^code/||'; }
prints calls shown calls --source=code <<'END'
turns.c: 1 Calls, 100.00 %
Calls       %    Line
...
                   18      if (count > 5)
                   19          printf("%ld %s\n", never(count), words[1]);
    1  100.00      20      return work(1000) == 499500 ? 0 : 1;
                   21  }

END
# Sums: the sum over all lines equals the table's sum; for two runs it is twice that of one; including omitted lines.
sum_of() { awk '$1 ~ /^[0-9,]+$/ && $3 ~ /^[0-9]+[.][0-9][0-9]$/ { gsub(",", ""); executed += $1; instructions += $2 }
    END { print executed, instructions }'; }
"$ATOMC" annotate run1 --source=code --whole >whole
check whole "[ \"\$(sum_of <whole)\" = \"\$(bash '$tests/lib/line_sums.sh' run1/pixie.1.rows)\" ]" whole
"$ATOMC" annotate run1 run2 --source=code --whole >twice
check twice "[ \"\$(sum_of <twice)\" = \"\$(sum_of <whole | awk '{ print 2 * \$1, 2 * \$2 }')\" ]" twice
check lines "[ \$(grep -c '[ ][0-9][0-9]*  ' whole) -ge 21 ] && grep -q 'as this' whole" whole
"$ATOMC" annotate run1 --source=code >found
check threshold "grep -q '^\\.\\.\\.\$' found && ! grep -q 'as this' found && grep -q 'sum += i' found" found
shown run1 --source=code --by=Instructions --threshold=50 >found
check by "grep -q '^turns.c: [0-9,]* Instructions' found && grep -q 'sum += i' found &&
    ! grep -q 'noinline)) long never' found" found
"$ATOMC" annotate run1 --source=code --file=other >found
check other "! grep -q 'turns.c' found" found
shown --width=60 run1 --source=code >found
check width "awk 'length > 60 { exit 1 }' found" found
(cd code && "$ATOMC" annotate ../run1) >here
"$ATOMC" annotate run1 --source=code >found
check here "diff here <(sed 's|^code/||' found)"
# Without the source: the lines' numbers, and a note.
mv code gone
status=0
"$ATOMC" annotate calls >found 2>said || status=$?
check no-source "[ $status = 0 ] && grep -q '^    1  100.00      20' found &&
    grep -q 'turns.c: this source file cannot be found' said && grep -q -e '--source=FOLDER' said" found said
mkdir cut && head -3 gone/turns.c >cut/turns.c
"$ATOMC" annotate calls --source=cut >found
check short "grep -q '^    1  100.00      20' found" found
mv gone code
. "$tests/lib/stanzas.sh"
stanzas "$tests/stanzas/annotate.txt"
"$ATOMC" annotate both --report=calls --source=code >found
check report "grep -q '1 Calls' found" found
"$ATOMC" annotate run1 --source=code -o written
check output "diff written <('$ATOMC' annotate run1 --source=code)" written
