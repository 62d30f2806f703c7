/* floats_found.c: the bits of what the calls of floats.atd pass. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int wrong, moved;
static uint32_t last;

static uint32_t bits_of(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

void Start(float three, float minus_four, float zero, float large, double one, float two, float seventh, float eighth) {
    if (three != 3 || minus_four != -4 || bits_of(zero) != 0 || large != 16777216 || one != 1 || two != 2 ||
        seventh != -33554436 || eighth != 9)
        wrong++;
}

void Bits(float number) {
    last = bits_of(number);
    fprintf(stderr, "%08x\n", last);
}

void Same(float a, float b, float c) {
    wrong += bits_of(a) != last || bits_of(b) != last || bits_of(c) != last;
}

void Eight(float a, float b, float c, float d, float e, float f, float g, float h) {
    wrong += a != 1 || b != 2 || c != 3 || d != 4.5f || e != 5 || f != 6 || bits_of(g) != 7 || bits_of(h) != 0x3eaaaaab;
}

void Moved(long one, float two, long three, float four, float five, long six, float seventh, float eighth, float ninth,
           float tenth, long stack) {
    wrong += one != 1 || bits_of(two) != 0x3eaaaaab || three != 3 || four != 3 || five != 5 || six != 6 || seventh != 2 ||
             eighth != 4.5f || ninth != 16777216 || bits_of(tenth) != 0x3eaaaaab || stack % 16 != 0;
    moved++;
}

void Finish(float seven) {
    if (seven != 7 || moved != 1 || wrong)
        printf("%d wrong, %d moved\n", wrong, moved);
}
