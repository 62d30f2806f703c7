# suspended: a program is stopped for longer than a signal may wait for a routine, while one waits. When it goes on, nothing
# hangs: the routine returns, and the program's handler is called.
cat >program.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile int arrived;
static void handle(int signal) { arrived = signal; }
__attribute__((noinline)) void work(void) { __asm__ volatile("" ::: "memory"); }
int main(void) {
    signal(SIGALRM, handle);
    work();
    printf("arrived: %d\n", arrived);
    return 3;
}
END
# The routine runs until there is a file "go".
cat >slow.c <<'END'
#include <fcntl.h>
#include <unistd.h>
void Slow(void) {
    close(open("in", O_WRONLY | O_CREAT, 0600));
    while (access("go", F_OK) != 0)
        ;
}
END
cat >slow.atd <<'END'
tool slow "a routine that takes long"
analysis "slow.c"
for p in procs where p.name == "work" { before p call Slow() }
END
alpha program program.c
instrument instrumented slow.atd program
# Events: the routine has begun; the runtime sets its timer, which says when the signal has waited too long; the timer's
# signal is pending for the stopped thread; the runtime has taken it, and sets the timer again, or has ended the program.
timers() { grep -c timer_settime calls; }
"$QEMU" -strace -D calls instrumented >printed 2>said &
process=$!
until [ -e in ]; do sleep 0.05; done
kill -ALRM $process
until [ "$(timers)" -ge 1 ]; do sleep 0.05; done
kill -STOP $process
sigsegv=$((1 << 10))
until [ $((0x$(sed -n 's/^SigPnd:[^0-9a-f]*//p' /proc/$process/status) & sigsegv)) != 0 ]; do sleep 0.05; done
kill -CONT $process
until [ "$(timers)" -ge 2 ] || ! kill -0 $process 2>/dev/null; do sleep 0.05; done
touch go
status=0
wait $process || status=$?
check suspended '[ $status = 3 ] && [ "$(cat printed)" = "arrived: 14" ] && [ ! -s said ]' said
