/* Analysis routines that the wrong tools of this folder call. */
typedef unsigned long address;
struct point {
    int x, y;
};
void OpenFile(int branches) {
    (void)branches;
}
void CondBranch(int number, long taken) {
    (void)number, (void)taken;
}
void Named(const char *name, address pc) {
    (void)name, (void)pc;
}
