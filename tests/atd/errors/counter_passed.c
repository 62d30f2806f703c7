void Now(const long *cells) {
    (void)cells;
}
void Later(long cells) {
    (void)cells;
}
void Short(const int *cells) {
    (void)cells;
}
