/* navigation.c: ATOM's routines that go from place to place. Requires a session (session.c); places are
   numbered by address over the program, so neighbours have consecutive numbers. */
#include "engine/engine.h"
#include "atom/internal.h"

/* ---- objects: the program, then the libraries that are instrumented --------------------------------------- */

Obj *GetFirstObj(void) {
    return session.objects;
}

Obj *GetLastObj(void) {
    return object_handle(session.object_count - 1);
}

Obj *GetNextObj(Obj *obj) {
    uint32_t o;
    return object_of("GetNextObj", 1, obj, &o) && o + 1 < session.object_count ? obj + 1 : NULL;
}

Obj *GetPrevObj(Obj *obj) {
    uint32_t o;
    return object_of("GetPrevObj", 1, obj, &o) && o > 0 ? obj - 1 : NULL;
}

/* ---- procedures --------------------------------------------------------------------------------------- */

Proc *GetFirstObjProc(Obj *obj) {
    uint32_t o, first, end;
    if (!object_of("GetFirstObjProc", 1, obj, &o) || !require_built("GetFirstObjProc", o))
        return NULL;
    procedures_of(o, &first, &end);
    return first < end ? proc_handle(first) : NULL;
}

Proc *GetLastObjProc(Obj *obj) {
    uint32_t o, first, end;
    if (!object_of("GetLastObjProc", 1, obj, &o) || !require_built("GetLastObjProc", o))
        return NULL;
    procedures_of(o, &first, &end);
    return first < end ? proc_handle(end - 1) : NULL;
}

Proc *GetNextProc(Proc *proc) {
    uint32_t p;
    if (!proc_of("GetNextProc", 1, proc, &p))
        return NULL;
    bool last =
        p + 1 == session.program->procedure_count || object_of_procedure(p + 1) != object_of_procedure(p);
    return last ? NULL : proc + 1;
}

Proc *GetPrevProc(Proc *proc) {
    uint32_t p;
    if (!proc_of("GetPrevProc", 1, proc, &p))
        return NULL;
    return p > 0 && object_of_procedure(p - 1) == object_of_procedure(p) ? proc - 1 : NULL;
}

Proc *GetFirstProc(void) {
    uint32_t o, first, end;
    if (!single_object("GetFirstProc", &o) || !require_built("GetFirstProc", o))
        return NULL;
    procedures_of(o, &first, &end);
    return first < end ? proc_handle(first) : NULL;
}

Proc *GetLastProc(void) {
    uint32_t o, first, end;
    if (!single_object("GetLastProc", &o) || !require_built("GetLastProc", o))
        return NULL;
    procedures_of(o, &first, &end);
    return first < end ? proc_handle(end - 1) : NULL;
}

Obj *GetProcObj(Proc *proc) {
    uint32_t p;
    return proc_of("GetProcObj", 1, proc, &p) ? object_handle(object_of_procedure(p)) : NULL;
}

/* ---- entries ------------------------------------------------------------------------------------------ */

Entry *GetFirstEntry(Proc *proc) {
    uint32_t p;
    return proc_of("GetFirstEntry", 1, proc, &p) ? entry_handle(session.first_entry[p]) : NULL;
}

Entry *GetLastEntry(Proc *proc) {
    uint32_t p;
    return proc_of("GetLastEntry", 1, proc, &p) ? entry_handle(session.first_entry[p + 1] - 1) : NULL;
}

Entry *GetNextEntry(Entry *entry) {
    uint32_t e;
    if (!entry_of("GetNextEntry", 1, entry, &e))
        return NULL;
    return e + 1 < session.first_entry[session.entry_list[e].procedure + 1] ? entry + 1 : NULL;
}

Entry *GetPrevEntry(Entry *entry) {
    uint32_t e;
    if (!entry_of("GetPrevEntry", 1, entry, &e))
        return NULL;
    return e > session.first_entry[session.entry_list[e].procedure] ? entry - 1 : NULL;
}

Proc *GetEntryProc(Entry *entry) {
    uint32_t e;
    return entry_of("GetEntryProc", 1, entry, &e) ? proc_handle(session.entry_list[e].procedure) : NULL;
}

Block *GetEntryBlock(Entry *entry) {
    uint32_t e;
    if (!entry_of("GetEntryBlock", 1, entry, &e))
        return NULL;
    return block_handle(block_at(session.program, session.entry_list[e].instruction));
}

/* ---- blocks ------------------------------------------------------------------------------------------- */

Block *GetFirstBlock(Proc *proc) {
    uint32_t p;
    return proc_of("GetFirstBlock", 1, proc, &p) ? block_handle(session.program->procedures[p].first_block)
                                                 : NULL;
}

Block *GetLastBlock(Proc *proc) {
    uint32_t p;
    if (!proc_of("GetLastBlock", 1, proc, &p))
        return NULL;
    const struct procedure *procedure = &session.program->procedures[p];
    return block_handle(procedure->first_block + procedure->block_count - 1);
}

Block *GetNextBlock(Block *block) {
    uint32_t b;
    if (!block_of("GetNextBlock", 1, block, &b))
        return NULL;
    bool last = b + 1 == session.program->block_count ||
                session.program->blocks[b + 1].procedure != session.program->blocks[b].procedure;
    return last ? NULL : block + 1;
}

Block *GetPrevBlock(Block *block) {
    uint32_t b;
    if (!block_of("GetPrevBlock", 1, block, &b))
        return NULL;
    bool first = b == 0 || session.program->blocks[b - 1].procedure != session.program->blocks[b].procedure;
    return first ? NULL : block - 1;
}

Proc *GetBlockProc(Block *block) {
    uint32_t b;
    return block_of("GetBlockProc", 1, block, &b) ? proc_handle(session.program->blocks[b].procedure) : NULL;
}

/* ---- instructions ------------------------------------------------------------------------------------- */

Inst *GetFirstInst(Block *block) {
    uint32_t b;
    return block_of("GetFirstInst", 1, block, &b) ? inst_handle(session.program->blocks[b].first) : NULL;
}

Inst *GetLastInst(Block *block) {
    uint32_t b;
    if (!block_of("GetLastInst", 1, block, &b))
        return NULL;
    return inst_handle(session.program->blocks[b].first + session.program->blocks[b].count - 1);
}

Inst *GetNextInst(Inst *inst) {
    uint32_t i;
    if (!inst_of("GetNextInst", 1, inst, &i))
        return NULL;
    const struct basic_block *block = &session.program->blocks[block_at(session.program, i)];
    return i + 1 < block->first + block->count ? inst + 1 : NULL;
}

Inst *GetPrevInst(Inst *inst) {
    uint32_t i;
    if (!inst_of("GetPrevInst", 1, inst, &i))
        return NULL;
    return i > session.program->blocks[block_at(session.program, i)].first ? inst - 1 : NULL;
}

Block *GetInstBlock(Inst *inst) {
    uint32_t i;
    return inst_of("GetInstBlock", 1, inst, &i) ? block_handle(block_at(session.program, i)) : NULL;
}

Inst *GetInstBranchTarget(Inst *inst) {
    uint32_t i;
    if (!inst_of("GetInstBranchTarget", 1, inst, &i))
        return NULL;
    uint32_t word = session.program->text[i];
    if (alpha_decode(word)->format != ALPHA_FORMAT_BRANCH || alpha_decode(word)->flags & ALPHA_CALL) {
        misuse(MESSAGE_ATOM_INSTRUCTION, "GetInstBranchTarget", 1, "a branch",
               (unsigned long long)instruction_address(session.program, i), alpha_decode(word)->mnemonic);
        return NULL;
    }
    return inst_handle(branch_target(session.program, i));
}
