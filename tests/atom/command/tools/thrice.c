long thrice(long n) {
    return 3 * n;
}
