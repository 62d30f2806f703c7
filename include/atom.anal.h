/* atom.anal.h: what ATOM's analysis routines get and may call, as atomc offers it; docs/atom.md says what differs.
   Also found as <cmplrs/atom.anal.h>. */
#ifndef ATOM_ANAL_H
#define ATOM_ANAL_H

typedef long REGV, FREGV; /* contents of a register, 64 bits as they are */
typedef long VALUE;

#endif
