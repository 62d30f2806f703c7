/* wrong.inst.c: what cannot be done with libraries, whose files are not written. */
#include <stddef.h>
#include <alpha/atom.inst.h>
unsigned InstrumentAll(int iargc, char **iargv) {
    Obj *obj = GetFirstObj(), *libc = FindObj("malloc");
    if (BuildObj(obj) || BuildObj(libc)) return 1;
    ExtendBSS(libc, 8);
    ExtendBSS(obj, -1);
    UpdateObjLiblist(libc, "ld-linux.so.2", "other.so");
    UpdateObjLiblist(obj, "libnone.so", "other.so");
    UpdateObjLiblist(obj, NULL, "other.so");
    ReplaceObjOutputName(obj, "");
    ReplaceObjOutputName(libc, "libc.atom.so"); /* its copies are in the program's output */
    UpdateObjLiblist(obj, "libc.so.6.1", "libc.atom.so");
    GetOffset(NULL, NULL);
    WriteObj(obj);
    WriteObj(libc);
    return 0;
}
