void F(void) { }
void G(long n) { (void)n; }
void S(const char *s, int *a, long *b) { (void)s, (void)a, (void)b; }

struct two { long a, b; };
Seven(a, b, c, d, e, f, g) { return g; }
Variable(char *format, ...) { return *format; }
long Structure(struct two two) { return two.b; }
