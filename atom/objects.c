/* objects.c: ATOM's routines for objects, which have all been read when atomc starts. Requires a session;
   these routines only enforce the order of calls for each object. */
#include "engine/engine.h"
#include "atom/recording.h"

unsigned BuildObj(Obj *obj) {
    uint32_t o;
    if (!require_recording("BuildObj") || !object_of("BuildObj", 1, obj, &o))
        return 1;
    if (!session.recording->all || session.states[o] != OBJECT_FOUND) {
        misuse(!session.recording->all             ? MESSAGE_ATOM_ATOM_DOES
               : session.states[o] == OBJECT_BUILT ? MESSAGE_ATOM_BUILT_TWICE
                                                   : MESSAGE_ATOM_WRITTEN,
               "BuildObj");
        return 1;
    }
    session.states[o] = OBJECT_BUILT;
    return 0;
}

unsigned IsObjBuilt(Obj *obj) {
    uint32_t o;
    return object_of("IsObjBuilt", 1, obj, &o) && session.states[o] == OBJECT_BUILT;
}

static bool check_end(const char *routine, Obj *obj, uint32_t *object) {
    if (!require_recording(routine) || !object_of(routine, 1, obj, object))
        return false;
    if (session.recording->all)
        return require_built(routine, *object);
    misuse(MESSAGE_ATOM_ATOM_DOES, routine);
    return false;
}

void WriteObj(Obj *obj) {
    uint32_t o;
    if (check_end("WriteObj", obj, &o))
        session.states[o] = OBJECT_WRITTEN;
}

static uint32_t object_of_call(const struct atom_call *call) {
    return call->place == PLAN_OBJECT
               ? call->index
               : object_number_of(session.program,
                                  place_instruction(session.program, call->place, call->index));
}

/* The object must have no additions; it can be built again. */
void ReleaseObj(Obj *obj) {
    uint32_t o;
    if (!check_end("ReleaseObj", obj, &o))
        return;
    for (uint32_t i = 0; i < session.recording->call_count; i++) {
        const struct atom_call *call = &session.recording->calls[i];
        if (call->place != PLAN_PROGRAM && object_of_call(call) == o) {
            misuse(MESSAGE_ATOM_RELEASED, "ReleaseObj");
            return;
        }
    }
    session.states[o] = OBJECT_FOUND;
}

/* ---- threads: calls are made one at a time once the program has a thread ---------------------------------- */

/* Nonzero: the object should be excluded. Calls are allowed everywhere, so only invalid objects are. */
int ThreadExcludeObj(Obj *obj, unsigned long flags) {
    uint32_t o;
    (void)flags;
    return !object_of("ThreadExcludeObj", 1, obj, &o);
}

int ThreadExcludeProc(Obj *obj, Proc *proc, unsigned long flags) {
    uint32_t o, p;
    (void)flags;
    return !object_of("ThreadExcludeProc", 1, obj, &o) || !proc_of("ThreadExcludeProc", 2, proc, &p);
}

/* In the first built object that has the name. */
static Proc *find_in_objects(const char *name, const char *other) {
    for (uint32_t o = 0; o < session.object_count; o++) {
        Proc *proc = FindProc(session.objects + o, name);
        if (!proc)
            proc = FindProc(session.objects + o, other);
        if (proc)
            return proc;
    }
    return NULL;
}

Proc *ThreadCreationProc(void) {
    return find_in_objects("pthread_create", "__pthread_create");
}

Proc *ThreadTerminationProc(void) {
    return find_in_objects("pthread_exit", "__pthread_exit");
}

Obj *ThreadCreationObj(void) {
    Proc *proc = ThreadCreationProc();
    return proc ? GetProcObj(proc) : NULL;
}

Obj *ThreadTerminationObj(void) {
    Proc *proc = ThreadTerminationProc();
    return proc ? GetProcObj(proc) : NULL;
}

int ThreadExitCall(Obj *obj, unsigned long flags, const char *name) {
    uint32_t o;
    (void)flags;
    if (object_of("ThreadExitCall", 1, obj, &o))
        misuse(MESSAGE_ATOM_OBSOLETE, "ThreadExitCall", name ? name : "");
    return 0;
}

int ThreadForkCall(Obj *obj, unsigned long flags, const char *before, const char *after) {
    uint32_t o;
    (void)flags, (void)after;
    if (object_of("ThreadForkCall", 1, obj, &o))
        misuse(MESSAGE_ATOM_OBSOLETE, "ThreadForkCall", before ? before : "");
    return 0;
}
