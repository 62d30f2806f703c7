/* arrays.c: are the arrays of arrays.atd what is passed one by one? */
#include <stdio.h>
#include <string.h>

static const long *pcs;
static const int *sizes;
static const unsigned short *short_sizes;
static const char *const *names;
static const char *leaf;
static const unsigned char *opcodes;
static long checks, wrong, name, opcode, steps;

static void check(int good) {
    checks++;
    wrong += !good;
}

void Longs(const long *p, long count, const int *s) {
    pcs = p, sizes = s;
    check(count > 100);
}
void Strings(const char *const *n) { names = n; }
void Flags(const char *l, const unsigned short *s) { leaf = l, short_sizes = s; }
void Shorts(const unsigned char *o, const int *s, unsigned long *p) {
    opcodes = o;
    check(s == sizes && (long *)p == pcs);
}
void Block(long id, long pc) { check(pcs[id] == pc); }
void Size(int index, int size) { check(sizes[index] == size && short_sizes[index] == size); }
void Leaf(int id, int is_leaf) { check(leaf[id] == is_leaf); }
void Name(const char *n) { check(names[name++] == n && strlen(n) > 0); }
void Opcode(int o) { check(opcodes[opcode++] == o); }
void Step(const char **n, long *p, int *s) {
    steps++;
    check((const char *const *)n == names && p == pcs && s == sizes);
}
void Finish(void) {
    printf("%s checks, %ld wrong, %ld steps\n", checks > 10000 ? "many" : "few", wrong, steps);
}
