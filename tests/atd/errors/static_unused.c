static void Tick(void) {}
