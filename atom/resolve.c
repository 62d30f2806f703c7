/* resolve.c: ATOM's routines that find places by name, and targets of calls and branches. Requires a
   session; names are those of the program's symbols. */
#include "atom/internal.h"

#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

/* ---- names -------------------------------------------------------------------------------------------- */

/* The instruction of the object at a symbol, by any of its names; also for __start, DEC's name for
   _start. */
static uint32_t find_instruction(uint32_t object, const char *name) {
    struct symbol symbol;
    if (session.states[object] != OBJECT_BUILT)
        return NO_INDEX;
    if (find_symbol(object, name, ANY_ADDRESS, &symbol) ||
        (strcmp(name, "__start") == 0 && find_symbol(object, "_start", ANY_ADDRESS, &symbol)))
        return instruction_at(session.program, symbol.address);
    return NO_INDEX;
}

static uint32_t find_procedure(uint32_t object, const char *name) {
    uint32_t first, end;
    if (session.states[object] != OBJECT_BUILT)
        return NO_INDEX;
    procedures_of(object, &first, &end);
    for (uint32_t p = first; p < end; p++)
        if (session.program->procedures[p].origin == PROCEDURE_SYMBOL &&
            strcmp(session.program->procedures[p].name, name) == 0)
            return p;
    uint32_t i = find_instruction(object, name),
             p = i == NO_INDEX ? NO_INDEX : procedure_at(session.program, i);
    return p != NO_INDEX && session.program->procedures[p].first == i ? p : NO_INDEX;
}

/* In the first built object that has the name. */
static uint32_t find_anywhere(const char *name) {
    for (uint32_t o = 0; o < session.object_count; o++) {
        uint32_t p = find_procedure(o, name);
        if (p != NO_INDEX)
            return p;
    }
    return NO_INDEX;
}

static bool check_name(const char *routine, int number, const char *name) {
    if (!name)
        misuse(MESSAGE_ATOM_HANDLE, routine, number, "a name", "NULL");
    return name != NULL;
}

/* Fills in the facts about a procedure of that name. */
static void fill(ProcRes *result, const char *name, uint32_t p) {
    *result = (ProcRes){.name = name};
    if (p == NO_INDEX)
        return;
    result->obj = object_handle(object_of_procedure(p));
    result->proc = proc_handle(p);
    result->inst = inst_handle(session.program->procedures[p].first);
}

static bool check_result(const char *routine, int number, const ProcRes *result) {
    if (!result)
        misuse(MESSAGE_ATOM_HANDLE, routine, number, "a ProcRes", "NULL");
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

/* Found by its whole path, or by the part after the last slash. */
static bool is_called(uint32_t object, const char *name) {
    return strcmp(object_number(session.program, object)->path, name) == 0 ||
           strcmp(object_file_name(session.program, object), name) == 0;
}

/* Built or not. */
static bool defines(uint32_t object, const char *name) {
    struct symbol symbol;
    return find_symbol(object, name, ANY_ADDRESS, &symbol);
}

/* The object that defines the entry point, in the order of the dynamic linker; otherwise the object of that
   name. */
Obj *FindObj(const char *name) {
    if (!check_name("FindObj", 1, name))
        return NULL;
    uint32_t exported = find_exported(name, NULL);
    if (exported != NO_INDEX)
        return object_handle(object_number_of(session.program, exported));
    for (uint32_t o = 0; o < session.object_count; o++)
        if (defines(o, name) || is_called(o, name))
            return object_handle(o);
    return NULL;
}

/* The object itself, or one that it needs, or these, and so on. */
static uint32_t find_needed(uint32_t object, const char *name, bool *seen) {
    const char *needed;
    if (seen[object])
        return NO_INDEX;
    seen[object] = true;
    if (defines(object, name) || is_called(object, name))
        return object;
    for (uint32_t k = 0; (needed = dynamic_needed(object_number(session.program, object), k)); k++)
        for (uint32_t o = 1; o < session.object_count; o++)
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
    bool *seen = allocate_zeroed(session.object_count, sizeof *seen);
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

/* The number of the procedure of that name, or of a place inside of it. */
static uint32_t named_instruction(const char *routine, Obj *obj, const char *name) {
    uint32_t o;
    if (!object_of(routine, 1, obj, &o) || !check_name(routine, 2, name))
        return NO_INDEX;
    uint32_t p = find_procedure(o, name);
    return p == NO_INDEX ? find_instruction(o, name) : session.program->procedures[p].first;
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

/* The target of an instruction. */
struct target {
    uint32_t instruction; /* NO_INDEX: unknown before the program runs, or in no instrumented object */
    const char *name;     /* the symbol that the dynamic linker looks up for it; NULL: none */
    bool is_call;
};

static bool is_within_procedure(uint32_t target, uint32_t i) {
    return procedure_at(session.program, target) == procedure_at(session.program, i);
}

/* Returns false after reporting that the instruction has no target. */
static bool target_of(const char *routine, Inst *inst, struct target *target) {
    uint32_t i, skipped;
    *target = (struct target){.instruction = NO_INDEX};
    if (!inst_of(routine, 1, inst, &i))
        return false;
    const struct program *program = session.program;
    const struct alpha_descriptor *descriptor = alpha_decode(program->text[i]);
    target->is_call = descriptor->flags & ALPHA_CALL;
    if (descriptor->format == ALPHA_FORMAT_BRANCH) {
        target->instruction = branch_target(program, i);
        return true;
    }
    if (descriptor->format != ALPHA_FORMAT_JUMP) {
        misuse(MESSAGE_ATOM_INSTRUCTION, routine, 1, "a call, a jump or a branch",
               (unsigned long long)instruction_address(program, i), descriptor->mnemonic);
        return false;
    }
    if (descriptor->flags & ALPHA_RETURN)
        return true;
    uint32_t callee = call_target(program, i, &skipped);
    const struct relocation *relocation = callee == NO_INDEX ? call_relocation(program, i) : NULL;
    if (callee != NO_INDEX) {
        target->instruction = program->procedures[callee].first + skipped;
    } else if (relocation) {
        target->instruction = find_definition(object_number_of(program, i), relocation);
        target->name = relocation->symbol;
    }
    return true;
}

static const char *symbol_name(uint32_t p) {
    if (p == NO_INDEX || session.program->procedures[p].origin != PROCEDURE_SYMBOL)
        return NULL;
    return session.program->procedures[p].name;
}

/* The procedure that it enters; a branch within its own procedure enters none. Objects that are not built
   have no procedures. */
static ProcRes resolve(const char *routine, Inst *inst) {
    struct target target;
    ProcRes result = {0};
    if (!target_of(routine, inst, &target))
        return result;
    result.name = target.name;
    if (target.instruction == NO_INDEX ||
        (!target.is_call && is_within_procedure(target.instruction, (uint32_t)(inst - session.insts))))
        return result;
    uint32_t p = procedure_at(session.program, target.instruction), o = object_of_procedure(p);
    result.obj = object_handle(o);
    if (!result.name)
        result.name = symbol_name(p);
    if (session.states[o] == OBJECT_BUILT) {
        result.proc = proc_handle(p);
        result.inst = inst_handle(target.instruction);
    }
    return result;
}

void ResolveTargetProc(Inst *inst, ProcRes *result) {
    if (check_result("ResolveTargetProc", 2, result))
        *result = resolve("ResolveTargetProc", inst);
}

Proc *GetTargetProc(Inst *inst) {
    return resolve("GetTargetProc", inst).proc;
}

Obj *GetTargetObj(Inst *inst) {
    return resolve("GetTargetObj", inst).obj;
}

const char *GetTargetName(Inst *inst) {
    return resolve("GetTargetName", inst).name;
}

/* Also for a branch within its own procedure. */
static uint32_t built_target(const char *routine, Inst *inst) {
    struct target target;
    if (!target_of(routine, inst, &target) || target.instruction == NO_INDEX)
        return NO_INDEX;
    bool built = session.states[object_number_of(session.program, target.instruction)] == OBJECT_BUILT;
    return built ? target.instruction : NO_INDEX;
}

Inst *GetTargetInst(Inst *inst) {
    return inst_handle(built_target("GetTargetInst", inst));
}

Entry *GetTargetEntry(Inst *inst) {
    uint32_t target = built_target("GetTargetEntry", inst);
    if (target == NO_INDEX)
        return NULL;
    const struct procedure *procedure = &session.program->procedures[procedure_at(session.program, target)];
    bool behind_ldgp = procedure->sets_data_base && target == procedure->first + 2; /* the same entry */
    return entry_handle(entry_at(behind_ldgp ? procedure->first : target));
}

Proc *GetProcCalled(Inst *inst) {
    return resolve("GetProcCalled", inst).proc;
}

const char *GetInstProcCalled(Inst *inst) {
    return resolve("GetInstProcCalled", inst).name;
}
