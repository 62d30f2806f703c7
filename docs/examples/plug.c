/* plug.c: a plug-in of host.c. */
long square(long n) {
    return n * n;
}
