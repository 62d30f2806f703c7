/* words.c: the program of docs/cookbook.md: counts words, sorts them, and writes the most frequent. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    struct word *left, *right;
    long count;
    char text[];
};

static const char text[] = "the cat and the dog and the bird saw the cat but the dog saw a bird and a cat";
long total;
static struct word *list[32];
static int listed;

static struct word *make(const char *begin, size_t length) {
    struct word *new = malloc(sizeof *new + length + 1);
    memset(new, 0, sizeof *new);
    memcpy(new->text, begin, length);
    new->text[length] = '\0';
    return new;
}

static struct word *insert(struct word *tree, const char *begin, size_t length) {
    if (!tree)
        tree = make(begin, length);
    int order = strncmp(begin, tree->text, length);
    if (order == 0 && tree->text[length] != '\0') /* it is longer */
        order = -1;
    if (order == 0)
        tree->count++;
    else if (order < 0)
        tree->left = insert(tree->left, begin, length);
    else
        tree->right = insert(tree->right, begin, length);
    return tree;
}

static void collect(struct word *tree) {
    if (!tree)
        return;
    collect(tree->left);
    list[listed++] = tree;
    collect(tree->right);
}

static int compare(const void *a, const void *b) {
    const struct word *x = *(struct word *const *)a, *y = *(struct word *const *)b;
    return x->count == y->count ? strcmp(x->text, y->text) : x->count < y->count ? 1 : -1;
}

static long classify(const char *word) {
    switch (strlen(word)) {
    case 1:
        return 1;
    case 2:
        return 4;
    case 3:
        return 9;
    case 4:
        return 16;
    default:
        return 0;
    }
}

int main(void) {
    struct word *tree = NULL;
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, " ");
        tree = insert(tree, at, length);
        total += length;
        at += length + (at[length] == ' ');
    }
    collect(tree);
    qsort(list, listed, sizeof *list, compare);
    FILE *file = fopen("words.txt", "w");
    for (int i = 0; i < listed; i++)
        fprintf(file, "%s %ld %ld\n", list[i]->text, list[i]->count, classify(list[i]->text));
    fclose(file);
    printf("%d words, most often: %s\n", listed, list[0]->text);
    return 0;
}
