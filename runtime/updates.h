/* updates.h: which update of a counter's cell an address in the copies is in (interface.h).
   Requires nothing of Alpha, so that it is tested on the host. */
#ifndef ATOMC_RUNTIME_UPDATES_H
#define ATOMC_RUNTIME_UPDATES_H

#include "interface.h"

struct atomc_update {
    uint64_t begin, end;
};
/* The update whose first word has been executed, and whose last not. Returns 0 if there is none. */
int atomc_find_update(const struct atomc_image *image, uint64_t pc, struct atomc_update *update);

#endif
