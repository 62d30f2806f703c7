void F(void) { }
void G(long n) { (void)n; }
void S(const char *s, int *a, long *b) { (void)s, (void)a, (void)b; }
