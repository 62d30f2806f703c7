# keys: counters by keys and by thread against the program's own records, with threads, signals, longjmp and fork;
# limits; lines that are printed; several tools at once; the same in C.
cp "$tests"/keys/* .
alpha program program.c -g -pthread
alpha queens "$top/docs/examples/queens.c" -g


for flags in "" --call=wrapper; do
    instrument instrumented $flags keys.atd program
    ATOMC_OUT=out qemu instrumented >ticks
    ticks=$(cat ticks)
    total=$((32002 + ticks))
    prints "called$flags" cat out/called <<END2
Name	Calls
(invalid)	1
a long "name"	1
alpha	8000
beta	8000
delta	8000
gamma	8000
signal	$ticks
total	$total
END2
    prints "chosen$flags" cat out/chosen <<END2
Name	Calls	Is it
alpha	8000	1
gamma	8000	0

Name	Differs
delta	1
gamma	0
END2
    awk 'BEGIN { print "Name\tNumber\tCalls"; split("al be de ga", names, " ")
        for (n = 1; n <= 4; n++) for (i = 0; i < 10; i++) print names[n] "\t" i "\t" 800 }' >expected
    same "pairs$flags" expected out/pairs
    prints "numbers$flags" awk 'NR < 5 || /total/' out/numbers <<END2
Number	Calls
0	3200
1	3200
2	3200
total	$total
END2
    check "threads$flags" "awk -F'\t' '\$1 ~ /^[1-9]/ && \$2 >= 4000 && \$2 == \$4 && \$3 == 0 { n++ } /^total/ { t = \$2 }
        END { exit !((n == 8 || n == 9) && t == $total) }' out/threads" out/threads
    prints "durations$flags" cat out/durations <<END2
From	Calls
0	3200
1	3200
2	6400
4	12800
8	6400
total	32000
END2
    prints "sums$flags" cat out/sums <<END2
All	Kept	Late	Lost
$total	32000	32000	0
END2
    check "cells$flags" "[ \$(awk '/^total/ { print \$2 }' out/cells) = 32000 ] && [ \$(wc -l <out/cells) = 12 ]" out/cells
    prints "other$flags" cat out/other out/least out/jumped <<END2
Process	Calls
1	$total
Name	Least
ring	77
work	-1
Name	Calls
jump	5
jumped	5
END2
    check "kernel$flags" "[ \$(awk '/^total/ { print \$2 }' out/kernel) = $total ]" out/kernel
done

# Keys that are known for each place: counted in cells, and by the runtime, with the same rows.
constant() { # NAME RUN...
    mkdir "$1"
    ATOMC_OUT=$1 "${@:2}" >/dev/null
    for table in nested some left gone sampled both; do
        for child in '' .1; do
            check "$1/$table$child" "[ \$(wc -l <$1/$table$child) -gt 1 ] && cmp $1/cleared_$table$child $1/$table$child" "$1/$table$child"
        done
    done
    # Two threads may have updated before either reads: how many have seen more than three is not the same in each run.
    prints "$1/early" sed '1,2d;/^$/d' "$1/early" <<'END2'
Key	Read
jumped	5
work	4002
Key	Removed
kept	4007
Key	Cleared
Key	Zero
jumped	0
work	0
END2
    check "$1/rows" "[ \$(awk '\$2 == \"work\" { print \$1 }' $1/rows | sort -u | wc -l) -ge 2 ]" "$1/rows"
}
alpha few program.c -g -pthread -DCALLS=500
instrument instrumented constant.atd few
constant constant qemu instrumented
alpha-linux-gnu-gcc -O2 -g -pthread -DCALLS=500 program.c -o few.dynamic
instrument instrumented --objects=all constant.atd few.dynamic
constant constant.dynamic "$QEMU" -L /usr/alpha-linux-gnu instrumented
if command -v aarch64-linux-gnu-gcc >/dev/null && command -v "$QEMU_AARCH64" >/dev/null; then
    aarch64-linux-gnu-gcc -O2 -g -static -pthread -DCALLS=500 program.c -o few.aarch64
    instrument instrumented constant.atd few.aarch64
    constant constant.aarch64 timeout "$RUN_TIMEOUT" "$QEMU_AARCH64" instrumented
else
    skipped constant.aarch64 "no compiler, or no emulator, for AArch64"
fi

# The first key that is updated has the row, although others are known before.
cat >first.atd <<'END2'
tool first "more static keys than there is room for"
counter calls[string] limit 1
for p in procs where p.name in ("is_safe", "place", "main") { before p calls[p.name]++ }
report "-" for row in calls "Name" row.key, "Calls" row.count
END2
instrument instrumented first.atd queens
"$QEMU" instrumented >out.text 2>err
prints first tail -n 2 out.text <<END2
main	1
(other)	1047
END2
prints first/said cat err <<END2
atomc: 'calls' has its limit of 1 keys: 1047 updates of others are in one row, (other)
END2

# Keys beyond the limit are one row, and are reported; in all formats.
instrument instrumented limits.atd queens
"$QEMU" instrumented >out.text 2>err
prints limits cat out.text <<END2
4 ways
Row	Twice	Hex	Calls
0	0	0x0	6
10	20	0xa	36
20	40	0x14	120
(other)	(other)	(other)	732
total			894
Word	Row	Calls
(other)	(other)	1464
row	2	240
row	1	72
row	0	12
Row	Calls	All
0	2	6
1	12	36
2	40	120
(other)	244	732
END2
prints limits/said sort err <<END2
atomc: 'calls' has its limit of 3 keys: 732 updates of others are in one row, (other)
atomc: 'names' has its limit of 3 keys: 732 updates of others are in one row, (other)
atomc: 'sizes' has its limit of 3 keys: 732 updates of others are in one row, (other)
END2
ATOMC_FORMAT=json "$QEMU" instrumented >out.json 2>err
prints limits/json head -n 6 out.json <<END2
4 ways
{"tool": "limits", "report": "-", "rows": [
{"Row": 0, "Twice": 0, "Hex": "0x0", "Calls": 6},
{"Row": 10, "Twice": 20, "Hex": "0xa", "Calls": 36},
{"Row": 20, "Twice": 40, "Hex": "0x14", "Calls": 120},
{"Row": "(other)", "Twice": "(other)", "Hex": "(other)", "Calls": 732}], "total": {"Calls": 894}}
END2
ATOMC_FORMAT=rows ATOMC_OUT=rows "$QEMU" instrumented >/dev/null 2>err
prints limits/rows sed 1d rows/limits.2.rows <<END2
["(other)",null,1464]
["row",2,240]
["row",1,72]
["row",0,12]
{"end":true,"rows":4}
END2
check limits/keys \
    "grep -q '\"title\":\"Row\",\"type\":\"integer\",\"role\":\"key\".*\"role\":\"measure\",\"merge\":\"sum\"' \
        rows/limits.2.rows" rows/limits.2.rows
instrument instrumented limits.atd -D most=100 queens
"$QEMU" instrumented >out.text 2>err
check limits/enough "grep -q '^50.*240' out.text && [ ! -s err ]" err

# Lines from threads are complete, in the order of each thread, and equal to C's; limits are respected and reported.
instrument instrumented print.atd program
rm -rf out
ATOMC_OUT=out "$QEMU" instrumented >ticks 2>err
check print/lines "[ \$(wc -l <out/lines) = 32000 ] && ! grep -vE '^work [0-9] (alpha|beta|gamma|delta)\$' out/lines" out/lines
check print/file "qemu instrumented >/dev/null 2>&1 && cmp lines out/lines >/dev/null || [ \$(wc -l <lines) = 32000 ]" err
prints print/formats cat out/few <<END2
[    3|3    |00003|+3|3eb|077|2EE0|d|003|%|     del|work   |]
[    3|3    |00003|+3|3eb|077|2EE0|d|003|%|     del|work   |]
END2
prints print/ends cat out/ends <<END2
the end
(invalid) 1 0.00 0
a	long "name" 1 0.50 0.5
the end
END2
check print/limit "[ \$(wc -l <out/results) = 50 ]" out/results
prints print/said sort err <<END2
atomc: print.atd:10: 6350 lines were not printed: the limit is 50
atomc: print.atd:7: 78 lines were not printed: the limit is 2
END2

# Calling contexts, against the program's own records: recursion, longjmp, exceptions, a handler, threads; statically
# linked and, with its libraries, dynamically.
alpha contexts contexts.cc -O1 -g -std=c++17 -pthread
shared contexts.dynamic contexts.cc -O1 -g -std=c++17 -pthread
own_contexts() { # below calls from the C library
    sed -E 's/(proc_at_|[^;\t]*\+)0x[0-9a-f]*;//g; s/^[^\t]*(start_thread|main);//; s/(raises;)([^;\t]*raise|[^;\t]*pthread_kill[^;\t]*|[^;\t]*gsignal)(;[^;\t]*pthread_kill[^;\t]*)*;/\1/' |
        awk -F'\t' '{ n[$1] += $2 } END { for (k in n) print k "\t" n[k] }' | LC_ALL=C sort
}
instrument instrumented contexts.atd contexts
ATOMC_OUT=out "$QEMU" instrumented | LC_ALL=C sort >noted
check contexts/plain "qemu contexts | LC_ALL=C sort | cmp - noted && [ \$(wc -l <noted) -ge 15 ]" noted
own_contexts <out/contexts >found
same contexts noted found
same contexts/return out/contexts out/inside
# Values that only the runtime has, passed to C, which counts them as the page does.
for flags in "" --without=all --call=wrapper "-t prof"; do
    instrument instrumented $flags passed.atd contexts
    rm -rf out
    ATOMC_OUT=out qemu instrumented 2>error | LC_ALL=C sort >printed
    same "passed$flags/program" noted printed
    check "passed$flags/right" "[ ! -s error ] && [ \$(wc -l <out/seen) -gt 1000 ] && [ \$(wc -l <out/depths) -gt 5 ]" error
    for table in seen depths late; do
        check "passed$flags/$table" "[ -s out/$table ] && cmp <(LC_ALL=C sort out/$table) <(LC_ALL=C sort out/$table.c)"
    done
done
# The same with signals at any time, handlers that are left by siglongjmp, threads that are cancelled, and forks.
alpha threads "$tests/data/inlined_threads.c" -g -pthread
instrument instrumented -D name= -D "file=*inlined_threads.c" passed.atd threads
for way in joined jump cancel fork; do
    rm -rf out
    ATOMC_OUT=out qemu instrumented $way 5 >printed 2>error || true
    check passed/$way "[ ! -s error ] && [ -s out/seen ]" error
    for table in seen depths late; do
        awk -F'\t' -v OFS='\t' '{ n = $NF; sub(/\t[^\t]*$/, ""); sum[$0] += n }
            END { for (k in sum) print k, sum[k] }' out/$table.c |
            LC_ALL=C sort >found
        check passed/$way/$table "cmp <(LC_ALL=C sort out/$table) found"
    done
done
# The procedure itself is in the context from its entry to its return, even if it was there before.
alpha deep deep.c
for flags in "" --without=all; do
    instrument instrumented $flags deep.atd deep
    ATOMC_OUT=out qemu instrumented >found 2>&1
    sed -i 's/_start.*main;\(raise;[^;]*;\)*//' found
    cat >expected <<'END2'
down
down;leaf
after down;leaf
down;down
down;down;leaf
after down;down;leaf
down;down;down
down;down;down;leaf
after down;down;down;leaf
after down;down;down
after down;down
after down
handler
handler;leaf
after handler;leaf
after handler
END2
    same "deep$flags" expected found
    sed -i 's/_start.*main;\(raise;[^;]*;\)*//' out/seen out/at_return
    sed -n 's/^after \(.*\)/\1 1/p' expected | LC_ALL=C sort >ends
    same "deep/after$flags" ends <(LC_ALL=C sort out/seen)
    same "deep/return$flags" ends <(LC_ALL=C sort out/at_return)
done

# Later actions of a statement see the effects of earlier ones, whether the site or the runtime executes it.
sed 's/ when $none.7. == 0//' order.atd >in-place.atd
for tool in in-place order; do
    for flags in "" --without=all; do
        instrument instrumented $flags $tool.atd deep
        ATOMC_OUT=$tool$flags qemu instrumented >/dev/null
    done
done
prints order/sums head -n 2 in-place/order <<'END2'
n	m	Seen	Not seen	Greatest	Least	Cells	Places
35	34	7	0	77	77	10	16
END2
for found in order order--without=all in-place--without=all; do
    same "order/$found" in-place/order $found/order
done

instrument instrumented --objects=all contexts.atd contexts.dynamic
ATOMC_OUT=out "$QEMU" -L /usr/alpha-linux-gnu instrumented | LC_ALL=C sort >noted.dynamic
same contexts/dynamic noted noted.dynamic
own_contexts <out/contexts >found
same contexts/libraries noted found

# The same in C, with another tool beside it.
instrument instrumented pairs.atd -t prof queens
qemu instrumented >/dev/null
check pairs \
    "[ \$(wc -l <pairs.c.out) -gt 30 ] && cmp pairs.out pairs.c.out && cmp pairs.out pairs.copied.out && [ -s prof.out ]" \
    pairs.out
