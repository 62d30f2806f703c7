/* early_blocks.c: a routine that takes a moment, in which its thread may be stopped. */
void Look(long pc) {
    static volatile long seen[64];
    for (int i = 0; i < 20; i++)
        seen[(pc >> 2) + i & 63] += pc;
}
