/* late.c: the analysis routine of late.atd. */
void Loaded(unsigned long address) {
    (void)address;
}
