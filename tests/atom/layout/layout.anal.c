/* layout.anal.c: the routines of layout.inst.c. */
#include <stdio.h>
static int wrong, order;
void Fill(char *room, int size) { int i; for (i = 0; i < size; i++) { wrong += room[i] != 0; room[i] = i * 7; } }
void Order(int number) { order = 10 * order + number; }
void Check(char *room, int size) { int i; for (i = 0; i < size; i++) wrong += room[i] != (char)(i * 7); printf("wrong %d, order %d\n", wrong, order); }
