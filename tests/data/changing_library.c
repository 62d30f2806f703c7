/* changing_library.c LIBRARY protect|remap|alias|reopen: changes the text of a library (changing.s), and runs
   it: where it is, in a new mapping over it, by another mapping of the same file, and when it has been loaded
   again. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef OWN /* its text is the program's own */
extern char own_value[] __asm__("value"), own_looped[] __asm__("looped"),
    own_written[] __asm__("written"), own_one[] __asm__("one"), own_two[] __asm__("two"),
    own_looped_add[] __asm__("looped_add"), own_written_end[] __asm__("written_end");
static const struct own {
    const char *name;
    void *address;
} owns[] = {
    {"value", own_value}, {"looped", own_looped},         {"written", own_written},        {"one", own_one},
    {"two", own_two},     {"looped_add", own_looped_add}, {"written_end", own_written_end}};
static void *find_own(const char *name) {
    for (unsigned i = 0; i < sizeof owns / sizeof owns[0]; i++)
        if (strcmp(owns[i].name, name) == 0)
            return owns[i].address;
    return NULL;
}
#define dlopen(path, mode)   ((void *)(path))
#define dlsym(library, name) find_own(name)
#define dlclose(library)
#endif

#define PAGE ((unsigned long)getpagesize())

static long (*the_value)(void), (*the_looped)(long n), (*the_written)(const char *letter), (*the_one)(void),
    (*the_two)(void);
static unsigned *the_looped_add, *the_written_end, *elsewhere;
static int file;
static void *library __attribute__((unused));

long step(long n) {
    return n + 1;
}

static void *find(const char *name) {
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return found;
}

static void load(const char *path) {
    library = dlopen(path, RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    the_value = find("value");
    the_looped = find("looped");
    the_written = find("written");
    the_one = find("one");
    the_two = find("two");
    the_looped_add = find("looped_add");
    the_written_end = find("written_end");
}

static unsigned *page_of(unsigned *instruction) {
    return (unsigned *)((long)instruction & -PAGE);
}

static void map_anew(unsigned *page, int shared) {
    static char copy[65536];
    file = shared ? memfd_create("text", 0) : -1;
    memcpy(copy, page, PAGE);
    if (shared) {
        if (file < 0 || write(file, copy, PAGE) != PAGE ||
            mmap(page, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_FIXED, file, 0) != page)
            perror("memfd");
        elsewhere = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        return;
    }
    if (mmap(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
             0) != page)
        perror("mmap");
    memcpy(page, copy, PAGE);
    elsewhere = page;
}

/* `how`: the first letter of the way. */
static void change(unsigned *instruction, unsigned word, int how) {
    unsigned *page = page_of(instruction);
    if (how == 'r' || how == 'a')
        *(volatile unsigned *)(elsewhere + (instruction - page)) = word;
    else if (mprotect(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
        *(volatile unsigned *)instruction = word;
    if (how == 'a') /* once more: an emulator may not see what is stored by another mapping */
        mmap(page, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_FIXED, file, 0);
    __asm__ volatile("imb" : : : "memory");
    if (how == 'p')
        mprotect(page, PAGE, PROT_READ | PROT_EXEC);
}

static void all(void) {
    long sum = 0;
    for (int i = 0; i < 10; i++)
        sum += the_value();
    printf("%ld %ld", sum, the_looped(20));
    fflush(stdout);
    printf("%ld\n", the_written(" "));
}

int main(int argc, char **argv) {
    int how = argc > 2 ? argv[2][0] : 'p', reopens = argc > 2 && strcmp(argv[2], "reopen") == 0;
    load(argv[1]);
    all();
    unsigned first = *(unsigned *)the_value;
    if (reopens)
        how = 'p';
    else if (how != 'p')
        map_anew(page_of((unsigned *)the_value), how == 'a');
    all();
    change((unsigned *)the_value, 0x201f002a, how); /* lda $0,42($31) */
    all();
    change(the_looped_add, 0x4000740a, how); /* addq $0,3,$10 */
    all();
    change(the_written_end,
           0xc3e00000 | (((unsigned)((long)the_two - (long)(the_written_end + 1)) / 4) & 0x1fffff),
           how); /* br the_two */
    all();
    change((unsigned *)the_value, first, how); /* as it was read */
    all();
    if (reopens) {
        dlclose(library);
        load(argv[1]);
        all();
        all();
    }
    printf("%ld\n", the_one() + the_two());
    return 0;
}
