long twice(n) long n; { return 2 * n; }
Kinds(c, i, l, text, ints, longs, none) char c; int i; long l; char *text; int *ints; long *longs; char *none; {
    printf("kinds %d %d %ld %s %d %ld %d\n", c, i, l, text, ints[0] + ints[1], longs[0] + longs[1], none != 0);
}
