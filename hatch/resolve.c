/* resolve.c: ATOM's routines that find places by name, and where calls and branches go.
   Requires a session; names are those of the program's symbols. */
#include "hatch/internal.h"

#include <string.h>

#include "engine/cfg.h"

/* ---- names -------------------------------------------------------------------------------------------- */

/* The instruction that a symbol names, by any of its names; also by __start, as DEC's programs called what is
   _start on Linux. */
static uint32_t find_instruction(const char *name) {
    struct symbol symbol;
    if (hatch.object != OBJECT_BUILT)
        return NO_INDEX;
    if (find_symbol(name, ANY_ADDRESS, &symbol) ||
        (strcmp(name, "__start") == 0 && find_symbol("_start", ANY_ADDRESS, &symbol)))
        return instruction_at(hatch.program, symbol.address);
    return NO_INDEX;
}

static uint32_t find_procedure(const char *name) {
    for (uint32_t p = 0; hatch.object == OBJECT_BUILT && p < hatch.program->procedure_count; p++)
        if (hatch.program->procedures[p].origin == PROCEDURE_SYMBOL &&
            strcmp(hatch.program->procedures[p].name, name) == 0)
            return p;
    uint32_t i = find_instruction(name), p = i == NO_INDEX ? NO_INDEX : procedure_at(hatch.program, i);
    return p != NO_INDEX && hatch.program->procedures[p].first == i ? p : NO_INDEX;
}

/* Of the procedure of that name, or of a place inside of one. */
static uint32_t named_instruction(const char *routine, const char *name) {
    if (!name) {
        misuse(MESSAGE_HATCH_HANDLE, routine, 2, "a name", "NULL");
        return NO_INDEX;
    }
    uint32_t p = find_procedure(name);
    return p == NO_INDEX ? find_instruction(name) : hatch.program->procedures[p].first;
}

static uint32_t named(const char *routine, int number, const char *name) {
    if (name)
        return find_procedure(name);
    misuse(MESSAGE_HATCH_HANDLE, routine, number, "a name", "NULL");
    return NO_INDEX;
}

/* Fills what is known of a procedure of that name. */
static void fill(ProcRes *result, const char *name) {
    uint32_t p = find_procedure(name);
    *result = (ProcRes){.name = name};
    if (p == NO_INDEX)
        return;
    result->obj = hatch.objects;
    result->proc = proc_handle(p);
    result->inst = inst_handle(hatch.program->procedures[p].first);
}

static bool check_result(const char *routine, int number, const ProcRes *result) {
    if (!result)
        misuse(MESSAGE_HATCH_HANDLE, routine, number, "a ProcRes", "NULL");
    return result != NULL;
}

void ResolveNamedProc(const char *name, ProcRes *result) {
    if (!check_result("ResolveNamedProc", 2, result))
        return;
    if (name)
        fill(result, name);
    else
        misuse(MESSAGE_HATCH_HANDLE, "ResolveNamedProc", 1, "a name", "NULL");
}

void ResolveObjNamedProc(Obj *obj, const char *name, ProcRes *result) {
    if (!object_of("ResolveObjNamedProc", 1, obj) || !check_result("ResolveObjNamedProc", 3, result))
        return;
    if (name)
        fill(result, name);
    else
        misuse(MESSAGE_HATCH_HANDLE, "ResolveObjNamedProc", 2, "a name", "NULL");
}

void ReResolveProc(ProcRes *result) {
    if (check_result("ReResolveProc", 1, result) && result->name && !result->proc)
        fill(result, result->name);
}

/* By its whole path, or what comes after the last slash. */
static bool is_called(const char *name) {
    const char *path = hatch.program->path, *slash = strrchr(path, '/');
    return strcmp(path, name) == 0 || strcmp(slash ? slash + 1 : path, name) == 0;
}

Obj *FindObj(const char *name) {
    if (!name)
        misuse(MESSAGE_HATCH_HANDLE, "FindObj", 1, "a name", "NULL");
    return name && is_called(name) ? hatch.objects : NULL;
}

Obj *FindObjDepthFirst(Obj *obj, const char *name) {
    return object_of("FindObjDepthFirst", 1, obj) ? FindObj(name) : NULL;
}

Proc *FindProc(Obj *obj, const char *name) {
    return object_of("FindProc", 1, obj) ? proc_handle(named("FindProc", 2, name)) : NULL;
}

Entry *FindEntry(Obj *obj, const char *name) {
    uint32_t i = object_of("FindEntry", 1, obj) ? named_instruction("FindEntry", name) : NO_INDEX;
    return i == NO_INDEX ? NULL : entry_handle(entry_at(i));
}

Inst *FindInst(Obj *obj, const char *name) {
    uint32_t i = object_of("FindInst", 1, obj) ? named_instruction("FindInst", name) : NO_INDEX;
    return inst_handle(i);
}

Proc *GetNamedProc(const char *name) {
    return proc_handle(named("GetNamedProc", 1, name));
}

Obj *GetNamedProcObj(const char *name) {
    return named("GetNamedProcObj", 1, name) == NO_INDEX ? NULL : hatch.objects;
}

/* ---- targets ------------------------------------------------------------------------------------------ */

/* Where a call, a jump or a branch goes; NO_INDEX if that is not known before it runs. False after reporting.
 */
static bool target_of(const char *routine, Inst *inst, uint32_t *target) {
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
    *result = (ProcRes){hatch.objects, proc_handle(p), name_of(p), inst_handle(target)};
}

Proc *GetTargetProc(Inst *inst) {
    return proc_handle(target_procedure("GetTargetProc", inst));
}

Obj *GetTargetObj(Inst *inst) {
    return target_procedure("GetTargetObj", inst) == NO_INDEX ? NULL : hatch.objects;
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
