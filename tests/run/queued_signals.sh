# queued_signals: signals that wait until a routine has returned keep what was sent along, and queued ones their order.
alpha static "$tests/data/queued_signals.c" -pthread
shared dynamic "$tests/data/queued_signals.c" -pthread
cat >slow.atd <<'END'
# slow: a routine that takes its time.
tool slow "the program is nearly always in a routine"
analysis "slow.c"
for p in procs where p.name == "work" {
    before p call Wait(40000)
}
END
cat >slow.c <<'END'
static volatile long done;
void Wait(long times) {
    for (long i = 0; i < times; i++)
        done++;
}
END
for program in static dynamic; do
    instrument slow slow.atd $program
    qemu -L /usr/alpha-linux-gnu slow "$(pick 10 200)" >found
    check $program "[ \$(cat found) = 1 ]" found
done
