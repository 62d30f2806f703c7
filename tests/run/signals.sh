# signals: the program ends in the same way when instrumented, for all kinds of ends, and the results are written.
alpha plain "$tests/data/signals.c"
instrument branch "$top/docs/examples/branch.atd" plain
instrument cache -t cache plain
times=$(pick 5000 100000) # how often handlers change
for way in return quick abort segv illegal term power input trap real-time pipe alarm ignored changing; do
    ending expected -0 signals plain $way "$times"
    for tool in branch:branch.out:0x cache:cache.out:L1; do
        IFS=: read -r tool output row <<<$tool
        rm -f "$output"
        ending found -0 signals "$tool" $way "$times"
        check "$way/$tool" "diff expected found && grep -q ^$row $output"
    done
done

# Killed at any moment, most of them inside the analysis routine.
for run in $(seq "$(pick 4 200)"); do
    rm -f cache.out
    : >spinning
    "$QEMU" -0 signals cache spin >spinning 2>/dev/null &
    process=$!
    while :; do # it prints a line first
        [ ! -s spinning ] || break
        sleep 0.05
    done
    sleep "0.0$(((run - 1) % 10))"
    kill -TERM $process
    { wait $process || true; } 2>/dev/null
    [ "$(wc -l <cache.out 2>/dev/null)" = 2 ] || echo "run $run"
done >incomplete
check killed-at-random "[ ! -s incomplete ]" incomplete

# When the program has ended, its handlers are no longer called, because their counts are not part of the results.
cp "$tests"/data/ticking.* .
for flags in --call=wrapper --call=inline; do
    instrument ticking $flags ticking.atd plain
    ending found -0 signals ticking ticking
    check "ticking$flags" "grep -qx 'the same' found && grep -qx 'exit status 3' found" found
done

# Signals of timers that go on are masked then; those by which people end a program are not.
cat >masks.atd <<'END'
tool masks "signals that are masked at the end"
analysis "masks_analysis.c"
after program call Masked()
END
cat >masks_analysis.c <<'END'
#include <signal.h>
#include <stdio.h>
void Masked(void) {
    sigset_t set;
    sigprocmask(SIG_BLOCK, NULL, &set);
    printf("ALRM %d PROF %d INT %d\n", sigismember(&set, SIGALRM), sigismember(&set, SIGPROF), sigismember(&set, SIGINT));
}
END
cat >masks.c <<'END'
#include <signal.h>
static void on_signal(int number) { (void)number; }
int main(int count, char **words) {
    (void)words;
    if (count > 1) signal(SIGALRM, on_signal), signal(SIGPROF, on_signal), signal(SIGINT, on_signal);
    return 0;
}
END
alpha masks masks.c
instrument masked masks.atd masks
check masks/handled "[ \"\$(qemu masked handled)\" = 'ALRM 1 PROF 1 INT 0' ]"
check masks/others "[ \"\$(qemu masked)\" = 'ALRM 0 PROF 0 INT 0' ]"
