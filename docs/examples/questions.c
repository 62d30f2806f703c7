/* questions.c: a program to ask questions about, on the first screen of the workbench: by_columns
   misses the cache, by_rows never runs, add_word allocates, and writes after the end of a block. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 96 };
static double left[SIZE][SIZE], right[SIZE][SIZE], product[SIZE][SIZE];

static void fill(void) {
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++) {
            left[row][column] = row + column;
            right[row][column] = row - column;
        }
}

/* The inner loop goes down a column of `right`: each step is in another line of the cache. */
static void by_columns(void) {
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++) {
            double sum = 0;
            for (int i = 0; i < SIZE; i++)
                sum += left[row][i] * right[i][column];
            product[row][column] = sum;
        }
}

/* The same product, row by row: run it with the argument `rows`. */
static void by_rows(void) {
    for (int row = 0; row < SIZE; row++)
        for (int i = 0; i < SIZE; i++)
            for (int column = 0; column < SIZE; column++)
                product[row][column] += left[row][i] * right[i][column];
}

/* Words in a list, each in two blocks. The list is never freed. */
struct word {
    struct word *next;
    char *text;
};

static struct word *add_word(struct word *list, const char *text) {
    struct word *word = malloc(sizeof *word);
    word->text = malloc(strlen(text)); /* one byte too few: the text has an end */
    strcpy(word->text, text);
    word->next = list;
    return word;
}

static void print_words(void) {
    static const char *const texts[] = {"rows", "and", "columns", "of", "a", "matrix"};
    struct word *list = NULL;
    for (int i = 0; i < 600; i++)
        list = add_word(list, texts[i % 6]);
    for (int i = 0; i < 3 && list; i++, list = list->next)
        printf("%s ", list->text);
}

int main(int argc, char **argv) {
    fill();
    if (argc > 1 && strcmp(argv[1], "rows") == 0)
        by_rows();
    else
        by_columns();
    print_words();
    printf("%g\n", product[3][5]);
    return 0;
}
