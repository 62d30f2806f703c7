/* procedures.c: ATOM's queries about procedures and entries. Saved registers are determined from the
   instructions of the prologue. Requires a session. */
#include "atom/internal.h"

#include <gelf.h>
#include <string.h>

#include "engine/engine.h"

/* ---- prologues ---------------------------------------------------------------------------------------- */

/* The effects on the stack of the instructions up to the first branch or call. */
struct prologue {
    uint64_t saved[2];  /* integer and floating-point registers stored, as masks of 32 bits */
    long offset[2];     /* offset of the lowest register of each kind from the frame's top; 0 without any */
    long set_sp;        /* bytes from the start to the instruction that lowers $30, or -1 */
    bool frame_pointer; /* $15 is made the frame's register */
};

static struct prologue read_prologue(const struct procedure *procedure) {
    const struct program *program = session.program;
    struct prologue prologue = {.set_sp = -1};
    const struct basic_block *block = &program->blocks[procedure->first_block];
    uint32_t last = block->first + block->count;
    if (procedure->sets_data_base && block->count == 2 && procedure->block_count > 1)
        last += block[1].count; /* a block begins after the ldgp */
    for (uint32_t i = procedure->first; i < last; i++) {
        uint32_t word = program->text[i];
        const struct alpha_descriptor *descriptor = alpha_decode(word);
        bool on_stack = alpha_rb(word) == ALPHA_SP && prologue.set_sp >= 0;
        bool floating = descriptor->opcode_id == ALPHA_STT;
        if (descriptor->opcode_id == ALPHA_LDA && alpha_ra(word) == ALPHA_SP && alpha_rb(word) == ALPHA_SP &&
            alpha_memory_displacement(word) < 0 && prologue.set_sp < 0) {
            prologue.set_sp = 4 * (long)(i - procedure->first);
        } else if ((descriptor->opcode_id == ALPHA_STQ || floating) && on_stack) {
            unsigned reg = alpha_ra(word);
            alpha_register_set saved = (CALLEE_SAVED & ~REGISTER_BIT(ALPHA_SP)) | REGISTER_BIT(ALPHA_RA);
            bool kept = saved >> (floating ? FLOAT_REGISTER(reg) : reg) & 1;
            if (!kept)
                continue;
            long offset = alpha_memory_displacement(word) - (long)procedure->frame_size;
            if (offset < prologue.offset[floating])
                prologue.offset[floating] = offset;
            prologue.saved[floating] |= REGISTER_BIT(reg);
        } else if (descriptor->opcode_id == ALPHA_BISr && alpha_rc(word) == ALPHA_FP &&
                   (alpha_ra(word) == ALPHA_SP || alpha_rb(word) == ALPHA_SP)) {
            prologue.frame_pointer = true;
        }
    }
    return prologue;
}

/* ---- procedures --------------------------------------------------------------------------------------- */

static bool uses_gp(const struct procedure *procedure) {
    for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++)
        if (alpha_registers_read(session.program->text[i]) >> ALPHA_GP & 1)
            return true;
    return false;
}

static long line_limit(const struct procedure *procedure, bool high) {
    long limit = 0;
    for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
        const char *file;
        uint32_t line;
        program_line(session.program, instruction_address(session.program, i), &file, &line);
        if (line && (limit == 0 || (high ? line > limit : line < limit)))
            limit = line;
    }
    return limit;
}

/* The binding of the procedure's own symbol. */
static long symbol_resolution(const struct procedure *procedure) {
    struct symbol symbol;
    if (procedure->origin != PROCEDURE_SYMBOL || !find_symbol_at(procedure->first, procedure->name, &symbol))
        return SYMRES_NONE;
    return symbol.binding == STB_LOCAL  ? SYMRES_STATIC
           : symbol.binding == STB_WEAK ? SYMRES_EXPORT_WEAK
                                        : SYMRES_EXPORT;
}

/* True if a block of it has the leader bit, or ends with a transfer to another procedure. */
static bool some_block(const struct procedure *procedure, unsigned leader, bool leaves) {
    for (uint32_t b = procedure->first_block; b < procedure->first_block + procedure->block_count; b++) {
        const struct basic_block *block = &session.program->blocks[b];
        uint32_t last = block->first + block->count - 1;
        if (block->leaders & leader)
            return true;
        if (!leaves)
            continue;
        uint32_t target = block->end == END_COND_BRANCH ? branch_target(session.program, last) : NO_INDEX;
        if (block->end == END_TAIL_BRANCH || block->end == END_JUMP_UNKNOWN ||
            (target != NO_INDEX && procedure_at(session.program, target) != block->procedure))
            return true;
    }
    return false;
}

static long prologue_info(const struct procedure *procedure, ProcInfoType type) {
    struct prologue prologue = read_prologue(procedure);
    switch (type) {
    case ProcIRegMask:
        return (long)prologue.saved[0];
    case ProcIRegOffset:
        return prologue.offset[0];
    case ProcFRegMask:
        return (long)prologue.saved[1];
    case ProcFRegOffset:
        return prologue.offset[1];
    case ProcFrameReg:
        return prologue.frame_pointer ? REG_15 : REG_SP;
    case ProcIsRegFrame:
        return !(prologue.saved[0] >> ALPHA_RA & 1);
    default: /* ProcSpSetOffset */
        return prologue.set_sp;
    }
}

static long procedure_info(uint32_t p, ProcInfoType type) {
    const struct procedure *procedure = &session.program->procedures[p];
    uint32_t entries = session.first_entry[p + 1] - session.first_entry[p];
    bool skips = procedure->sets_data_base && procedure->count > 2;
    switch (type) {
    case ProcFrameSize:
        return procedure->frame_size;
    case ProcgpPrologue:
        return procedure->sets_data_base ? 8 : 0;
    case ProcgpUsed:
        return uses_gp(procedure);
    case ProcLocalOffset:
        return 0;
    case ProcPcReg:
        return REG_RA;
    case ProcNumberBlocks:
        return procedure->block_count;
    case ProcNumberInsts:
        return procedure->count;
    case ProcID:
        return p;
    case ProcLineLow:
    case ProcLineHigh:
        return line_limit(procedure, type == ProcLineHigh);
    case ProcAddrTaken:
        return procedure->address_taken;
    case ProcSymRes:
        return symbol_resolution(procedure);
    case ProcIpBrJmp:
        return some_block(procedure, 0, true);
    case ProcExceptionFrame:
        return some_block(procedure, LEADER_LANDING_PAD, false);
    case ProcHasAltEntries:
        return entries > 1;
    case ProcNumberEntries:
        return entries;
    case ProcEntryLengthOffset:
        return skips ? 8 : 0;
    default:
        return prologue_info(procedure, type);
    }
}

long GetProcInfo(Proc *proc, ProcInfoType type) {
    uint32_t p;
    if (!proc_of("GetProcInfo", 1, proc, &p))
        return 0;
    if ((int)type < ProcFrameSize || type > ProcEntryLengthOffset) {
        misuse(MESSAGE_ATOM_ENUMERATOR, "GetProcInfo", 2, (int)type, "ProcInfoType");
        return 0;
    }
    return procedure_info(p, type);
}

const char *ProcName(Proc *proc) {
    uint32_t p;
    if (!proc_of("ProcName", 1, proc, &p) || session.program->procedures[p].origin != PROCEDURE_SYMBOL)
        return NULL;
    return session.program->procedures[p].name;
}

const char *ProcFileName(Proc *proc) {
    uint32_t p, line;
    const char *file;
    if (!proc_of("ProcFileName", 1, proc, &p))
        return NULL;
    program_line(session.program, instruction_address(session.program, session.program->procedures[p].first),
                 &file, &line);
    return *file ? file : NULL;
}

long ProcPC(Proc *proc) {
    uint32_t p;
    if (!proc_of("ProcPC", 1, proc, &p))
        return 0;
    return (long)instruction_address(session.program, session.program->procedures[p].first);
}

long ProcGP(Proc *proc) {
    uint32_t p;
    return proc_of("ProcGP", 1, proc, &p) ? (long)session.program->procedures[p].data_base : 0;
}

/* ---- entries ------------------------------------------------------------------------------------------ */

long GetEntryInfo(Entry *entry, EntryInfoType type) {
    uint32_t e;
    if (!entry_of("GetEntryInfo", 1, entry, &e))
        return 0;
    if (type != EntryIsRedundant) {
        misuse(MESSAGE_ATOM_ENUMERATOR, "GetEntryInfo", 2, (int)type, "EntryInfoType");
        return 0;
    }
    return 0; /* the address after an ldgp that callers skip is not a separate entry */
}

const char *EntryName(Entry *entry) {
    uint32_t e;
    struct symbol symbol;
    if (!entry_of("EntryName", 1, entry, &e))
        return NULL;
    const struct entry *at = &session.entry_list[e];
    const struct procedure *procedure = &session.program->procedures[at->procedure];
    if (at->instruction == procedure->first)
        return procedure->origin == PROCEDURE_SYMBOL ? procedure->name : NULL;
    return find_symbol_at(at->instruction, NULL, &symbol) ? symbol.name : NULL;
}

long EntryPC(Entry *entry) {
    uint32_t e;
    if (!entry_of("EntryPC", 1, entry, &e))
        return 0;
    return (long)instruction_address(session.program, session.entry_list[e].instruction);
}
