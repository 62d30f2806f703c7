/* copied.c: data of the C library, of which other machines' linkers make copies in the program. */
extern char **environ;
extern void *stdout;

int main(void) {
    return !environ || !stdout;
}
