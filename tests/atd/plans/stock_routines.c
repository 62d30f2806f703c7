/* Routines with the parameters that stock tools have. */
void Reference(unsigned long address) {
    (void)address;
}
void Executed(int procedure, int instructions) {
    (void)procedure, (void)instructions;
}
void PrintProcedure(int procedure, const char *name, const char *file, unsigned line) {
    (void)procedure, (void)name, (void)file, (void)line;
}
void Reading(int file, void *buffer, unsigned long bytes) {
    (void)file, (void)buffer, (void)bytes;
}
void RecordRead(long bytes) {
    (void)bytes;
}
void SaveLoad(long value) {
    (void)value;
}
void CheckLoad(long load, long value, void *address) {
    (void)load, (void)value, (void)address;
}
void Start(const char *name, int instructions, int procedures) {
    (void)name, (void)instructions, (void)procedures;
}
