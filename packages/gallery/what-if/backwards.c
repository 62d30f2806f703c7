int Backwards(const char *a, const char *b) {
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*b - (unsigned char)*a;
}
