#include <atom.inst.h>
#include <stddef.h>
int stalls(Block *block) { return GetNextBlock(block) == NULL; }
static int hidden(Block *block) { return stalls(block); }
int (*keep)(Block *) = hidden;
long name(Proc *proc, int number) { return ProcPC(proc) + number; }
