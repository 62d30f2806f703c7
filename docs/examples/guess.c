/* guess.c: in the stead of is_safe. */
int always(int row, int column) {
    return row >= 0 && column >= 0;
}
