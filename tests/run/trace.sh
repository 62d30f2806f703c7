# trace: the binary form, printed by trace_read, has the same contents as the other forms: for handlers that arrive in
# the middle of a block and return or jump away, for children, for threads; with parameters; with more data than a
# buffer has room for.
# shellcheck source=tests/lib/agree.sh
. "$tests/lib/agree.sh"
cat >program.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile long sums[4];
static volatile long *volatile nowhere; /* else the compiler knows that it is none, and lets the program trap */

static void jump(int number) {
    sums[0] += number;
    siglongjmp(back, 1);
}
/* Goes on behind the access. */
static void skip(int number, siginfo_t *info, void *context) {
    ((ucontext_t *)context)->uc_mcontext.sc_pc += 4;
    sums[1] += number + (info->si_addr != 0);
}
static void touch(void) {
    sums[2]++;
    *nowhere = sums[3];
    sums[3]++;
}
__attribute__((noinline)) long work(volatile long *values, long times) {
    long sum = 0;
    for (long i = 0; i < times; i++) {
        values[i % 7] += i;
        sum += values[i % 5];
        if (i % 3 == 0)
            sum ^= values[6];
    }
    return sum;
}
static volatile long areas[3][8] __attribute__((aligned(256)));
static void *run(void *area) {
    return (void *)work(area, 3000);
}

int main(int argc, char **argv) {
    struct sigaction action = {.sa_sigaction = skip, .sa_flags = SA_SIGINFO};
    int early = 0;
    if (argc > 1 && strcmp(argv[1], "threads") == 0) {
        pthread_t threads[3];
        for (int i = 0; i < 3; i++)
            pthread_create(&threads[i], NULL, run, (void *)areas[i]);
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], NULL);
        return 0;
    }
    signal(SIGSEGV, jump);
    for (volatile int i = 0; i < 100; i++)
        if (!sigsetjmp(back, 1))
            touch();
    sigaction(SIGSEGV, &action, NULL);
    for (int i = 0; i < 100; i++)
        touch();
    work(areas[0], argc > 1 ? 20000 : 100);
    for (int i = 0; argc > 1 && i < 6; i++)
        if (fork() == 0) {
            work(areas[1], 500);
            if (i == 1)
                execl("/bin/true", "true", NULL);
            if (i == 2 && strcmp(argv[1], "refused") == 0)
                execl("./broken", "broken", NULL);
            if (i == 3)
                kill(getpid(), SIGTERM);
            if (i == 4)
                abort();
            _exit(0);
        } else {
            wait(NULL);
            early += access("trace.out", F_OK) == 0;
        }
    if (early) /* the file is not whole yet */
        write(1, "early\n", 6);
    return sums[0] & 7;
}
END
alpha program program.c -g
gcc -O2 -Wall -Wextra -Werror "$top/stdtools/trace_read.c" -o trace_read

# forms TEST PROGRAM_WORDS FILTER: in all three forms; made WORDS: with these words. Names of programs, which are on the
# stack, are equally long.
made() {
    local form
    for form in ${forms_made:-text din binary}; do
        instrument ${form:0:3} -t trace -D form=$form "$@" program
    done
}
forms() {
    local form
    for form in text din binary; do
        # shellcheck disable=SC2086
        # children write text to files of their own
        ending ending.$form ${form:0:3} $2 && cat trace.out* >$form.out && rm trace.out*
    done
    same "$1/ending" ending.text ending.binary
    agree "$1/text" <(eval "$3" <text.out) <(./trace_read <binary.out | eval "$3")
    agree "$1/din" <(eval "$3" <din.out) <(./trace_read -d <binary.out | eval "$3")
}
made
forms plain "" cat
check runs "! grep -q 'exit status 1[0-9][0-9]' ending.binary" ending.binary
# For all ends of children, no message is printed, and the file is in its place when the process that began it has
# ended.
printf '#!/nowhere\n' >broken && chmod +x broken
forms children children sort
for form in text binary; do
    ending ending.$form ${form:0:3} refused && cat trace.out* >$form.out && rm trace.out*
done
same refused/ending ending.text ending.binary
agree refused <(sort <text.out) <(./trace_read <binary.out | sort)
check said "[ \"\$(grep -v '^qemu: ' ending.binary)\" = 'exit status 4' ]" ending.binary
# Threads run in a different order each time: their accesses to their areas are compared.
area=$(alpha-linux-gnu-nm program | sed -n 's/^0*\(.*\)00 . areas$/\1/p')
forms threads threads "grep -E '^(load|store) 0x[0-9a-f]* 0x$area..|^[01] $area' | cut -d' ' -f1-3 | sort"
check whole "[ \$(./trace_read <binary.out | grep -c '^block') -gt 20000 ]"
made -D data=true -D limit=3333
forms data "" cat
check data/limit "[ \$(./trace_read <binary.out | wc -l) = 3333 ]"
forms_made="text binary" made -D limit=17000
ending ending bin && ./trace_read <trace.out >found
check limit "[ \$(wc -l <found) = 17000 ]"
ending ending tex && same limit/text trace.out found
