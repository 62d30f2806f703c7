/* A routine that the linker cannot see. */
static int hidden(int x) {
    return x;
}
int visible(void) {
    return hidden(1);
}
