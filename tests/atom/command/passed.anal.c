/* passed.anal.c: what -I, -Wca and -Wla pass on. */
#include <stdio.h>
#include <folder_given.h>
extern int linked_there();
Say(int given, int compiled) { printf("given %d %d, compiled %d %d, linked %d\n", given, GIVEN, compiled, COMPILED, linked_there()); }
