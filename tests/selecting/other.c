/* other.c: a variable with the name of another, and one that globals.c asks for. */
static volatile long same;
long shared;

void write_other(int times) {
    for (int i = 0; i < times; i++) {
        same = i;
        *(volatile long *)&shared += 1;
    }
}
