# children: counts of a child of fork begin at the fork, and its files have its number: the counts equal the program's
# own, for all ways of counting.
alpha plain "$tests/data/children.c"
cat >children.atd <<'END'
# children: calls of work() and its greatest argument, and the length of its loop; assigned values are kept, and are not
# counted.
tool children "what each process does"
counter calls, most, latest
histogram arguments log2
set blocks_of_work = block b where b.proc.name == "work"
counter executed[blocks_of_work]
for p in procs where p.name == "work" {
    before p            calls++, most max= $a0, latest = $a0, arguments << $a0
}
for b in blocks_of_work {
    before b            executed[b]++
}
report "children.out" "Calls" calls, "Most" most
report "by.%p" for b in blocks_of_work where executed[b] > 0 "PC" hex b.pc, "Times" executed[b]
report "children.sums" as calls
report "children.sums" for b in arguments as b.count
END
for switches in "" --without=placement --without=promotion; do
    rm -f children.out* children.sums* by.*
    # shellcheck disable=SC2086
    instrument instrumented children.atd -t prof $switches plain
    qemu instrumented | sort >expected
    for file in children.out*; do
        echo "$file $(tail -n 1 "$file" | tr '\t' ' ')"
    done | sort >found
    same "own$switches" expected found
    # Each child's histogram has as many values as there were calls; with %p, names have no other number.
    for file in children.sums*; do
        awk 'NR == 1 { calls = $1; next } { sum += $1 } END { exit sum != calls }' "$file" || echo "$file"
    done >wrong
    check "sums$switches" "[ ! -s wrong ] && [ \$(ls children.sums* | wc -l) = 6 ] &&
        [ \$(ls by.* | wc -l) = 6 ] && [ ! -e by.*.1 ]" wrong
    for file in prof.out*; do
        sed '/_dl_get_origin/d; /^total/d' "$file" | cut -f1,2 >"${file/prof/counts}$switches"
    done
done
for file in counts.out counts.out.1 counts.out.2 counts.out.2.1 counts.out.3 counts.out.4; do
    check "prof/$file" "[ \$(wc -l <$file) -gt 3 ] && cmp $file $file--without=placement && cmp $file $file--without=promotion"
done
# Tools in C count from the fork on if they implement this: their variables, the page's counters, and results of both.
cat >counting.atd <<'END_OF_PAGE'
# counting: the same in C.
tool counting "what each process does, counted in C"
analysis "children_tool.c"
counter passed, amounts, forked
for p in procs where p.name == "work" {
    before p            call Call()
    before p            call Work($a0), passed++, amounts += $a0
}
on fork                 call Forked("at.fork"), forked++
after program           call Print("counted.out", passed, amounts, forked)
END_OF_PAGE
cp "$tests/data/children_tool.c" .
for switches in "" --call=wrapper --without=placement; do
    rm -f counted.out* at.fork*
    # shellcheck disable=SC2086
    instrument instrumented counting.atd -t prof $switches plain
    qemu instrumented | sort | sed 's/children/counted/' >expected
    for file in counted.out*; do
        echo "$file $(tail -n 1 "$file" | tr '\t' ' ')"
    done >rows
    awk '{ print $1, $2, $3 }' rows | sort >found
    same "c$switches" expected found
    # Each child has called Forked once for each level, for its parents' calls too.
    awk '{ n = split($1, parts, "."); if ($2 != $4 || $5 != 0 || $6 != n - 2 || $7 != (n > 2)) print }' rows >wrong
    check "c-counters$switches" "[ ! -s wrong ] && [ \$(wc -l <rows) = 6 ]" wrong
done
# The parent's counts at the fork: for the first child, which was made after one call.
check c-before "[ \"\$(tail -n 1 at.fork.1 | tr '\\t' ' ')\" = '1 1000 1000' ]" at.fork.1
# A sum in C that is made a counter of the engine's: in a program that has no threads, and forks by itself.
cp "$tests/data/sum_tool.c" .
cat >sum.atd <<'END'
tool sum "calls, in C"
analysis "sum_tool.c"
for p in procs where p.name == "work" {
    for b in p.blocks { before b call Call() }
}
on fork                 call Forked("at.out")
after program           call Print("own.out")
END
alpha own "$tests/data/own_fork.c"
for switches in "" --without=placement; do
    rm -f own.out* at.out*
    # shellcheck disable=SC2086
    instrument summed -v sum.atd $switches own
    qemu summed | sort >expected
    for file in own.out*; do echo "$file $(tail -n 1 "$file")"; done >found
    same "sums-own$switches" expected found
    check "sums-before$switches" "[ \"\$(tail -qn 1 at.out* | paste -s -d ' ')\" = '100 10' ]"
    check "sums-made$switches" "grep -q 'sums turned into counters *$([ "$switches" ] && echo 0 || echo '[1-9]')' summed.log" \
        summed.log
done
# Stock tools in C: each child's counts equal those of tools without C.
cat >refs.atd <<'END_OF_PAGE'
tool refs "loads, stores and instructions of each process, without C"
counter loads, stores, instructions
for i in insts where i.reads_memory or i.writes_memory { before i loads += i.is_load, stores += i.is_store }
for b in blocks { before b instructions += b.ninsts }
report "refs.out" "Loads" loads, "Stores" stores, "Instructions" instructions
END_OF_PAGE
cat >writes.atd <<'END_OF_PAGE'
tool writes "writes of each process, without C"
counter writes
for c in insts where c.class == pal and (c.word & 0x3ffffff) == 0x83 { before c when $v0 == 4 writes++ }
report "writes.out" "Writes" writes
END_OF_PAGE
rm -f ./*.out*
# Of five tools, in the program itself: to instrument the C library by them takes 12 s. System calls are made in the library,
# and most values are loaded there.
shared moving "$tests/data/children.c"
instrument instrumented refs.atd -t cache -t dtb -t memsys -t hiprof -t gprof moving
instrument calling writes.atd -t io -t syscall -t "values" plain
ATOMC_FORMAT=csv qemu -L /usr/alpha-linux-gnu instrumented >log
ATOMC_FORMAT=csv qemu calling >log
sum() { # FILE COLUMN: by its name
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } at { sum += $at }
        END { print sum + 0 }' "$1"
}
for file in refs.out*; do
    child=${file#refs.out}
    read -r loads stores instructions writes <<<"$(tail -qn 1 "$file" "writes.out$child" | paste -s -d ' ' | tr ',' ' ')"
    echo "${child:-first} $loads $stores $instructions $writes"
    for tool in cache dtb; do echo "$tool$child $(sum $tool.out$child Loads) $(sum $tool.out$child Stores)"; done
    echo "memsys$child $(sum memsys.out$child Loads) $(sum memsys.out$child Stores) $(sum memsys.out$child Instructions)"
    for tool in hiprof gprof; do echo "$tool$child $(sum $tool.out$child Instructions)"; done
    for tool in io syscall; do
        [ $tool = io ] && column=Writes || column=Calls
        echo "$tool$child $(awk -F, -v tool=$tool 'tool == "io" || $1 == "write"' $tool.out$child |
            cat <(head -n 1 $tool.out$child) - | awk '!seen[$0]++' >part && sum part $column)"
    done
done >sums
awk 'NF == 5 { loads = $2; stores = $3; instructions = $4; writes = $5; child = $1; n++; next }
    /^(cache|dtb|memsys)/ && ($2 != loads || $3 != stores) { print }
    /^memsys/ && $4 != instructions { print }
    /^(hiprof|gprof)/ && $2 != instructions { print }
    /^(io|syscall)/ && $2 != writes { print }
    END { if (n < 5) print "children are missing" }' sums >wrong
check stock "[ ! -s wrong ] && [ \$(wc -l <sums) = 48 ]" sums
check stock-values "[ \$(sum values.out.1 Times) -gt 100 ] &&
    [ \$(sum values.out.1 Times) -lt \$((\$(sum values.out Times) / 2)) ]"
# dynmem: a child begins with the allocated blocks; bbv: with an interval of its own, and all instructions of each
# process are in its lines.
cat >heap.c <<'END_OF_C'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static char *volatile blocks[4];
int main(void) {
    for (int i = 0; i < 4; i++)
        memset(blocks[i] = malloc(1000), i, 1000);
    free(blocks[0]);
    if (fork() == 0) {
        free(blocks[1]);
        memset(blocks[1] = malloc(50), 1, 50);
        return 0;
    }
    wait(NULL);
    return 0;
}
END_OF_C
alpha heap heap.c -g
instrument instrumented refs.atd -t dynmem -t bbv -D bbv.interval=1000 heap
rm -f ./*.out*
qemu instrumented
for file in dynmem.out dynmem.out.1; do awk -F'\t' '$1 == "main" { print $4, $5, $6, $7, $8, $9, $10 }' $file | sort; done >found
printf '%s\n' "4 4000 1 1000 3 3000 4000" "1 50 0 0 1 50 50" "3 3000 1 1000 2 2000 3000" >expected
same dynmem expected found
for child in "" .1; do
    awk '/^T/ { for (i = 1; i <= NF; i++) { n = split($i, part, ":"); sum += part[n] } } END { print sum }' bbv.out$child
    tail -n 1 refs.out$child | cut -f3
done | paste -s -d ' ' >sums
check bbv "read -r a b c d <sums && [ \$a = \$b ] && [ \$c = \$d ] && [ \$c -gt 100 ] &&
    [ \$(wc -l <bbv.out.1) -lt \$(wc -l <bbv.out) ]" sums
# A fork in a handler that interrupted a system call: the call belongs to the code before it, also with a site after it;
# if the handler jumps away, it was made, too.
cat >behind.atd <<'END_OF_PAGE'
tool behind "instructions, and calls that came back"
counter instructions, each, back
for b in blocks { before b instructions += b.ninsts }
for i in insts { before i each++ }
for c in insts where c.class == pal and (c.word & 0x3ffffff) == 0x83 { after c back++ }
report "behind.out" "Instructions" instructions, "Each" each
END_OF_PAGE
alpha forking "$tests/data/fork_in_handler.c"
for switches in "" $(pick "" --without=placement); do
    rm -f ./*.out*
    # shellcheck disable=SC2086
    instrument instrumented behind.atd -t hiprof $switches forking
    ATOMC_FORMAT=csv qemu instrumented
    for child in "" .1 .2; do
        echo "$(sum "behind.out$child" Instructions) $(sum "behind.out$child" Each) $(sum "hiprof.out$child" Instructions)"
    done >sums
    check "in-handler$switches" "[ \$(wc -l <sums) = 3 ] && awk '\$1 < 100 || \$2 != \$1 || \$3 != \$1 { exit 1 }' sums" sums
done
