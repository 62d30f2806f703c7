/* resolve.c: ATOM's routines that find places by name, and where calls and branches go.
   Requires a session; names are those of the program's symbols. */
#include "hatch/internal.h"

#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

/* ---- names -------------------------------------------------------------------------------------------- */

/* The instruction of the object that a symbol names, by any of its names; also by __start, as DEC's programs
   called what is _start on Linux. */
static uint32_t find_instruction(uint32_t object, const char *name) {
    struct symbol symbol;
    if (hatch.states[object] != OBJECT_BUILT)
        return NO_INDEX;
    if (find_symbol(object, name, ANY_ADDRESS, &symbol) ||
        (strcmp(name, "__start") == 0 && find_symbol(object, "_start", ANY_ADDRESS, &symbol)))
        return instruction_at(hatch.program, symbol.address);
    return NO_INDEX;
}

static uint32_t find_procedure(uint32_t object, const char *name) {
    uint32_t first, end;
    if (hatch.states[object] != OBJECT_BUILT)
        return NO_INDEX;
    procedures_of(object, &first, &end);
    for (uint32_t p = first; p < end; p++)
        if (hatch.program->procedures[p].origin == PROCEDURE_SYMBOL &&
            strcmp(hatch.program->procedures[p].name, name) == 0)
            return p;
    uint32_t i = find_instruction(object, name),
             p = i == NO_INDEX ? NO_INDEX : procedure_at(hatch.program, i);
    return p != NO_INDEX && hatch.program->procedures[p].first == i ? p : NO_INDEX;
}

/* In the first object that has it, of those that are built. */
static uint32_t find_anywhere(const char *name) {
    for (uint32_t o = 0; o < hatch.object_count; o++) {
        uint32_t p = find_procedure(o, name);
        if (p != NO_INDEX)
            return p;
    }
    return NO_INDEX;
}

static bool check_name(const char *routine, int number, const char *name) {
    if (!name)
        misuse(MESSAGE_HATCH_HANDLE, routine, number, "a name", "NULL");
    return name != NULL;
}

/* Fills what is known of a procedure of that name. */
static void fill(ProcRes *result, const char *name, uint32_t p) {
    *result = (ProcRes){.name = name};
    if (p == NO_INDEX)
        return;
    result->obj = object_handle(object_of_procedure(p));
    result->proc = proc_handle(p);
    result->inst = inst_handle(hatch.program->procedures[p].first);
}

static bool check_result(const char *routine, int number, const ProcRes *result) {
    if (!result)
        misuse(MESSAGE_HATCH_HANDLE, routine, number, "a ProcRes", "NULL");
    return result != NULL;
}

void ResolveNamedProc(const char *name, ProcRes *result) {
    if (check_result("ResolveNamedProc", 2, result) && check_name("ResolveNamedProc", 1, name))
        fill(result, name, find_anywhere(name));
}

void ResolveObjNamedProc(Obj *obj, const char *name, ProcRes *result) {
    static const char routine[] = "ResolveObjNamedProc";
    uint32_t o;
    if (object_of(routine, 1, obj, &o) && check_result(routine, 3, result) && check_name(routine, 2, name))
        fill(result, name, find_procedure(o, name));
}

void ReResolveProc(ProcRes *result) {
    if (check_result("ReResolveProc", 1, result) && result->name && !result->proc)
        fill(result, result->name, find_anywhere(result->name));
}

/* By its whole path, or what comes after the last slash. */
static bool is_called(uint32_t object, const char *name) {
    return strcmp(object_number(hatch.program, object)->path, name) == 0 ||
           strcmp(object_file_name(hatch.program, object), name) == 0;
}

Obj *FindObj(const char *name) {
    if (!check_name("FindObj", 1, name))
        return NULL;
    for (uint32_t o = 0; o < hatch.object_count; o++)
        if (is_called(o, name))
            return object_handle(o);
    return NULL;
}

/* The object itself, or one that it needs, or these, and so on. */
static uint32_t find_needed(uint32_t object, const char *name, bool *seen) {
    const char *needed;
    if (seen[object])
        return NO_INDEX;
    seen[object] = true;
    if (is_called(object, name))
        return object;
    for (uint32_t k = 0; (needed = dynamic_needed(object_number(hatch.program, object), k)); k++)
        for (uint32_t o = 1; o < hatch.object_count; o++)
            if (is_called(o, needed)) {
                uint32_t found = find_needed(o, name, seen);
                if (found != NO_INDEX)
                    return found;
            }
    return NO_INDEX;
}

Obj *FindObjDepthFirst(Obj *obj, const char *name) {
    uint32_t o;
    if (!object_of("FindObjDepthFirst", 1, obj, &o) || !check_name("FindObjDepthFirst", 2, name))
        return NULL;
    bool *seen = allocate_zeroed(hatch.object_count, sizeof *seen);
    uint32_t found = find_needed(o, name, seen);
    free(seen);
    return object_handle(found);
}

Proc *FindProc(Obj *obj, const char *name) {
    uint32_t o;
    if (!object_of("FindProc", 1, obj, &o) || !check_name("FindProc", 2, name))
        return NULL;
    return proc_handle(find_procedure(o, name));
}

/* Of the procedure of that name, or of a place inside of one. */
static uint32_t named_instruction(const char *routine, Obj *obj, const char *name) {
    uint32_t o;
    if (!object_of(routine, 1, obj, &o) || !check_name(routine, 2, name))
        return NO_INDEX;
    uint32_t p = find_procedure(o, name);
    return p == NO_INDEX ? find_instruction(o, name) : hatch.program->procedures[p].first;
}

Entry *FindEntry(Obj *obj, const char *name) {
    uint32_t i = named_instruction("FindEntry", obj, name);
    return i == NO_INDEX ? NULL : entry_handle(entry_at(i));
}

Inst *FindInst(Obj *obj, const char *name) {
    return inst_handle(named_instruction("FindInst", obj, name));
}

Proc *GetNamedProc(const char *name) {
    return check_name("GetNamedProc", 1, name) ? proc_handle(find_anywhere(name)) : NULL;
}

Obj *GetNamedProcObj(const char *name) {
    uint32_t p = check_name("GetNamedProcObj", 1, name) ? find_anywhere(name) : NO_INDEX;
    return p == NO_INDEX ? NULL : object_handle(object_of_procedure(p));
}

/* ---- targets ------------------------------------------------------------------------------------------ */

/* Where an instruction goes. */
struct target {
    uint32_t instruction; /* NO_INDEX: that is not known before it runs, or in no object that is instrumented */
    const char *name;     /* what the dynamic linker looks up for it; NULL: nothing */
    bool is_call;
};

static bool is_within_procedure(uint32_t target, uint32_t i) {
    return procedure_at(hatch.program, target) == procedure_at(hatch.program, i);
}

/* False after reporting: it is none that goes anywhere. */
static bool target_of(const char *routine, Inst *inst, struct target *target) {
    uint32_t i, skipped;
    *target = NO_INDEX;
    if (!inst_of(routine, 1, inst, &i))
        return false;
    const struct program *program = hatch.program;
    uint32_t word = program->text[i];
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    if (descriptor->format == ALPHA_FORMAT_BRANCH) {
        *target = branch_target(program, i);
        return true;
    }
    if (descriptor->format != ALPHA_FORMAT_JUMP) {
        misuse(MESSAGE_HATCH_INSTRUCTION, routine, 1, "a call, a jump or a branch",
               (unsigned long long)instruction_address(program, i), descriptor->mnemonic);
        return false;
    }
    uint32_t callee = descriptor->flags & ALPHA_RETURN ? NO_INDEX : call_target(program, i, &skipped);
    if (callee != NO_INDEX)
        *target = program->procedures[callee].first + skipped;
    return true;
}

/* The procedure that it enters; a branch within its own enters none. */
static uint32_t target_procedure(const char *routine, Inst *inst) {
    uint32_t target, i = (uint32_t)(inst - hatch.insts);
    if (!target_of(routine, inst, &target) || target == NO_INDEX)
        return NO_INDEX;
    uint32_t p = procedure_at(hatch.program, target);
    bool call = alpha_decode(hatch.program->text[i])->flags & ALPHA_CALL;
    return call || p != procedure_at(hatch.program, i) ? p : NO_INDEX;
}

static const char *name_of(uint32_t p) {
    if (p == NO_INDEX || hatch.program->procedures[p].origin != PROCEDURE_SYMBOL)
        return NULL;
    return hatch.program->procedures[p].name;
}

void ResolveTargetProc(Inst *inst, ProcRes *result) {
    uint32_t target;
    if (!check_result("ResolveTargetProc", 2, result))
        return;
    *result = (ProcRes){0};
    uint32_t p = target_procedure("ResolveTargetProc", inst);
    if (p == NO_INDEX)
        return;
    target_of("ResolveTargetProc", inst, &target);
    *result =
        (ProcRes){object_handle(object_of_procedure(p)), proc_handle(p), name_of(p), inst_handle(target)};
}

Proc *GetTargetProc(Inst *inst) {
    return proc_handle(target_procedure("GetTargetProc", inst));
}

Obj *GetTargetObj(Inst *inst) {
    uint32_t p = target_procedure("GetTargetObj", inst);
    return p == NO_INDEX ? NULL : object_handle(object_of_procedure(p));
}

const char *GetTargetName(Inst *inst) {
    return name_of(target_procedure("GetTargetName", inst));
}

Inst *GetTargetInst(Inst *inst) {
    uint32_t target;
    return target_of("GetTargetInst", inst, &target) ? inst_handle(target) : NULL;
}

Entry *GetTargetEntry(Inst *inst) {
    uint32_t target;
    if (!target_of("GetTargetEntry", inst, &target) || target == NO_INDEX)
        return NULL;
    const struct procedure *procedure = &hatch.program->procedures[procedure_at(hatch.program, target)];
    bool behind_ldgp = procedure->has_ldgp && target == procedure->first + 2; /* the same entry */
    return entry_handle(entry_at(behind_ldgp ? procedure->first : target));
}

Proc *GetProcCalled(Inst *inst) {
    return proc_handle(target_procedure("GetProcCalled", inst));
}

const char *GetInstProcCalled(Inst *inst) {
    return name_of(target_procedure("GetInstProcCalled", inst));
}
