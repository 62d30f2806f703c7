/* answers.c: the analysis routines of answers.atd. */
#include <stdio.h>

static int row, asked[6], safe[6];

void Ask(int about) {
    row = about;
    asked[row]++;
}

void Answer(int yes) {
    safe[row] += yes;
}

void Print(void) {
    for (row = 0; row < 6; row++)
        fprintf(stderr, "row %d: %d of %d are safe\n", row, safe[row], asked[row]);
}
