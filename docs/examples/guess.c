/* guess.c: what is_safe is replaced with. */
int always(int row, int column) {
    return row >= 0 && column >= 0;
}
