struct pair {
    long a, b;
};
void *Good(unsigned long size) { return (void *)size; }
int Variadic(const char *format, ...) { return !format; }
long Seven(long a, long b, long c, long d, long e, long f, long g) { return a + b + c + d + e + f + g; }
struct pair Structure(void) { return (struct pair){0, 0}; }
double Float(float x, struct pair y) { return (double)x + y.a; }
void Unchecked() {}
