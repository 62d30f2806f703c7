/* Parameters of every width. */
void Small(char c, unsigned char u, short s) {
    (void)c, (void)u, (void)s;
}
void Word(int i, unsigned u) {
    (void)i, (void)u;
}
