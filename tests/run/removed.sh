# removed: delete and clear against the program's own records, with threads, signals and a child; limits; faults.
cp "$tests"/removed/* .
shared program program.c -O1 -g -pthread
for flags in "" --call=wrapper; do
    instrument instrumented $flags removed.atd program
    rm -rf out
    ATOMC_OUT=out qemu -L /usr/alpha-linux-gnu instrumented child >all
    sort -n all >expected
    cut -f 1,3,4 expected >expected.calls
    cut -f 1 expected >expected.keys
    check "records$flags" "[ \$(wc -l <expected) -gt 500 ] && [ \$(wc -l <child) -gt 100 ]" expected
    cut -f 1-3 out/calls >found
    same "calls$flags" expected.calls found
    awk -F'\t' '{ print $1 "\t" $2 }' out/calls >counts
    same "histogram$flags" counts <(cut -f 1,4 out/calls)
    cut -f 2,3 expected | sort >expected.names
    same "strings$flags" expected.names <(sort out/named)
    cut -f 1-3 expected >expected.pairs
    same "pairs$flags" expected.pairs <(sort -n out/pairs)
    same "most$flags" expected.keys <(cut -f 1 out/most)
    awk -F'\t' '$2 >= 2' counts >expected.late
    same "late$flags" expected.late out/late
    check "cleared$flags" "[ ! -s out/few ]" out/few
    # Two phases of four threads. The key 3 was deleted at the end of each turn; rows 0 and 2 were cleared in between.
    awk 'BEGIN { for (t = 0; t < 8; t++) for (k = 0; k < 10; k++) if (k != 3) print k "\t" (t % 2 ? 600 : 200 - (k == 0)) }' |
        sort -n >own
    same "threads$flags" own <(sort -n out/own)
    child=$(ls out | grep '^calls\.[0-9]')
    sort -n child | cut -f 1,3,4 >expected.child
    same "child$flags" expected.child <(cut -f 1-3 "out/$child")
done

shared few few.c -O1 -g
instrument instrumented limit.atd few
qemu -L /usr/alpha-linux-gnu instrumented >found 2>said
prints limit cat found <<'END2'
Key	Calls
2	2
5	1
(other)	3
END2
prints limit/said cat said <<'END2'
atomc: 'calls' has its limit of 2 keys: 3 updates of others are in one row, (other)
END2
qemu -L /usr/alpha-linux-gnu instrumented all >found 2>said
prints limit/cleared cat found said <<'END2'
Key	Calls
6	1
END2
# In the line `total`, a quotient is that of the sums. One print with two lines counts once for its limit.
instrument instrumented rates.atd few
qemu -L /usr/alpha-linux-gnu instrumented >found 2>said
prints rates cat found <<'END2'
Key	Even	Calls	Per cent	Mean
1	0	1	0.00	0.00
2	2	2	100.00	1.00
3	0	1	0.00	0.00
4	1	1	100.00	1.00
5	0	1	0.00	0.00
6	1	1	100.00	1.00
total	4	7	57.14	0.57
END2
prints rates/lines cat lines said <<'END2'
added
  2
atomc: rates.atd:5: 1 lines were not printed: the limit is 1
END2
instrument instrumented lengths.atd few
prints lengths qemu -L /usr/alpha-linux-gnu instrumented <<'END2'
Calls	Its part
3	1
END2
