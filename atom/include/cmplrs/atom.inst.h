/* The header under the name that Digital UNIX gave it. */
#include "../atom.inst.h"
