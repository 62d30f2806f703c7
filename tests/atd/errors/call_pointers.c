/* Parameters that are no integers. */
struct point {
    int x, y;
};
void Pointers(void *any, int *ints, void *address, const char *text) {
    (void)any, (void)ints, (void)address, (void)text;
}
void Others(float f, long l) {
    (void)f, (void)l;
}
void Doubles(double good, double bad) {
    (void)good, (void)bad;
}
void Structure(struct point p) {
    (void)p;
}
struct atomc_keyed;
void Keys(struct atomc_keyed *opened, const long *cells) {
    (void)opened, (void)cells;
}
