/* walk.anal.c: the routines of walk.inst.c. A library comes and goes in a system call, on a stack; it comes
   in one of the dynamic linker's, whose text is [first, first + size) if that is instrumented. */
#include <stdio.h>

static struct {
    const char *name;
    long came, gone, executed;
    int there;
} objects[300];

void Come(int number, const char *name, long stack, long pc, long first, long size) {
    objects[number].name = name;
    objects[number].came++;
    if (objects[number].there++ || stack == 0 || stack & 15 || pc == 0 || pc & 3 || (first && (unsigned long)(pc - first) >= size))
        fprintf(stderr, "%s comes in a wrong way\n", name);
}

void Go(int number, long stack, long pc) {
    objects[number].gone++;
    if (--objects[number].there || stack == 0 || stack & 15 || pc == 0 || pc & 3)
        fprintf(stderr, "object %d goes in a wrong way\n", number);
}

void Count(int number, int instructions) {
    objects[number].executed += instructions;
}

void Print(void) {
    FILE *file = fopen("walk.out", "w");
    for (int i = 0; i < 300; i++)
        if (objects[i].name)
            fprintf(file, "%s\t%ld\t%ld\t%ld\n", objects[i].name, objects[i].came, objects[i].gone, objects[i].executed);
    fclose(file);
}
