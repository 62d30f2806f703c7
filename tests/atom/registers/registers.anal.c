/* registers.anal.c: prints what it gets. */
#include <stdio.h>
#include <cmplrs/atom.anal.h>

Register(int place, int number, REGV value) {
    if (number == 65) return; /* the cycle counter: below */
    if (number == 30 && place % 10 == 0) printf("%d 30 argc %ld\n", place, *(long *)value);
    else printf("%d %d %ld\n", place, number, value);
}
Float(int place, int number, FREGV value) { printf("%d %d %ld\n", place, number, value); }
Many(int place, REGV a, REGV b, REGV c, REGV d, REGV e, REGV f, REGV g, REGV h, REGV i, REGV j, REGV k, REGV l, REGV m, REGV n,
     REGV o, REGV p, REGV q, REGV r, REGV s, REGV t, REGV u, REGV v, REGV w, REGV x, REGV y, REGV z, REGV A, REGV B, REGV C, REGV D) {
    printf("many %d %ld %ld\n", place, a, a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t + u + v + w +
           x + y + z + A + B + C + D);
}
Named(int place, REGV ra, REGV gp, REGV zero, REGV a, REGV b, REGV c, REGV d, REGV e, REGV f, REGV v, REGV w) {
    printf("named %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld %ld\n", ra, gp, zero, a, b, c, d, e, f, v, w);
}
NamedFloat(int place, FREGV zero, FREGV a, FREGV b, FREGV c, FREGV d, FREGV e, FREGV f, FREGV v) {
    printf("floats %ld %ld %ld %ld %ld %ld %ld %ld\n", zero, a, b, c, d, e, f, v);
}
static int begun;
static unsigned long last;
Cycles(unsigned long cc) { /* a moment ago, and not what it was before; the offset in its high half is the process's */
    unsigned long now;
    asm volatile("rpcc %0" : "=r"(now));
    if (begun++) printf("cycles %s\n", (unsigned)now - (unsigned)cc < 0x80000000 && cc != last && now >> 32 == cc >> 32 ? "go on" : "are wrong");
    last = cc;
}
