/* number.c: a library of which there are several. */
int number(void) { return NUMBER; }
