#include <stdio.h>
#include <stdlib.h>
static void at_exit(void) { puts("inner: atexit"); }
void inner_used(void) { puts("inner: used"); }
__attribute__((constructor)) static void come(void) { puts("inner: constructor"); atexit(at_exit); }
__attribute__((destructor)) static void go(void) { puts("inner: destructor"); }
