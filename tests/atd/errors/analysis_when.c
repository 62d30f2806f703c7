void Page(const char *name) {
    (void)name;
}
