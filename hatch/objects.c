/* objects.c: ATOM's routines for objects: a static program is the only one, read when atomc starts.
   Requires a session; what is left to these routines is to hold the user's code to their order. */
#include "hatch/recording.h"

unsigned BuildObj(Obj *obj) {
    if (!require_recording("BuildObj") || !object_of("BuildObj", 1, obj))
        return 1;
    if (!hatch.recording->all || hatch.object != OBJECT_FOUND) {
        misuse(!hatch.recording->all          ? MESSAGE_HATCH_ATOM_DOES
               : hatch.object == OBJECT_BUILT ? MESSAGE_HATCH_BUILT_TWICE
                                              : MESSAGE_HATCH_WRITTEN,
               "BuildObj");
        return 1;
    }
    hatch.object = OBJECT_BUILT;
    return 0;
}

unsigned IsObjBuilt(Obj *obj) {
    return object_of("IsObjBuilt", 1, obj) && hatch.object == OBJECT_BUILT;
}

static bool check_end(const char *routine, Obj *obj) {
    if (!require_recording(routine) || !object_of(routine, 1, obj))
        return false;
    if (hatch.recording->all)
        return require_built(routine);
    misuse(MESSAGE_HATCH_ATOM_DOES, routine);
    return false;
}

void WriteObj(Obj *obj) {
    if (check_end("WriteObj", obj))
        hatch.object = OBJECT_WRITTEN;
}

/* Nothing may have been added to it; it can be built again. */
void ReleaseObj(Obj *obj) {
    if (!check_end("ReleaseObj", obj))
        return;
    for (uint32_t i = 0; i < hatch.recording->call_count; i++)
        if (hatch.recording->calls[i].place != PLAN_PROGRAM) {
            misuse(MESSAGE_HATCH_RELEASED, "ReleaseObj");
            return;
        }
    hatch.object = OBJECT_FOUND;
}

/* ---- threads: calls are made one at a time once the program has a thread ---------------------------------- */

int ThreadExcludeObj(Obj *obj, unsigned long flags) {
    (void)flags;
    return object_of("ThreadExcludeObj", 1, obj);
}

int ThreadExcludeProc(Obj *obj, Proc *proc, unsigned long flags) {
    uint32_t p;
    (void)flags;
    return object_of("ThreadExcludeProc", 1, obj) && proc_of("ThreadExcludeProc", 2, proc, &p);
}

Proc *ThreadCreationProc(void) {
    Proc *proc = FindProc(hatch.objects, "pthread_create");
    return proc ? proc : FindProc(hatch.objects, "__pthread_create");
}

Proc *ThreadTerminationProc(void) {
    Proc *proc = FindProc(hatch.objects, "pthread_exit");
    return proc ? proc : FindProc(hatch.objects, "__pthread_exit");
}

Obj *ThreadCreationObj(void) {
    return ThreadCreationProc() ? hatch.objects : NULL;
}

Obj *ThreadTerminationObj(void) {
    return ThreadTerminationProc() ? hatch.objects : NULL;
}

void ThreadExitCall(const char *name) {
    misuse(MESSAGE_HATCH_OBSOLETE, "ThreadExitCall", name ? name : "");
}

void ThreadForkCall(const char *name) {
    misuse(MESSAGE_HATCH_OBSOLETE, "ThreadForkCall", name ? name : "");
}
