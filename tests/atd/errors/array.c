void Longs(const long *numbers) { (void)numbers; }
void Strings(const char *const *names) { (void)names; }
void Number(long number) { (void)number; }
void Double(double number) { (void)number; }
void Void(void *bytes) { (void)bytes; }
