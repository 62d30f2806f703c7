/* unsupported.c: ATOM's routines that atomc has and does not do: each says so where it is called.
   Requires the user's code to be running; docs/atom.md tells why. */
#include "hatch/internal.h"

static void xlate(const char *routine) {
    misuse(MESSAGE_HATCH_UNSUPPORTED, routine, "tables of instrumented addresses");
}

Xlate *CreateXlate(Obj *obj, unsigned count) {
    (void)obj, (void)count;
    xlate("CreateXlate");
    return NULL;
}

void AddXlateAddress(Xlate *table, Inst *inst) {
    (void)table, (void)inst;
    xlate("AddXlateAddress");
}

void AddXlateEntry(Xlate *table, Entry *entry) {
    (void)table, (void)entry;
    xlate("AddXlateEntry");
}
