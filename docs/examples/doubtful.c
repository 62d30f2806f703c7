/* doubtful.c: what is_safe is replaced with. */
static long asked;

int doubt(int (*original)(int, int), int row, int column) {
    return ++asked % 100 == 0 ? 1 : original(row, column);
}
