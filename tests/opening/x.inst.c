#include <cmplrs/atom.inst.h>
#include <fcntl.h>
__attribute__((constructor)) static void begin(void) { open("RAN", O_CREAT | O_WRONLY, 0600); }
__attribute__((destructor)) static void end(void) { open("RAN", O_CREAT | O_WRONLY, 0600); }
int stalls(Block *block) { return block ? 3 : 0; }
