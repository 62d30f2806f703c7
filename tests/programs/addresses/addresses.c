/* addresses.c: prints addresses of code, data, heap, stack and mappings, the auxiliary vector and file
   descriptors. Requires: Alpha/Linux, linked static; run plain and instrumented, it must print the same. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static int initialized = 1, zeroed;
static const char constant[] = "constant";
static __thread int thread_local = 2;
static void *break_before_main;
extern char **environ;
extern char _end[], _etext[], __ehdr_start[];

static void show(const char *what, const void *address) {
    printf("%-24s %p\n", what, address);
}

/* ---- places
 * ------------------------------------------------------------------------------------------------- */

__attribute__((constructor)) static void before_main(void) {
    break_before_main = sbrk(0);
}

__attribute__((noinline)) static void *return_address(void) {
    return __builtin_return_address(0);
}
__attribute__((noinline)) static void *nested_return_address(void) {
    void *inner = return_address();
    show("return address, inner", inner);
    return __builtin_return_address(0);
}

static void show_code(void) {
    show("main's neighbour", (void *)show_code);
    show("library function", (void *)printf);
    show("function by table", (void *)(void (*[])(void)){show_code}[0]);
    show("return address, outer", nested_return_address());
here:
    show("label", &&here);
}

static void show_data(void) {
    show("initialized", &initialized);
    show("zeroed", &zeroed);
    show("constant", constant);
    show("thread local", &thread_local);
    show("thread pointer", (void *)pthread_self());
    show("end", _end);
    show("end of text", _etext);
    show("ELF header", __ehdr_start);
}

static void show_heap(void) {
    char *small[4];
    show("break before main", break_before_main);
    show("break", sbrk(0));
    for (int index = 0; index < 4; index++) {
        small[index] = malloc(24 << index);
        show("small block", small[index]);
    }
    char *large = malloc(1 << 20);
    show("large block", large);
    free(small[1]);
    show("recycled block", malloc(40));
    show("grown block", realloc(small[3], 100000));
    show("aligned block", aligned_alloc(4096, 8192));
    show("break after", sbrk(0));
    show("break grown", sbrk(12345));
    show("break grown again", sbrk(0));
    show("mapping", mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    show("mapping of a file", mmap(NULL, 6, PROT_READ, MAP_PRIVATE, 0, 0));
    free(large);
}

static void show_stack(int argc, char **argv) {
    int local;
    show("local", &local);
    show("alloca", __builtin_alloca(100));
    show("argv", argv);
    for (int index = 0; index <= argc; index++)
        show(argv[index] ? argv[index] : "argv's end", argv[index]);
    show("environ", environ);
    for (char **variable = environ; *variable; variable++)
        show(*variable, *variable);
}

static void show_auxiliary_vector(void) {
    char **after = environ;
    while (*after)
        after++;
    for (Elf64_auxv_t *entry = (Elf64_auxv_t *)(after + 1); entry->a_type != AT_NULL; entry++) {
        printf("auxiliary %-14lu 0x%lx\n", entry->a_type, entry->a_un.a_val);
        if (entry->a_type == AT_EXECFN)
            printf("executable               %s\n", (char *)entry->a_un.a_val);
    }
    show("entry", (void *)getauxval(AT_ENTRY));
}

static int show_object(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    (void)data;
    printf("object at 0x%lx, program headers %p\n", info->dlpi_addr, (const void *)info->dlpi_phdr);
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const Elf64_Phdr *header = &info->dlpi_phdr[index];
        printf("  type 0x%x flags 0x%x address 0x%lx sizes 0x%lx 0x%lx\n", header->p_type, header->p_flags,
               header->p_vaddr, header->p_filesz, header->p_memsz);
    }
    return 0;
}

static void show_descriptors(void) {
    int ends[2] = {-1, -1};
    printf("opened %d", open("file", O_RDONLY));
    printf(" dup %d", dup(1));
    if (pipe(ends))
        perror("pipe");
    printf(" pipe %d %d", ends[0], ends[1]);
    FILE *stream = fopen("file", "r");
    printf(" stream %d\n", fileno(stream));
    show("stream", stream);
}

static unsigned checksum(const unsigned char *bytes, size_t size) {
    unsigned sum = 0;
    for (size_t index = 0; index < size; index++)
        sum = sum * 31 + bytes[index];
    return sum;
}
/* Text read as data is the program's own. */
static void show_text(void) {
    size_t size = _etext - __ehdr_start;
    printf("checksum of %zu bytes of headers and text: %08x\n", size,
           checksum((const unsigned char *)__ehdr_start, size));
}

static void places(int argc, char **argv) {
    show_code();
    show_data();
    show_heap();
    show_stack(argc, argv);
    show_auxiliary_vector();
    dl_iterate_phdr(show_object, NULL);
    show_descriptors();
    show_text();
}

/* ---- jumps: what setjmp, contexts and signal handlers see of code addresses
 * ---------------------------------- */

static jmp_buf buffer;
static ucontext_t outer, inner;
static sigjmp_buf recover;

__attribute__((noinline)) static void jump_back(int depth) {
    if (depth)
        jump_back(depth - 1);
    longjmp(buffer, 7);
}
static void run_inner(void) {
    show("in another context", return_address());
    swapcontext(&inner, &outer);
    puts("in it again");
}
static void on_signal(int number) {
    printf("signal %d, handler %p\n", number, (void *)on_signal);
    show("handler returns to", __builtin_return_address(0));
}

static void jumps(void) {
    static char stack[65536];
    int value = setjmp(buffer);
    printf("setjmp %d\n", value);
    if (!value)
        jump_back(5);
    getcontext(&inner);
    show("context's pc", (void *)inner.uc_mcontext.sc_pc);
    inner.uc_stack.ss_sp = stack;
    inner.uc_stack.ss_size = sizeof stack;
    inner.uc_link = &outer;
    makecontext(&inner, run_inner, 0);
    swapcontext(&outer, &inner);
    swapcontext(&outer, &inner);
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
}

/* ---- faults: the pc and the address that a handler is told
 * ---------------------------------------------------- */

static void on_fault(int number, siginfo_t *information, void *context) {
    const ucontext_t *state = context;
    printf("signal %d at %p, pc 0x%lx\n", number, information->si_addr, state->uc_mcontext.sc_pc);
    siglongjmp(recover, 1);
}

static void faults(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGTRAP, &action, NULL);
    volatile int *nowhere = (volatile int *)16;
    if (!sigsetjmp(recover, 1))
        *nowhere = 1;
    if (!sigsetjmp(recover, 1))
        printf("%d\n", *nowhere);
    if (!sigsetjmp(recover, 1))
        *(volatile char *)constant = 'C';
    if (!sigsetjmp(recover, 1))
        __asm__ volatile("bpt");
    puts("done");
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "places";
    if (!strcmp(what, "places"))
        places(argc, argv);
    else if (!strcmp(what, "jumps"))
        jumps();
    else
        faults();
    return 0;
}
