/* changing.c protected|writable|never: changes its own text, and runs it; the text is protected again, stays writable, or was so from
   the beginning. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

extern long value(void), looped(long n), written(const char *letter), one(void), two(void),
    itself(long n, long instruction), loads(const long *address);
extern unsigned looped_add[], written_end[], loads_from[];

static int stays_writable, protects;

long step(long n) {
    return n + 1;
}

static void protect(void *begin, void *end, int protection) {
    long page = getpagesize(), first = (long)begin & -page, last = ((long)end + page - 1) & -page;
    if (protects && mprotect((void *)first, last - first, protection) < 0)
        perror("mprotect");
}

static void change(unsigned *instruction, unsigned word) {
    protect(instruction, instruction + 1, PROT_READ | PROT_WRITE | PROT_EXEC);
    *(volatile unsigned *)instruction = word;
    __asm__ volatile("imb" : : : "memory");
    if (!stays_writable)
        protect(instruction, instruction + 1, PROT_READ | PROT_EXEC);
}

static sigjmp_buf back;
static void faulted(int signal, siginfo_t *info, void *context) {
    ucontext_t *at = context;
    printf("signal %d at loads_from%+ld, %p\n", signal, (long)(at->uc_mcontext.sc_pc - (long)loads_from),
           info->si_addr);
    if (info->si_addr == (void *)16)
        siglongjmp(back, 1);
    at->uc_mcontext.sc_pc += 4;
    at->uc_mcontext.sc_regs[0] = 77;
}

static long (*volatile pointer)(void) = value;

static long all(void) {
    long sum = 0;
    for (int i = 0; i < 10; i++)
        sum += value() + pointer();
    printf("%ld %ld", sum, looped(20));
    fflush(stdout);
    printf("%ld\n", written(" "));
    printf("%ld\n", loads((const long *)8));
    if (sigsetjmp(back, 1) == 0)
        loads((const long *)16);
    return sum;
}

int main(int argc, char **argv) {
    struct sigaction action = {.sa_sigaction = faulted, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    stays_writable = argc > 1 && strcmp(argv[1], "writable") == 0;
    protects = argc > 1 && strcmp(argv[1], "never") != 0;
    all();
    change((unsigned *)value, 0x201f002a); /* lda $0,42($31) */
    all();
    change(looped_add, 0x4000740a); /* addq $0,3,$10 */
    all();
    change((unsigned *)value, 0x201f002b);
    change(written_end, 0xc3e00000 | (unsigned)((long)two - (long)(written_end + 1)) / 4); /* br two */
    change(loads_from + 1, 0x40003400); /* addq $0,1,$0 */
    all();
    if (stays_writable)
        for (int i = 1; i <= 3; i++) {
            protect((void *)itself, (char *)itself + 64, PROT_READ | PROT_WRITE | PROT_EXEC);
            printf("%ld\n", itself(i, 0x40001400 | i << 13));
        }
    change(looped_add, 0x4001140a); /* addq $0,8,$10 */
    printf("%ld %ld\n", all(), one() + two());
    return 0;
}
