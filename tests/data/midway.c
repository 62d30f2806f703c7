/* midway.c KIND PLACE [TIMES [masked]]: sends control into the middle of a block (midway.s), by a jump, a
   return, a handler that changes the pc, setcontext (go.s); so many times; with all signals blocked. Prints
   what comes of it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

typedef long go(long target, long r9, long r10, long r26, long r0);
extern go go_jump, go_return, go_fault, go_context;
extern long locked_cell[], midway_gp, add10(void), add20(void), own_gp(void);
#define PLACES(PLACE)                                                                                        \
    PLACE(behind_call_middle, behind_call)                                                                   \
    PLACE(known_callee_middle, known_callee)                                                                 \
    PLACE(known_call_middle, known_call)                                                                     \
    PLACE(known_call_last, known_call)                                                                       \
    PLACE(locked_middle, locked)                                                                             \
    PLACE(locked_last, locked)                                                                               \
    PLACE(looped_middle, looped)                                                                             \
    PLACE(looped_last, looped)                                                                               \
    PLACE(accesses_middle, accesses)                                                                         \
    PLACE(accesses_last, accesses) PLACE(shared_middle, shared)
#define DECLARE(place, procedure)                                                                            \
    extern char procedure[];                                                                                 \
    extern long place##_offset;
PLACES(DECLARE)
#define ENTRY(place, procedure) {#place, procedure, &place##_offset},
static const struct {
    const char *name, *procedure;
    const long *offset;
} places[] = {PLACES(ENTRY)};

static void change(int signal, siginfo_t *info, void *context) {
    struct sigcontext *c = (struct sigcontext *)&((ucontext_t *)context)->uc_mcontext;
    (void)signal, (void)info;
    c->sc_pc = c->sc_regs[16];
}

/* From go_context, with its arguments. */
void by_context(long target, long r9, long r10, long r26, long r0) {
    ucontext_t context;
    getcontext(&context);
    struct sigcontext *c = (struct sigcontext *)&context.uc_mcontext;
    c->sc_pc = target;
    c->sc_regs[9] = r9;
    c->sc_regs[10] = r10;
    c->sc_regs[16] = target;
    c->sc_regs[11] = (long)locked_cell;
    c->sc_regs[26] = r26;
    c->sc_regs[0] = r0;
    c->sc_regs[29] = midway_gp;
    setcontext(&context);
}

int main(int argc, char **argv) {
    const char *kind = argc > 1 ? argv[1] : "jump", *place = argc > 2 ? argv[2] : "locked_middle";
    long times = argc > 3 ? atol(argv[3]) : 1, sum = 0, target = 0;
    go *how = strcmp(kind, "return") == 0    ? go_return
              : strcmp(kind, "fault") == 0   ? go_fault
              : strcmp(kind, "context") == 0 ? go_context
                                             : go_jump;
    struct sigaction action = {.sa_sigaction = change, .sa_flags = SA_SIGINFO};
    sigset_t all;
    midway_gp = own_gp();
    sigaction(SIGSEGV, &action, NULL);
    if (argc > 4) {
        sigfillset(&all);
        sigdelset(&all, SIGSEGV);
        if (strcmp(kind, "fault") != 0)
            sigaddset(&all, SIGSEGV);
        sigprocmask(SIG_BLOCK, &all, NULL);
    }
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
        if (strcmp(places[i].name, place) == 0)
            target = (long)places[i].procedure + *places[i].offset;
    int calls = strncmp(place, "known_call_", 11) == 0, callee = strcmp(place, "known_callee_middle") == 0;
    printf("%s %s\n", kind, place);
    fflush(stdout);
    for (long n = 0; n < times; n++)
        sum += how(target, calls ? 77 : n, callee ? (long)add20 : n % 5 + 1, (long)add10,
                   calls ? 405 /* exit_group */ : locked_cell[1]) *
               (n + 1);
    printf("%ld %ld %ld\n", sum, locked_cell[0], locked_cell[2]);
    return 0;
}
