void Take(int thread, double number) { (void)thread, (void)number; }
void Text(const char *text, long number) { (void)text, (void)number; }
void List(long thread, const long *list) { (void)thread, (void)list; }
void Any();
