/* gap.c: 4.4 MB of text that are no code. */
int main(void) { return 3; }
__asm__(".text\n.space 4400000\n");
