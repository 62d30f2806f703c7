# queued_signals: signals that wait until a routine has returned keep what was sent along, and queued ones their order; also where nobody
# can tell where the routine returns to, and they come again later.
alpha static "$tests/data/queued_signals.c" -pthread
shared dynamic "$tests/data/queued_signals.c" -pthread
for tool in slow wander; do
    cat >$tool.atd <<END
# $tool: a routine that takes its time.
tool $tool "the program is nearly always in a routine"
analysis "$tool.c"
for p in procs where p.name == "work" {
    before p call Wait($([ $tool = slow ] && echo 4000 || echo 500))
}
END
done
cat >slow.c <<'END'
static volatile long done;
void Wait(long times) {
    for (long i = 0; i < times; i++)
        done++;
}
END
# Its way to the return is a jump by a table, whose entry is known when it is there.
cat >wander.c <<'END'
void Wait(long times) {
    static const void *const ways[] = {&&again, &&end};
    volatile long done = 0;
again:
    done++;
    goto *ways[done >= times];
end:
    return;
}
END
for program in static dynamic; do
    for tool in slow wander; do
        instrument $tool $tool.atd $program
        qemu -L /usr/alpha-linux-gnu $tool "$(pick 2 50)" >found
        check $program-$tool "[ \$(cat found) = 1 ]" found
    done
done
