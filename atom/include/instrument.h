/* The header under its first name. */
#include "atom.inst.h"
