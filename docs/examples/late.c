/* late.c: the analysis routine of late.atd. */
void Stored(long value) {
    (void)value;
}
