/* unsupported.c: ATOM's routines that atomc has and does not do: each says so where it is called.
   Requires the user's code to be running; docs/atom.md tells why. */
#include "hatch/internal.h"

static void replace(const char *routine) {
    misuse(MESSAGE_HATCH_UNSUPPORTED, routine, "replacing procedures");
}

static void xlate(const char *routine) {
    misuse(MESSAGE_HATCH_UNSUPPORTED, routine, "tables of instrumented addresses");
}

void ReplaceProcedure(Proc *proc, const char *name) {
    (void)proc, (void)name;
    replace("ReplaceProcedure");
}

void ReplaceProto(const char *prototype) {
    (void)prototype;
    replace("ReplaceProto");
}

void ReplaceEntry(Entry *entry, const char *name, ...) {
    (void)entry, (void)name;
    replace("ReplaceEntry");
}

void atom_replace_entry(Entry *entry, const char *name, const struct atom_argument *arguments) {
    (void)entry, (void)name, (void)arguments;
    replace("ReplaceEntry");
}

void ReplaceAndRetainEntry(Entry *entry, const char *name) {
    (void)entry, (void)name;
    replace("ReplaceAndRetainEntry");
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
