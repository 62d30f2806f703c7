/* stacks.c: prints at each call of note() which of its functions are active, as $stack and $depth have to say it (stacks.atd): with
   recursion, pointers to functions, handlers, jumps out of functions and out of handlers. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

#define NOIPA __attribute__((noipa))
enum { DEEPEST = 200, BYTES = 65536 };
static const char *active[DEEPEST];
static int depth;
static jmp_buf back;
static sigjmp_buf back_from_handler;
static volatile long *memory;
static int jumps_out;

#define ENTER active[depth++] = __func__
#define LEAVE depth--

NOIPA void note(void) {
    for (int i = 0; i < depth; i++)
        printf("%s;", active[i]);
    puts("");
}

NOIPA long recursive(int n) {
    ENTER;
    if (n == 0)
        note();
    long sum = n ? recursive(n - 1) + n : 0;
    LEAVE;
    return sum;
}

NOIPA void jumps(int n) {
    ENTER;
    if (n > 0)
        jumps(n - 1);
    else
        longjmp(back, 1);
    LEAVE;
}

NOIPA void catches(int n) {
    ENTER;
    volatile int kept = depth;
    if (setjmp(back) == 0)
        jumps(n);
    depth = kept;
    note();
    recursive(1);
    LEAVE;
}

NOIPA long faults(long n) {
    ENTER;
    mprotect((void *)memory, BYTES, PROT_NONE);
    long sum = *memory + n;
    note();
    LEAVE;
    return sum;
}

static void on_fault(int number, siginfo_t *info, void *context) {
    (void)number, (void)info, (void)context;
    ENTER;
    mprotect((void *)memory, BYTES, PROT_READ | PROT_WRITE);
    recursive(2);
    note();
    if (jumps_out)
        siglongjmp(back_from_handler, 1);
    LEAVE;
}

NOIPA void leaves_handler(void) {
    ENTER;
    volatile int kept = depth;
    jumps_out = 1;
    if (sigsetjmp(back_from_handler, 1) == 0)
        faults(1);
    depth = kept;
    jumps_out = 0;
    note();
    recursive(3);
    LEAVE;
}

NOIPA void through(void (*called)(int), int n) {
    ENTER;
    called(n);
    note();
    LEAVE;
}

int main(void) {
    struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    ENTER;
    sigaction(SIGSEGV, &fault, NULL);
    memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    note();
    for (int i = 0; i < 3; i++) {
        recursive(i);
        catches(i);
        faults(i);
        leaves_handler();
        through(catches, 2 * i);
    }
    recursive(100);
    note();
    return 0;
}
