/* alpha/atom.inst.h: ATOM's lower routines about objects as they are written. docs/atom.md describes each. Those by which Alpha code
   is inserted by hand are not here: atomc inlines small routines by itself. */
#ifndef ALPHA_ATOM_INST_H
#define ALPHA_ATOM_INST_H

#include "../atom.inst.h"

#ifdef __cplusplus
extern "C" {
#endif

long ExtendBSS(Obj *, int bytes);                                     /* the address of the new bytes */
void ReplaceObjOutputName(Obj *, const char *);
void UpdateObjLiblist(Obj *, const char *old_name, const char *new_name);
Proc *GetFirstInitProc(Obj *);
Proc *GetLastFiniProc(Obj *);
long GetOffset(Inst *, Inst *);                                       /* bytes from the first to the second */

#ifdef __cplusplus
}
#endif

#endif
