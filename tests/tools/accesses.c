/* Accesses that the program counts itself, for dynmem -D accesses=true: for each line that allocates, the blocks, reads, writes,
   and blocks without any. A line of the child of fork begins with "child". */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINES = 100, BLOCKS = 50 };
static struct { long blocks, reads, writes, untouched; } sums[LINES];
static struct block {
    char *address;
    long size, line, reads, writes, touched;
} blocks[BLOCKS];

static void made(struct block *block, void *address, long size, int line) {
    *block = (struct block){address, size, line, 0, 0, 0};
    sums[line].blocks++;
}
static void gone(struct block *block) {
    sums[block->line].reads += block->reads;
    sums[block->line].writes += block->writes;
    sums[block->line].untouched += !block->touched;
}
static void use(struct block *block, unsigned random) {
    long count = random % 20, at = random % (block->size / 4);
    for (long i = 0; i < count; i++) {
        volatile int *word = (volatile int *)block->address + (at + i) % (block->size / 4);
        if (i % 3 == 0)
            *word = 1;
        else
            (void)*word;
        block->writes += i % 3 == 0;
        block->reads += i % 3 != 0;
        block->touched = 1;
    }
    /* After its end, but in memory of the allocator: in no block. */
    if (block->size % 16 == 4)
        *(volatile int *)(block->address + block->size) = 1;
}
static void print(const char *before) {
    for (struct block *block = blocks; block < blocks + BLOCKS; block++)
        if (block->address)
            gone(block);
    for (int line = 0; line < LINES; line++)
        if (sums[line].blocks > 0)
            printf("%s%d\t%ld\t%ld\t%ld\t%ld\n", before, line, sums[line].blocks, sums[line].reads, sums[line].writes,
                   sums[line].untouched);
}
static void work(unsigned seed, int rounds) {
    for (int i = 0; i < rounds; i++) {
        seed = seed * 1103515245 + 12345;
        unsigned random = seed >> 16;
        struct block *block = &blocks[random % BLOCKS];
        long size = 4 + random % 300 / 4 * 4;
        if (!block->address && random % 3 == 0)
            made(block, malloc(size), size, __LINE__);
        else if (!block->address)
            made(block, calloc(size, 1), size, __LINE__);
        else if (random % 7 == 0)
            gone(block), free(block->address), block->address = NULL;
        else if (random % 11 == 0)
            gone(block), made(block, realloc(block->address, 5000 + size), 5000 + size, __LINE__);
        else
            use(block, random);
    }
}

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    work(1, 1000);
    if (fork() == 0) {
        for (struct block *block = blocks; block < blocks + BLOCKS; block++)
            block->reads = block->writes = 0;
        for (int line = 0; line < LINES; line++)
            sums[line].blocks = sums[line].reads = sums[line].writes = sums[line].untouched = 0;
        for (struct block *block = blocks; block < blocks + BLOCKS; block++)
            if (block->address)
                sums[block->line].blocks++;
        work(2, 300);
        print("child ");
        _exit(0);
    }
    wait(NULL);
    work(3, 300);
    print("");
}
