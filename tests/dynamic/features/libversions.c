int version_1(int n) { return n + 100; }
int version_2(int n) { return n + 200; }
__asm__(".symver version_1, version@V_1");
__asm__(".symver version_2, version@@V_2");
