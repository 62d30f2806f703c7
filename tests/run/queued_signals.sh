# queued_signals: signals that wait until a routine has returned keep their data, and queued signals keep their order;
# also if the routine's return address cannot be found, and they are sent again later.
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
# Its path to the return is a jump by a table, whose entry is known when control reaches it.
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
# Programs in which nearly all code is inserted; bursts of signals, which arrive while older ones wait.
alpha waits "$tests/data/queued_waits.c" -pthread
for tool in third prof; do
    instrument $tool-queued -t $tool static
    qemu $tool-queued 20 "$(pick 3 100)" >found
    check $tool/bursts "[ \$(cat found) = 1 ]" found
    instrument $tool-waits -t $tool waits
    qemu $tool-waits "$(pick 2 50)" "$QEMU" >found
    check $tool/waits "grep -qx '0 wrong, 40 seen' found" found
done

# A signal that is pending when its handler returns is delivered before the program's next instruction, as without
# atomc.
alpha pending "$tests/data/pending_again.c"
"$QEMU" pending >expected
check pending "[ \"\$(cat expected)\" = '50 deliveries, 49 at the same place' ]" expected
for tool in prof audit $(pick "" third); do
    instrument pending.$tool -t $tool pending
    prints pending/$tool "$QEMU" pending.$tool <expected
done
