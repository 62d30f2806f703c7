void *where_from(void) { return (void *)where_from; }
int behind;
void call_back(void (*routine)(void)) { routine(); behind++; }
