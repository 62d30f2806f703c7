# series: reports that are written while the program runs: at each multiple of a counter, exactly the counts up to then,
# in all formats, with threads and after forks; after each period of time; and the program's behaviour is unchanged.
alpha plain "$tests/data/terminal.c"
cat >series.atd <<'END'
# series: calls, every 10,000 of them, and every millisecond.
tool series "calls as time goes by"
set own = proc p where p.name == "main" or p.name == "second" or p.name == "third"
counter calls[own], all
for p in own {
    before p            calls[p]++, all++
}
every 10000 of all report "series.out" for p in own where calls[p] > 0 sorted by p.name "Name" p.name, "Calls" calls[p] total
every 1 ms report "timed.out" "All" all
END
# The program's calls are main, and 1,000 times second with 40 of third.
state() { # NUMBER OF CALLS
    local second=$((($1 - 1 + 40) / 41))
    printf '%s\t%s\t%s\n' "$1" main 1 "$1" second $second "$1" third $(($1 - 1 - second))
}
states() {
    printf 'all\tName\tCalls\n'
    for calls in 10000 20000 30000 40000 41001; do state $calls; done
    printf 'total\t\t41001\n'
}
states >expected
for switches in "" --without=placement --call=wrapper --without=all; do
    # shellcheck disable=SC2086
    instrument instrumented $switches series.atd plain
    rm -f series.out timed.out
    check "behaves$switches" "qemu instrumented && [ ! -s log ]" log
    same "rows$switches" expected series.out
    awk -F'\t' 'NR == 1 { next } $1 < time || $2 < all { exit wrong = 1 } { time = $1; all = $2 } END { exit wrong ||
        all != 41001 || NR < 2 }' timed.out ||
        cat timed.out >wrong
    check "times$switches" "[ ! -e wrong ]" wrong
done
instrument instrumented series.atd plain
ATOMC_FORMAT=csv qemu instrumented
tr '\t' , <expected >expected.csv
same csv expected.csv series.out
ATOMC_FORMAT=json qemu instrumented
{
    printf '{"tool": "series", "report": "series.out", "rows": ['
    sed '1d; $d' expected |
        awk -F'\t' '{ printf "%s\n{\"all\": %s, \"Name\": \"%s\", \"Calls\": %s}", (NR > 1 ? "," : ""), $1, $2, $3 }'
    printf '], "total": {"Calls": 41001}}\n'
} >expected.json
same json expected.json series.out
# Rows: the end has the file that any report has, all times another one, in which the time is the first column.
ATOMC_FORMAT=rows ATOMC_OUT=rows qemu instrumented
prints rows/files ls rows <<'END'
series.1.rows
series.2.rows
series.series.1.rows
END
sed '1d; $d' expected | awk -F'\t' '{ printf "[%s,\"%s\",%s]\n", $1, $2, $3 }' >times
jq -c 'select(type == "array") | .[:3]' rows/series.series.1.rows >found
same rows/times times found
tail -n 3 times | jq -c '.[1:]' >ends
jq -c 'select(type == "array") | .[:2]' rows/series.1.rows >found
same rows/end ends found
prints rows/header jq -c 'select(type == "object") | [.report, .columns[0], .end, .rows]' rows/series.series.1.rows <<'END'
["series.out by all",{"title":"all","type":"integer","role":"key","merge":"same","unit":"kind","attribute":"$every"},null,1]
[null,null,true,15]
END
prints rows/by_time "$ATOMC" merge --by=all rows/series.series.1.rows <<'END'
all	Calls
41001	41001
40000	40000
30000	30000
20000	20000
10000	10000
END
# Counts of several times are not added: by merge and diff not at all, by charts with the time, or for the last one.
check rows/not_added "! '$ATOMC' merge --by=Name rows/series.series.1.rows >found 2>errors && [ ! -s found ]"
prints rows/not_added_hint cat errors <<'END'
atomc: error: series.out by all has the counts of several times, which are not added
hint: --by=all,Name keeps them apart; the table series.out has those of the end
END
check rows/diff_not_added "! '$ATOMC' diff --by=Name rows/series.series.1.rows rows/series.series.1.rows >found 2>errors &&
    grep -q 'counts of several times' errors" errors
mkdir other
# Another build: its rows are compared by names and times.
sed -e '1s/"program_digest":"[^"]*"/"program_digest":"0000"/' -e 's/^\[20000,"second",488,/[20000,"second",490,/' \
    rows/series.series.1.rows >other/series.series.1.rows
check rows/one_changed "! cmp -s rows/series.series.1.rows other/series.series.1.rows"
"$ATOMC" diff --threshold=0 rows/series.series.1.rows other/series.series.1.rows >found 2>errors || true
check rows/diff "grep -q '20000.*second.*488.*490' found && grep -q '^14 rows are equal' found" found
"$ATOMC" chart rows/series.series.1.rows >found
check rows/chart "grep -q 'all 41001$' found && grep -qE '^third +40000 ' found" found
check rows/chart_processes "! '$ATOMC' chart --display='bars \"Calls\" by \"Name\"' rows/series.series.1.rows other/series.series.1.rows --force >found 2>errors &&
    grep -q 'each process has its own times' errors" errors
ATOMC_OUT=- qemu instrumented >found
grep -v -e '[.]' -e '^Seconds' found | awk '!/^all/ || !heads++' >found.series # there is one more header after rows of the other report
same streams expected found.series
# A file of rows that ends anywhere, as that of a process that was killed: all of the times before the last one, or nothing.
mkdir cut
file=rows/series.series.1.rows
"$ATOMC" merge $file | tail -n +2 | sort >whole
: >wrong
for bytes in $(seq "$(($(head -n 1 $file | wc -c) + 1))" 23 "$(($(wc -c <$file) - 1))"); do
    head -c "$bytes" $file >cut/series.series.1.rows
    "$ATOMC" merge cut/series.series.1.rows >found 2>errors || [ ! -s found ] || echo "$bytes: refused, and printed" >>wrong
    grep -q 'last line is missing' errors || echo "$bytes: nothing said" >>wrong
    last=$(tail -n +2 cut/series.series.1.rows | grep ']$' | tail -n 1 | tr -d '[' | cut -d, -f1)
    awk -F'\t' -v last="${last:-0}" '$1 < last' whole >expected.cut
    tail -n +2 found | sort | cmp -s - expected.cut || { echo "$bytes: last time $last" && cat found; } >>wrong
done
check cut "[ ! -s wrong ] && [ -s expected.cut ]" wrong
# Waits until the process has written rows of several times, or has ended.
has_written() { # PROCESS FILE
    while kill -0 "$1" && [ "$(cat "$2" 2>/dev/null | wc -l)" -lt 14 ]; do sleep 0.05; done
}
rm -rf dead
ATOMC_FORMAT=rows ATOMC_OUT=dead "$QEMU" -0 plain instrumented forever >log 2>&1 &
process=$!
has_written $process dead/series.series.1.rows
kill -KILL $process
wait $process 2>/dev/null || true
"$ATOMC" merge dead/series.series.1.rows >found 2>errors
check cut/killed "grep -q 'rows from all [0-9]*0000 on are left out' errors && [ \$(wc -l <found) -gt 7 ]" errors
awk -F'\t' 'NR > 1 { sum[$1] += $3 } END { for (time in sum) if (sum[time] != time) print time, sum[time] }' found >wrong
check cut/killed-sums "[ ! -s wrong ]" wrong
rm -f wrong
# Rows exist while the program runs: it is killed.
rm -f series.out
"$QEMU" -0 plain instrumented forever >log 2>&1 &
process=$!
has_written $process series.out
kill -KILL $process
wait $process 2>/dev/null || true
check killed "[ \$(wc -l <series.out) -gt 7 ] && [ -z \"\$(tail -c 1 series.out)\" ] && ! grep -q ^total series.out &&
    head -n 13 expected | diff - <(head -n 13 series.out)" log

# Threads: no count is lost, and rows are in order; each set of rows is written at the latest when the threads have
# reached the next multiple.
alpha threads "$top/docs/examples/threads.c" -pthread
cat >threads.atd <<'END'
# threads: calls of add, in their order.
tool threads "calls of add"
counter calls
for p in procs where p.name == "add" {
    before p            calls++
}
every 1000 of calls report "threads.out" "Calls" calls
END
instrument instrumented threads.atd threads
for run in $(seq "$(pick 3 20)"); do
    qemu instrumented >log
    awk 'NR > 1 { n++; if ($1 < last || $2 < $1 || $2 < 1000 * n && $2 != 40000) wrong = 1; last = $2 } END { exit wrong ||
        last != 40000 || n < 20 }' threads.out ||
        cp threads.out wrong
    check "threads/$run" "[ ! -e wrong ]" wrong
done

# All threads are at instructions of the program in each set of rows: for each call, the counts before and after the
# call of C at its beginning are equal. A thread waits before it counts on. So the number of a row exceeds the multiple by
# less than the number of threads.
alpha moments "$tests/data/on_signal.c" -pthread
cat >note.c <<'END'
static volatile long notes[64];
void Note(void) {
    for (int i = 0; i < 64; i++)
        notes[i]++;
}
END
cat >moments.atd <<'END'
# moments: calls of work, begun and ended.
tool moments "calls of work"
analysis "note.c"
counter begun, first[insts], each, second[insts], noted, executed, ended
for p in procs where p.name == "work" {
    before p            begun++
    before p            call Note()
    before p            noted++
    after p             ended++
    for b in p.blocks {
        before b        executed += b.ninsts
        for i in b.insts { before i each++, first[i]++, second[i]++ }
    }
}
every EACH of begun report "moments.out" "Begun" begun, "Noted" noted, "Ended" ended, "Instructions" executed, "Each" each
every 20 ms report "times.out" "Begun" begun, "Noted" noted, "Ended" ended, "Instructions" executed, "Each" each
END
calls=$(pick 50000 200000) # for each of four threads
sed -i "s/EACH/$((calls / 10))/" moments.atd
grep -v -e analysis -e 'call Note' moments.atd >without_c.atd
ending expected -0 program moments threads $calls
for switches in moments "moments --call=wrapper" without_c "without_c --without=placement"; do
    # shellcheck disable=SC2086
    instrument instrumented ${switches#"${switches%% *}"} "${switches%% *}.atd" moments
    for run in $(seq "$(pick 1 20)"); do
        rm -f moments.out times.out wrong
        ending found -0 program instrumented threads $calls
        for file in moments.out times.out; do
            awk -F'\t' -v whole="${switches##*=}" -v file=$file -v all=$((4 * calls)) -v each=$((calls / 10)) 'NR > 1 {
                    if ($2 < begun || $4 < ended || $5 < executed || $3 != $2 || $4 > $2 || $2 - $4 > 4) exit wrong = 1
                    if (whole != "placement" && $5 != $6) exit wrong = 1 # there the thread has complete blocks
                    if (file == "moments.out" && ($1 != $2 || $1 % each > 4)) exit wrong = 1
                    begun = $2; ended = $4; executed = $5
                }
                END { exit wrong || begun != all || ended != all || executed % all || executed != $6 ||
                    NR < (file == "moments.out" ? 41 : 3) }' $file || cp $file wrong || echo none >wrong
        done
        check "moments $switches/$run" "diff <(grep -v sum expected) <(grep -v sum found) && [ ! -e wrong ]" wrong
    done
done

# Children begin their own.
alpha plain "$tests/data/children.c"
cat >children.atd <<'END'
# children: calls of work().
tool children "calls"
counter calls, most
for p in procs where p.name == "work" {
    before p            calls++, most max= $a0
}
every 1 of calls report "children.out" "Calls" calls, "Most" most
END
instrument instrumented children.atd plain
qemu instrumented | sort >expected
for file in children.out*; do
    echo "$file $(tail -n 1 "$file" | cut -f2,3 | tr '\t' ' ')"
    awk -F'\t' 'NR > 1 && ($1 != $2 || $1 != NR - 1 && $1 != NR - 2) { exit 1 }' "$file" || echo "$file: not each call"
done | sort >found
same children expected found
# Each process has its rows of all times in a file of its own, which are those of the text.
ATOMC_FORMAT=rows ATOMC_OUT=forked qemu instrumented >log
for file in children.out*; do
    jq -r 'select(type == "array") | .[:3] | @tsv' "forked/children.series.1.rows${file#children.out}" >found
    sed 1d "$file" >expected
    same "children/rows${file#children.out}" expected found
done

# Several reports: each has its own columns, even if their numbers are equal. On standard output, which they share, each
# has a header again after the other's rows, and as JSON each set of rows is a value.
cat >several.atd <<'END'
# several: two files, and two reports on standard output.
tool several "calls, as time goes by"
set second = proc p where p.name == "second"
counter begun, ended
for p in second { before p begun++  after p ended++ }
every 300 of begun report "begun.out" "Begun" begun
every 400 of ended report "ended.out" "Ended" ended
every 600 of begun report "-" for p in second "Begun" begun total
every 500 of ended report "-" "Ended" ended
END
alpha plain "$tests/data/terminal.c"
instrument instrumented several.atd plain
ATOMC_FORMAT=json qemu instrumented >printed
prints several/begun cat begun.out <<'END'
{"tool": "several", "report": "begun.out", "rows": [
{"begun": 300, "Begun": 300},
{"begun": 600, "Begun": 600},
{"begun": 900, "Begun": 900},
{"begun": 1000, "Begun": 1000}]}
END
prints several/ended cat ended.out <<'END'
{"tool": "several", "report": "ended.out", "rows": [
{"ended": 400, "Ended": 400},
{"ended": 800, "Ended": 800},
{"ended": 1000, "Ended": 1000}]}
END
prints several/printed grep -A 1 -e '"tool"' -e '"total"' printed <<'END'
{"tool": "several", "report": "-", "rows": [
{"ended": 500, "Ended": 500}]}
{"tool": "several", "report": "-", "rows": [
{"begun": 600, "Begun": 600}]}
{"tool": "several", "report": "-", "rows": [
{"ended": 1000, "Ended": 1000}]}
{"tool": "several", "report": "-", "rows": [
{"begun": 1000, "Begun": 1000}], "total": {"Begun": 1000}}
{"tool": "several", "report": "-", "rows": [
{"ended": 1000, "Ended": 1000}]}
END
qemu instrumented | grep -i -E '^(begun|ended|total|[0-9]+	)' >printed
prints several/text cat printed <<'END'
ended	Ended
500	500
begun	Begun
600	600
ended	Ended
1000	1000
begun	Begun
1000	1000
total	1000
ended	Ended
1000	1000
END
