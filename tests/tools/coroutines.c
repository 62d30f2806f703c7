/* coroutines.c: for tools_coroutines.sh: notes for each call of leaf the active procedures of the current
   coroutine itself. Coroutines by makecontext, on stacks in the heap, beside each other, and in an array on
   the stack, resumed at other depths and left unfinished, whose stacks others get; by longjmp between stacks
   that handlers of signals began; by a routine that changes the stack pointer. A handler on a stack of its
   own is left by siglongjmp. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define OUT __attribute__((noipa))
enum { STACK = 65536, MOST = 40 };
static struct noted {
    char path[200];
    int times;
} noted[MOST];
static const char *active[8][16]; /* by coroutine; 0 is the main program */
static int depths[8], now;

OUT void leaf(void) {
    char path[200] = "";
    for (int i = 0; i < depths[now]; i++)
        strcat(strcat(path, i ? ";" : ""), active[now][i]);
    int at = 0;
    while (*noted[at].path && strcmp(noted[at].path, path) != 0)
        at++;
    strcpy(noted[at].path, path);
    noted[at].times++;
}
static int enter(const char *name) {
    active[now][depths[now]] = name;
    return depths[now]++;
}
static void work(void) {
    leaf();
}

static ucontext_t contexts[8];
OUT static void go(int to) { /* as swapcontext from the current one */
    int from = now;
    now = to;
    swapcontext(&contexts[from], &contexts[to]);
}
static void make(int number, void *stack, void (*body)(void)) {
    depths[number] = 0;
    getcontext(&contexts[number]);
    contexts[number].uc_stack.ss_sp = stack;
    contexts[number].uc_stack.ss_size = STACK;
    contexts[number].uc_link = &contexts[0];
    makecontext(&contexts[number], body, 0);
}
OUT void deeper(int n) {
    int depth = enter("deeper");
    if (n > 0)
        deeper(n - 1);
    else
        go(0);
    leaf();
    depths[now] = depth;
}
OUT void first(void) {
    enter("first");
    for (int i = 0; i < 3; i++) {
        leaf();
        deeper(i);
    }
    now = 0;
}
OUT void second(void) {
    enter("second");
    for (int i = 0; i < 4; i++) {
        leaf();
        go(i & 1 ? 3 : 0);
    }
    now = 0;
}
OUT void third(void) {
    enter("third");
    for (;;) {
        leaf();
        go(0);
    }
}
OUT void resumes(int number, int depth) {
    int mine = enter("resumes");
    if (depth > 0)
        resumes(number, depth - 1);
    else
        go(number);
    leaf();
    depths[now] = mine;
}
OUT void by_contexts(void) {
    int mine = enter("by_contexts");
    char here[STACK] __attribute__((aligned(16)));
    char *heap = malloc(3 * STACK);
    make(1, heap, first);
    make(2, heap + STACK, second);
    make(3, heap + 2 * STACK, third);
    for (int i = 0; i < 4; i++) {
        resumes(1, i);
        resumes(2, 3 - i);
    }
    make(4, here, first);
    resumes(4, 1);
    resumes(4, 0);
    make(4, here, second); /* the same memory */
    resumes(4, 2);
    make(1, heap, third);
    resumes(1, 0);
    resumes(1, 1);
    leaf();
    depths[now] = mine;
}

static jmp_buf places[8];
static int beginning;
OUT static void jump(int to) {
    if (setjmp(places[now]) == 0) {
        now = to;
        longjmp(places[to], 1);
    }
}
OUT void jumper(void) {
    enter("jumper");
    for (;;) {
        leaf();
        jump(0);
    }
}
/* The handler returns, and its stack is entered again by longjmp. */
OUT void begin(int signal) {
    int number = beginning;
    (void)signal;
    if (setjmp(places[number]) != 0)
        jumper();
}
OUT void by_jumps(void) {
    int mine = enter("by_jumps");
    for (int number = 5; number < 7; number++) {
        stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK};
        sigaltstack(&stack, NULL);
        struct sigaction action = {.sa_handler = begin, .sa_flags = SA_ONSTACK};
        sigaction(SIGUSR1, &action, NULL);
        depths[number] = 0;
        beginning = number;
        raise(SIGUSR1);
    }
    for (int i = 0; i < 6; i++) {
        jump(5 + i % 2);
        leaf();
    }
    depths[now] = mine;
}

static sigjmp_buf out;
OUT void handler(int signal) {
    (void)signal;
    siglongjmp(out, 1);
}
OUT void recovers(void) {
    int mine = enter("recovers");
    stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR2, &action, NULL);
    for (volatile int i = 0; i < 3; i++) {
        if (sigsetjmp(out, 1) == 0)
            raise(SIGUSR2);
        leaf();
    }
    depths[now] = mine;
}

/* change(&from, to): saves the registers that calls keep on the stack, and goes to where `to` has been left.
 */
void change(void **from, void *to);
void change_by_jump(void **from, void *to);
void start(void);
__asm__(".text\n.align 4\n"
        ".macro switch name, way\n.globl \\name\n.ent \\name\n\\name:\n.frame $30,80,$26\n.prologue 0\n"
        "lda $30,-80($30)\nstq $26,0($30)\nstq $9,8($30)\nstq $10,16($30)\nstq $11,24($30)\nstq "
        "$12,32($30)\nstq $13,40($30)\n"
        "stq $14,48($30)\nstq $15,56($30)\nstq $29,64($30)\nstq $30,0($16)\nmov $17,$30\nldq $26,0($30)\nldq "
        "$9,8($30)\nldq $10,16($30)\n"
        "ldq $11,24($30)\nldq $12,32($30)\nldq $13,40($30)\nldq $14,48($30)\nldq $15,56($30)\nldq "
        "$29,64($30)\nlda $30,80($30)\n"
        "\\way $31,($26)\n.end \\name\n.endm\n"
        ".globl start\n.ent start\nstart:\n.frame $30,0,$26\n.prologue 0\nmov $9,$27\njsr $26,($27)\nnop\nnop\n.end "
        "start\n"
        "switch change, ret\nswitch change_by_jump, jmp\n");
static void *stacks[8];
static int jumps;
OUT static void move_to(int to) {
    int from = now;
    now = to;
    if (jumps)
        change_by_jump(&stacks[from], stacks[to]);
    else
        change(&stacks[from], stacks[to]);
}
OUT void mover(void) {
    enter("mover");
    for (;;) {
        leaf();
        move_to(0);
    }
}
OUT void by_changes(int way) {
    int mine = enter("by_changes");
    jumps = way;
    long *top = (long *)((char *)malloc(STACK) + STACK - 512);
    stacks[7] = top;
    depths[7] = 0;
    top[0] = (long)start, top[1] = (long)mover; /* $26, $9 */
    for (int i = 0; i < 4; i++) {
        move_to(7);
        leaf();
    }
    depths[now] = mine;
}
int main(void) {
    enter("main");
    by_contexts();
    by_jumps();
    recovers();
    by_changes(0);
    by_changes(1);
    work();
    for (int i = 0; i < MOST && *noted[i].path; i++)
        printf("%s;leaf\t%d\n", noted[i].path, noted[i].times);
    return 0;
}
