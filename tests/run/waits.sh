# waits: rows of reports, fork and execve stop threads, but no thread that waits in a system call, whenever its call
# begins: the call ends as without atomc, neither early nor with less done.
cat >rows.atd <<'END'
# rows: calls of work, and loads.
tool rows "calls of work"
counter calls, loads
for p in procs where p.name == "work" { before p calls++ }
for i in insts where i.is_load { before i loads++ }
every 5000 of calls report "every.out" "Calls" calls, "Loads" loads
on signal "USR1" report "signal.out" "Calls" calls, "Loads" loads
END
cat >few.atd <<'END'
# few: calls of work. Only a part of the program is copied.
tool few "calls of work"
counter calls
for p in procs where p.name == "work" { before p calls++ }
on signal "USR1" report "signal.out" "Calls" calls
END
times=$(pick 3 200)
while read -r link words; do
    [ -e $link ] || if [ $link = static ]; then
        alpha static "$tests/data/waits.c" -pthread
    else
        alpha-linux-gnu-gcc -O2 -g "$tests/data/waits.c" -o dynamic -pthread
    fi
    # shellcheck disable=SC2086
    instrument instrumented $words $link
    rm -f every.out signal.out
    ending found -L /usr/alpha-linux-gnu instrumented "$times"
    check "$link-$words" "[ \"\$(cat found)\" = 'children that failed: 0
exit status 0' ]" found
    [ "$words" = "-t prof" ] || check "$link-$words/rows" "[ \$(wc -l <signal.out) = $((times + 2)) ]" signal.out
done <<'END'
static rows.atd
static --call=wrapper rows.atd
static --copy=sparse few.atd
static -t prof
dynamic rows.atd
dynamic few.atd
END
