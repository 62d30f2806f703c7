/* alpha/atom.inst.h: ATOM's lower-level routines about objects in the output. The routines that insert
   Alpha code by hand are missing: atomc inlines small routines by itself. */
#ifndef ALPHA_ATOM_INST_H
#define ALPHA_ATOM_INST_H

#include "../atom.inst.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds zeros after the program's bss, and returns their address, a multiple of 16; not for libraries. */
long ExtendBSS(Obj *, int bytes);                                     /* the address of the new bytes */
/* Gives the output another name, in spite of -o; a library has no output. */
void ReplaceObjOutputName(Obj *, const char *);
/* Makes the program need the library `new` instead of `old`; for a name set by ReplaceObjOutputName it has no
   effect. */
void UpdateObjLiblist(Obj *, const char *old_name, const char *new_name);
/* The first procedure of .preinit_array, .init, .init_array, and of .fini, .fini_array, or NULL. */
Proc *GetFirstInitProc(Obj *);
Proc *GetLastFiniProc(Obj *);
/* The bytes from one instruction of the original text to another. */
long GetOffset(Inst *, Inst *);                                       /* bytes from the first to the second */

#ifdef __cplusplus
}
#endif

#endif
