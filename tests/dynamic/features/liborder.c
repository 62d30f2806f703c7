/* liborder.c: DT_INIT and DT_FINI (-Wl,-init, -Wl,-fini) beside arrays. */
#include <stdio.h>
void inner_used(void);
void order_used(void) { inner_used(); puts("outer: used"); }
void outer_begins(void) { puts("outer: DT_INIT"); }
void outer_ends(void) { puts("outer: DT_FINI"); }
__attribute__((constructor)) static void come(void) { puts("outer: constructor"); }
__attribute__((destructor)) static void go(void) { puts("outer: destructor"); }
