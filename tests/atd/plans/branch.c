/* The routines of ATOM's branch counting example. */
void OpenFile(int branches) {
    (void)branches;
}
void CondBranch(int branch, int taken) {
    (void)branch, (void)taken;
}
void PrintBranch(int branch, long pc) {
    (void)branch, (void)pc;
}
void CloseFile(void) {
}
