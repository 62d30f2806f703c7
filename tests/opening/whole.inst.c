#include <cmplrs/atom.inst.h>
#include <fcntl.h>
__attribute__((constructor)) static void begin(void) { open("RAN", O_CREAT | O_WRONLY, 0600); }
unsigned InstrumentAll(int count, char **words) { return 0; }
