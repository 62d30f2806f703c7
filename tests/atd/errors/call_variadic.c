/* Like printf. */
int Print(const char *format, ...) {
    return format != 0;
}
