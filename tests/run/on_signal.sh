# on_signal: reports on a signal: rows are those of a report if the signal had ended the program at that time; the
# program's own handler runs as before, and without a handler the program continues.
alpha plain "$tests/data/on_signal.c" -pthread
cat >counts.inc <<'END'
counter calls, handlers, executed[procs]
for p in procs {
    before p when p.name == "work"      calls++
    before p when p.name == "handle"    handlers++
    for b in p.blocks { before b        executed[p] += b.ninsts }
}
END
cat >asked.atd <<'END'
# asked: calls and instructions at signals.
tool asked "what has been executed at a signal"
include "counts.inc"
on signal "USR1" report "calls.out" "Calls" calls, "Handlers" handlers
on signal "SIGUSR1" report "on.out" for p in procs where executed[p] > 0
    sorted by p.name "Procedure" p.name, "Instructions" executed[p]
END
cat >at_end.atd <<'END'
# at_end: the same when the program has ended.
tool at_end "what has been executed"
include "counts.inc"
report "calls.end" "Calls" calls, "Handlers" handlers
report "on.end" for p in procs where executed[p] > 0 sorted by p.name "Procedure" p.name, "Instructions" executed[p]
END
rows() { # FILE: without the time, which only grows
    awk -F'\t' -v OFS=: 'NR > 1 { if ($1 < last) print "time"; last = $1; print $2, $3 }' "$1" | paste -s -d ' '
}
for switches in "" --without=placement --without=all --call=wrapper; do
    # shellcheck disable=SC2086
    instrument asked $switches asked.atd plain
    # shellcheck disable=SC2086
    instrument at_it $switches at_end.atd plain
    # Without a handler, and if the signal is ignored, the program continues like a program that ignores the signal.
    ending expected -0 program plain ignored
    for way in default ignored; do
        rm -f calls.out
        ending found -0 program asked $way
        check "$way$switches" "diff expected found && [ \"\$(rows calls.out)\" = '10:0 30:0 60:0 100:0 100:0' ]" calls.out
    done
    # With a handler, the handler runs, and its own calls are in the rows after it.
    for way in "handler 10:0 30:1 60:2 100:3 100:4" "blocked 101:0 101:1" "taken 100:0"; do
        rm -f calls.out
        ending expected -0 program plain "${way%% *}"
        ending found -0 program asked "${way%% *}"
        check "${way%% *}$switches" "diff expected found && [ \"\$(rows calls.out)\" = '${way#* }' ]" calls.out
    done
    # The third set of rows equals the report at the end if TERM ends the program at that time.
    ending ended -0 program at_it handler 15
    ending found -0 program asked handler 30
    awk -F'\t' 'NR > 1 { if ($2 in seen) { delete seen; n++ } seen[$2] = 1; if (n == 2) print $2 "\t" $3 }' on.out >found
    sed 1d on.end >expected
    check "exact$switches" "grep -q ^work expected && diff expected found"
done
instrument asked asked.atd plain

# A handler for once: then as without one.
rm -f calls.out
ending found -0 program asked once
check once "[ \"\$(rows calls.out)\" = '10:0 30:1 60:1 100:1 100:1' ] && grep -q 'handled 1,' found" found

# A program that is executed starts with the signal ignored, as before; an execve that fails changes nothing.
rm -f calls.out
check executes "[ \"\$(timeout 1500 '$QEMU' -0 program asked executes)\" = alive ] &&
    [ \"\$(rows calls.out | tr ' ' '\n' | sort -u)\" = 0:0 ]" calls.out

# A signal that is ignored by default.
cat >window.atd <<'END'
# window: handlers called.
tool window "handlers called"
include "counts.inc"
on signal "WINCH" report "window.out" "Calls" calls, "Handlers" handlers
END
instrument window window.atd plain
ending expected -0 program plain window
ending found -0 program window window
check window "diff expected found && [ \"\$(rows window.out)\" = '0:0 0:0 0:1' ]" window.out

# Signals of a timer arrive at all instructions, also in inserted code and in C: no handler is lost, and each set of
# rows contains the earlier handlers. A signal that arrives while rows are written causes no rows.
cat >loads.c <<'END'
static long table[64];
void Load(long address) {
    for (int i = 0; i < 8; i++)
        table[(address >> 3) + i & 63]++;
}
END
cat >timer.atd <<'END'
# timer: calls at signals of a timer, with C that is called at each load.
tool timer "calls at signals"
include "counts.inc"
analysis "loads.c"
for i in insts where i.is_load { before i call Load($addr) }
on signal "VTALRM" report "timer.out" "Calls" calls, "Handlers" handlers
END
for switches in "" --call=wrapper --without=placement; do
    # shellcheck disable=SC2086
    instrument timer $switches timer.atd plain
    rm -f timer.out wrong
    "$QEMU" -0 program timer timer >found || true
    echo 'handled 0, taken 0' >expected
    # After the twelfth the signal is ignored, and may arrive any number of times.
    awk -F'\t' 'NR > 1 { if (($3 < NR - 2 && $3 < 12) || $1 < time || $2 < calls) exit wrong = 1; time = $1; calls = $2 }
        END { exit wrong || NR < 4 }' timer.out || cp timer.out wrong
    check "timer$switches" "diff expected found && [ ! -e wrong ]" wrong
done

# Threads: any of them may receive the signal. In each set of rows all threads are at instructions of the program: for
# each call, the counts before and after the call of C at its beginning are equal, and no more calls have begun than
# there are threads. There are many cells in between, so that copying them takes long. A thread that waits in the kernel
# is not stopped, except for a call that begins at this time.
cat >note.c <<'END'
static volatile long notes[64];
void Note(void) {
    for (int i = 0; i < 64; i++)
        notes[i]++;
}
END
cat >threads.atd <<'END'
# threads: calls of work, begun and ended.
tool threads "calls of work"
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
on signal "USR1" report "threads.out" "Begun" begun, "Noted" noted, "Ended" ended, "Instructions" executed, "Each" each
END
grep -v -e analysis -e 'call Note' threads.atd >without_c.atd
calls=$(pick 50000 200000) # for each of four threads
for switches in threads "threads --call=wrapper" without_c "without_c --without=placement"; do
    # shellcheck disable=SC2086
    instrument threads ${switches#"${switches%% *}"} "${switches%% *}.atd" plain
    for run in $(seq "$(pick 1 20)"); do
        rm -f threads.out wrong
        ending expected -0 program plain threads $calls
        ending found -0 program threads threads $calls
        awk -F'\t' -v whole="${switches##*=}" -v all=$((4 * calls)) 'NR > 1 {
                if ($2 < begun || $4 < ended || $5 < executed || $3 != $2 || $4 > $2 || $2 - $4 > 4) exit wrong = 1
                if (whole != "placement" && $5 != $6) exit wrong = 1 # there the thread has complete blocks
                begun = $2; ended = $4; executed = $5
            }
            END { exit wrong || begun != all || ended != all || executed % all || executed != $6 || NR < 3 }' threads.out ||
                cp threads.out wrong || echo none >wrong
        check "$switches/$run" "diff <(grep -v sum expected) <(grep -v sum found) && [ ! -e wrong ]" wrong
    done
done

# Signals that arrive faster than rows are written: the program continues to run.
sum=$("$QEMU" -0 program plain fasthandler | sed 's/,.*//')
for way in "fast 0" "fasthandler 1"; do
    rm -f calls.out* wrong
    timeout -s KILL 1500 "$QEMU" -0 program asked "${way%% *}" >found 2>&1 || true
    awk -F'\t' 'NR > 1 { if ($2 < calls) exit wrong = 1; calls = $2 } END { exit wrong || calls != 20000 || NR < 3 }' \
        calls.out || cp calls.out wrong
    check "${way% *}" "[ \"\$(cat found)\" = '$sum, handled ${way#* }, taken 0' ] && [ ! -e wrong ]" found
    [ "${way% *}" = fast ] || check "${way% *}/child" "[ \"\$(rows calls.out.1)\" = '1:0 1:0' ]" calls.out.1
done

# A child has a file of its own.
rm -f calls.out*
"$QEMU" -0 program asked child >log || true
check child "[ \"\$(rows calls.out)\" = '1:0 1:0' ] && [ \"\$(rows calls.out.1)\" = '2:0 2:0' ]" calls.out calls.out.1

# CSV and JSON; files of rows.
ATOMC_FORMAT=csv "$QEMU" -0 program asked default >log || true
check csv "[ \$(cut -d, -f2 calls.out | paste -s -d ' ') = 'Calls 10 30 60 100 100' ] || grep -q ',60,0\$' calls.out" calls.out
ATOMC_FORMAT=json "$QEMU" -0 program asked default >log || true
check json "grep -c '\"Calls\": 60, \"Handlers\": 0' calls.out && tail -n 1 calls.out | grep -q ']'" calls.out
