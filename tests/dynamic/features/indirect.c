/* indirect.c: an indirect function, which Alpha's compiler refuses. */
static int one(void) {
    return 1;
}
static int (*pick(void))(void) {
    return one;
}
int chosen(void) __attribute__((ifunc("pick")));
