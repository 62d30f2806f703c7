# cells: counters with a number of cells, and updates by =, for all ways of inserting code, compared with the same in C;
# in programs with threads, counts are exact and no value is torn; and sizes that a program determines.
cp "$tests"/computed/* .
alpha program program.c -g
alpha threads threads.c -O1 -g -pthread
alpha passed passed.c
qemu program >plain

# The procedures of the C library that are examined, in addition to the program's own.
library=$(pick '^mem|^str|itoa|_xsputn|^malloc' 'printf|^_IO|^mem|^str|malloc')
for flags in "" --call=wrapper --call=direct --without=liveness --without=placement; do
    rm -f cells.out expected.out
    instrument instrumented $flags -D "library=$library" cells.atd program
    { cat plain && echo "many accesses, 0 wrong"; } | prints "counted$flags" qemu instrumented
    same "counted$flags/report" expected.out cells.out
done

# A cache of counters against the same in C; the program has the same name, and so the same stack.
for tool in cache8k direct8k; do
    instrument instrumented "$top/tests/bench/tools/$tool.atd" program
    prints $tool qemu instrumented <plain
done
same cache cache8k.out direct8k.out

# Values that one action leaves to another.
for flags in "" --call=wrapper --without=liveness; do
    instrument instrumented $flags passed.atd passed
    printf '%s\n' Shown 27 Sum 90 135 180 15 252 225 40 | prints "passed$flags" qemu instrumented
done

# Is a value equal to a constant? Constants of each size: half of the times.
cat >equal.atd <<'END'
param int constant = 0
tool equal "a value that is a constant half of the times"
counter number, times, same[2], other[2]
for b in blocks where b.ninsts > 1 {
    before b                    number = constant + ($times & 1), times++
    for i in b.insts where i.pc == b.last.pc {
        before i when $number == constant   same[0]++, same[1]++
        before i when $number != constant   other[0]++, other[1]++
    }
}
report "-" as same[0] - other[0] - times % 2, " ", same[0] + other[0] - times, " ", same[1] - same[0], " ", other[1] - other[0]
END
for constant in 256 32768 0x12345678 0x7fff0000 -1; do
    instrument instrumented -D constant=$constant equal.atd program
    { cat plain && echo 0 0 0 0; } | prints "equal $constant" qemu instrumented
done

instrument instrumented threads.atd threads
printf 'done\nSum\tSame\n80000\t80000\nTorn\nEmpty\n' | prints threads qemu instrumented
# The stock tool branch with a predictor that the threads share: taken branches are exact, and there are no more
# mispredictions than executions.
for predictor in 2bit gshare; do
    instrument instrumented -t branch -D predictor=$predictor threads
    qemu instrumented >log 2>&1 || true
    prints threads-$predictor awk -F'\t' '/^0x/ && $6 == "work" { print $2, $3 }
        /^0x/ && ($4 < 0 || $4 > $2 + $3) { print "wrong", $0 }' branch.out <<<"79996 4"
done

# A size that the program determines: at most as large as there is room, and numbers within it.
while IFS='|' read -r test counters update && read -r message; do
    printf 'tool sizes "numbers of cells"\ncounter %s\nfor p in procs { before p %s }\n' "$counters" "$update" >sizes.atd
    check "$test" "! '$ATOMC' sizes.atd program -o instrumented >log 2>&1 && grep \"^$message\" log" log
done <<'END'
few|calls[program.nprocs * 2], few[program.nprocs - 100000]|calls[p.id * 2 + 1]++, few[0]++
sizes.atd:2:40: error: counter 'few' cannot have -[0-9]* cells: it is 1 to 8388608
beyond|calls[program.nprocs]|calls[p.id + 1]++
sizes.atd:3:33: error: counter 'calls' has no cell number [0-9]*
read-beyond|calls[program.nprocs]|calls[p.id] += $calls[p.id + 1]
sizes.atd:3:49: error: counter 'calls' has no cell number [0-9]*
room|a[8 << 20], b[8 << 20]|a[$a0 & 1]++, b[(8 << 20) - 1]++
.*too large
END
cat >large.atd <<'END'
tool large "as many cells as there can be"
counter a[8 << 20]
for p in procs where p.name == "main" { before p a[$a0 & 1]++, a[(8 << 20) - 1]++ }
report "-" "First" a[0] + a[1], "Last" a[(8 << 20) - 1]
END
instrument instrumented large.atd program
{ cat plain && printf 'First\tLast\n1\t1\n'; } | prints large qemu instrumented
