/* information.c: ATOM's questions about objects, blocks and instructions (docs/atom.md has the table of
   classes). Requires a session; procedures and entries are in procedures.c. */
#include "atom/recording.h"

#include <string.h>

#include "engine/engine.h"

enum { VAX_OPCODE = 0x15 };

static bool known(const char *routine, int number, int value, int least, int most, const char *type) {
    if (value >= least && value <= most)
        return true;
    misuse(MESSAGE_ATOM_ENUMERATOR, routine, number, value, type);
    return false;
}

/* ---- the program and the object ----------------------------------------------------------------------- */

long GetProgInfo(ProgInfoType type) {
    if (!known("GetProgInfo", 1, (int)type, ProgNumberObjects, ProgNumErrantShlibs, "ProgInfoType"))
        return 0;
    if (type == ProgNumInstObjects)
        return session.object_count - is_read_only(0);
    return type == ProgNumErrantShlibs ? 0 : session.object_count;
}

const char *GetAnalName(void) {
    return session.analysis_name;
}

const char *GetErrantShlibName(int number) {
    misuse(MESSAGE_ATOM_NUMBER, "GetErrantShlibName", 1, (long long)number,
           "shared library that could not be used: there are none");
    return NULL;
}

ShlibErrType GetErrantShlibErr(int number) {
    misuse(MESSAGE_ATOM_NUMBER, "GetErrantShlibErr", 1, (long long)number,
           "shared library that could not be used: there are none");
    return SHLIB_NOTOPEN;
}

/* The writable segment: its part in the file, and the zeros after it. */
static const struct segment *data_segment(const struct program *object) {
    for (uint32_t s = object->segment_count; s-- > 0;)
        if (object->segments[s].flags & 2)
            return &object->segments[s];
    static const struct segment none;
    return &none;
}

static long places_of(uint32_t o, enum plan_place kind) {
    return places_counted(session.program, PLAN_OBJECT, o, kind);
}

static long object_info(uint32_t o, ObjInfoType type) {
    const struct program *object = object_number(session.program, o);
    const struct segment *data = data_segment(object);
    switch (type) {
    case ObjTextStartAddress:
        return (long)object->text_address;
    case ObjTextSize:
        return 4 * (long)object->own_count;
    case ObjInitDataStartAddress:
        return (long)data->address;
    case ObjInitDataSize:
        return (long)data->file_size;
    case ObjUninitDataStartAddress:
        return (long)(data->address + data->file_size);
    case ObjUninitDataSize:
        return (long)(data->memory_size - data->file_size);
    case ObjNumberBlocks:
        return places_of(o, PLAN_BLOCK);
    case ObjNumberProcs:
        return places_of(o, PLAN_PROCEDURE);
    case ObjNumberInsts:
        return object->own_count;
    case ObjModifyHint:
        return is_read_only(o) ? OBJ_READONLY : OBJ_WRITEABLE;
    case ObjSymResolution:
        return object->is_symbolic ? OBJ_SYMBOLIC : OBJ_STANDARD;
    case ObjShared:
        return o > 0 ? OBJ_SHARABLE : object->interpreter ? OBJ_CALL_SHARED : OBJ_NON_SHARED;
    case ObjNumberEntries:
        return places_of(o, PLAN_ENTRY);
    default: /* ObjID */
        return o;
    }
}

long GetObjInfo(Obj *obj, ObjInfoType type) {
    uint32_t o;
    if (!object_of("GetObjInfo", 1, obj, &o) ||
        !known("GetObjInfo", 2, (int)type, ObjTextStartAddress, ObjNumberEntries, "ObjInfoType"))
        return 0;
    bool counts = type == ObjNumberBlocks || type == ObjNumberProcs || type == ObjNumberInsts ||
                  type == ObjNumberEntries;
    return !counts || require_built("GetObjInfo", o) ? object_info(o, type) : 0;
}

const char *GetObjName(Obj *obj) {
    uint32_t o;
    return object_of("GetObjName", 1, obj, &o) ? object_number(session.program, o)->path : NULL;
}

/* A library's copies are in the program's output; the library itself is not written. */
const char *GetObjOutName(Obj *obj) {
    uint32_t o;
    return object_of("GetObjOutName", 1, obj, &o) ? session.output_names[o] : NULL;
}

static const unsigned *text_of(uint32_t o) {
    return session.program->text + object_number(session.program, o)->first_instruction;
}

const unsigned *GetObjInstArray(Obj *obj) {
    uint32_t o;
    return object_of("GetObjInstArray", 1, obj, &o) ? text_of(o) : NULL;
}

long GetObjInstCount(Obj *obj) {
    uint32_t o;
    return object_of("GetObjInstCount", 1, obj, &o) ? object_number(session.program, o)->own_count : 0;
}

/* ---- of 1993, for one object -------------------------------------------------------------------------- */

const char *GetProgramName(void) {
    uint32_t o;
    return single_object("GetProgramName", &o) ? object_number(session.program, o)->path : NULL;
}

char *GetOutName(void) {
    uint32_t o;
    return single_object("GetOutName", &o) ? (char *)(uintptr_t)session.output_names[o] : NULL;
}

long GetProgramInfo(PInfoType type) {
    static const ObjInfoType same[] = {ObjTextStartAddress,
                                       ObjTextSize,
                                       ObjInitDataStartAddress,
                                       ObjInitDataSize,
                                       ObjUninitDataStartAddress,
                                       ObjUninitDataSize,
                                       ObjNumberBlocks,
                                       ObjNumberProcs,
                                       ObjNumberInsts};
    uint32_t o;
    if (!known("GetProgramInfo", 1, (int)type, TextStartAddress, ProgramNumberInsts, "PInfoType") ||
        !single_object("GetProgramInfo", &o))
        return 0;
    return object_info(o, same[type]);
}

const unsigned *GetProgramInstArray(void) {
    uint32_t o;
    return single_object("GetProgramInstArray", &o) ? text_of(o) : NULL;
}

long GetProgramInstCount(void) {
    uint32_t o;
    return single_object("GetProgramInstCount", &o) ? object_number(session.program, o)->own_count : 0;
}

/* ---- blocks ------------------------------------------------------------------------------------------- */

long GetBlockInfo(Block *block, BlockInfoType type) {
    uint32_t b;
    if (!block_of("GetBlockInfo", 1, block, &b) ||
        !known("GetBlockInfo", 2, (int)type, BlockNumberInsts, BlockID, "BlockInfoType"))
        return 0;
    return type == BlockID ? b : session.program->blocks[b].count;
}

long BlockPC(Block *block) {
    uint32_t b;
    if (!block_of("BlockPC", 1, block, &b))
        return 0;
    return (long)instruction_address(session.program, session.program->blocks[b].first);
}

unsigned IsBranchTarget(Block *block) {
    const unsigned jumped_to = LEADER_BRANCH_TARGET | LEADER_TABLE_TARGET | LEADER_UNKNOWN_JUMP;
    uint32_t b;
    return block_of("IsBranchTarget", 1, block, &b) && session.program->blocks[b].leaders & jumped_to;
}

/* ---- classes and types of instructions ---------------------------------------------------------------- */

static bool begins_with(const char *mnemonic, const char *start) {
    return strncmp(mnemonic, start, strlen(start)) == 0;
}

/* True for an instruction that affects the memory at its address without accessing it. DEC counts wh64en,
   which was added last, among the others. */
static bool has_memory_hint(const struct alpha_descriptor *descriptor) {
    return descriptor->opcode_id == ALPHA_FETCH || descriptor->opcode_id == ALPHA_FETCH_M ||
           descriptor->opcode_id == ALPHA_ECB || descriptor->opcode_id == ALPHA_WH64;
}

/* The classification of DEC, which sometimes differs from .atd files (docs/atom.md). */
IClassType class_of(uint32_t word) {
    static const IClassType classes[CLASS_COUNT] = {
        [CLASS_LOAD] = ClassLoad,
        [CLASS_FLOAT_LOAD] = ClassFload,
        [CLASS_STORE] = ClassStore,
        [CLASS_FLOAT_STORE] = ClassFstore,
        [CLASS_ADDRESS] = ClassIarithmetic,
        [CLASS_COND_BRANCH] = ClassIbranch,
        [CLASS_UNCOND_BRANCH] = ClassIbranch,
        [CLASS_CALL] = ClassSubroutine,
        [CLASS_JUMP] = ClassSubroutine,
        [CLASS_RETURN] = ClassSubroutine,
        [CLASS_ARITHMETIC] = ClassIarithmetic,
        [CLASS_MULTIPLY] = ClassImultiplyq,
        [CLASS_LOGICAL] = ClassIlogical,
        [CLASS_SHIFT] = ClassIshift,
        [CLASS_COND_MOVE] = ClassIcondmove,
        [CLASS_COMPARE] = ClassIcompare,
        [CLASS_FLOAT] = ClassFpop,
        [CLASS_FLOAT_DIVIDE] = ClassFdivd,
        [CLASS_PAL] = ClassNull,
        [CLASS_MISC] = ClassMem,
        [CLASS_UNKNOWN] = ClassNull,
    };
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    const char *mnemonic = descriptor->mnemonic;
    if (descriptor->class == CLASS_COND_BRANCH && descriptor->flags & ALPHA_FLOATING)
        return ClassFbranch;
    if (descriptor->class == CLASS_MULTIPLY && begins_with(mnemonic, "mull"))
        return ClassImultiplyl;
    if (descriptor->class == CLASS_FLOAT_DIVIDE)
        return begins_with(mnemonic, "sqrt")                                    ? ClassFpop
               : begins_with(mnemonic, "divs") || begins_with(mnemonic, "divf") ? ClassFdivs
                                                                                : ClassFdivd;
    if (descriptor->class == CLASS_MISC && !has_memory_hint(descriptor))
        return ClassNull;
    if (begins_with(mnemonic, "sext") || begins_with(mnemonic, "ftoi"))
        return ClassIarithmetic;
    return classes[descriptor->class];
}

bool is_memory_hint(uint32_t word) {
    return has_memory_hint(alpha_decode(word));
}

IClassType GetInstClass(Inst *inst) {
    uint32_t i;
    return inst_of("GetInstClass", 1, inst, &i) ? class_of(session.program->text[i]) : ClassNull;
}

/* True if it computes this, scaled or not, in integers or in IEEE formats. */
static bool does(const struct alpha_descriptor *descriptor, const char *operation) {
    const char *mnemonic = descriptor->mnemonic;
    bool scaled = mnemonic[0] == 's' && (mnemonic[1] == '4' || mnemonic[1] == '8');
    bool computes = descriptor->format == ALPHA_FORMAT_OPERATE ||
                    descriptor->format == ALPHA_FORMAT_LITERAL || descriptor->format == ALPHA_FORMAT_FLOAT;
    return computes && alpha_primary(descriptor->match) != VAX_OPCODE &&
           begins_with(mnemonic + (scaled ? 2 : 0), operation);
}

static bool is_floating(uint32_t word) {
    IClassType class = class_of(word);
    return class == ClassFload || class == ClassFstore || class == ClassFbranch ||
           (class >= ClassFpop && class <= ClassFdivd);
}

/* Loads to $31 without an effect are no accesses to memory. */
static bool is_memory(uint32_t word) {
    IClassType class = class_of(word);
    return (class <= ClassFstore || class == ClassMem) && !alpha_is_nop(word);
}

bool has_type(uint32_t word, ITypeType type) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    unsigned flags = descriptor->flags;
    switch (type) {
    case InstTypeLoad:
        return flags & ALPHA_LOAD;
    case InstTypeStore:
        return flags & ALPHA_STORE;
    case InstTypeMem:
        return is_memory(word);
    case InstTypeJump:
        return descriptor->format == ALPHA_FORMAT_JUMP;
    case InstTypeFP:
        return is_floating(word);
    case InstTypeInt:
        return !is_floating(word);
    case InstTypeDiv:
        return does(descriptor, "div");
    case InstTypeMul:
        return does(descriptor, "mul") || does(descriptor, "umulh");
    case InstTypeAdd:
        return does(descriptor, "add");
    case InstTypeSub:
        return does(descriptor, "sub");
    case InstTypeCondBr:
        return flags & ALPHA_COND_BRANCH;
    case InstTypeUncondBr:
        return flags & ALPHA_UNCOND_BRANCH;
    case InstTypeNop:
        return alpha_is_nop(word);
    default: /* InstTypeRet */
        return flags & ALPHA_RETURN;
    }
}

int IsInstType(Inst *inst, ITypeType type) {
    uint32_t i;
    if (!inst_of("IsInstType", 1, inst, &i) ||
        !known("IsInstType", 2, (int)type, InstTypeLoad, InstTypeRet, "ITypeType"))
        return 0;
    return has_type(session.program->text[i], type);
}

/* ---- instructions ------------------------------------------------------------------------------------- */

static uint8_t role_of(uint32_t word, InstInfoType field) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    return field == InstRA   ? descriptor->ra_role
           : field == InstRB ? descriptor->rb_role
                             : descriptor->rc_role;
}

static int register_field(uint32_t word, InstInfoType field) {
    return (int)(field == InstRA ? alpha_ra(word) : field == InstRB ? alpha_rb(word) : alpha_rc(word));
}

int register_of(uint32_t word, InstInfoType field) {
    uint8_t role = role_of(word, field);
    if (role == ALPHA_ROLE_NONE)
        return REG_NOTUSED;
    return register_field(word, field) + (role >= ALPHA_ROLE_FLOAT_READ ? FREG_0 : REG_0);
}

/* A direct branch, or a jump that is no call and no return, to another procedure. */
static bool leaves_procedure(uint32_t i, bool jump) {
    const struct program *program = session.program;
    const struct alpha_descriptor *descriptor = alpha_decode(program->text[i]);
    if (jump)
        return descriptor->format == ALPHA_FORMAT_JUMP &&
               !(descriptor->flags & (ALPHA_CALL | ALPHA_RETURN)) &&
               program->blocks[block_at(program, i)].end == END_JUMP_UNKNOWN;
    if (!(descriptor->flags & (ALPHA_UNCOND_BRANCH | ALPHA_COND_BRANCH)))
        return false;
    uint32_t target = branch_target(program, i);
    return target != NO_INDEX && procedure_at(program, target) != procedure_at(program, i);
}

int GetInstInfo(Inst *inst, InstInfoType type) {
    uint32_t i;
    if (!inst_of("GetInstInfo", 1, inst, &i) ||
        !known("GetInstInfo", 2, (int)type, InstMemDisp, InstRaRegValid, "InstInfoType"))
        return 0;
    const struct program *program = session.program;
    uint32_t word = program->text[i];
    const struct basic_block *block = &program->blocks[block_at(program, i)];
    switch (type) { /* fields are bits, even if the instruction does not use them */
    case InstMemDisp:
        return alpha_memory_displacement(word);
    case InstBrDisp:
        return alpha_branch_displacement(word);
    case InstRA:
    case InstRB:
    case InstRC:
        return register_field(word, type);
    case InstOpcode:
        return (int)alpha_primary(word);
    case InstBinary:
        return (int)word;
    case InstAddrTaken:
        return block->first == i && block->leaders & LEADER_ADDRESS_TAKEN;
    case InstEntryPoint:
        return entry_at(i) != NO_INDEX;
    case InstIpJmp:
        return leaves_procedure(i, true);
    case InstIpBr:
        return leaves_procedure(i, false);
    case InstContext:
        return CONTEXT_UNKNOWN;
    default: /* InstStackPtrValid and the like: their registers are as unknown as the context */
        return 0;
    }
}

long InstPC(Inst *inst) {
    uint32_t i;
    return inst_of("InstPC", 1, inst, &i) ? (long)instruction_address(session.program, i) : 0;
}

long InstLineNo(Inst *inst) {
    uint32_t i, line = 0;
    const char *file;
    if (inst_of("InstLineNo", 1, inst, &i))
        program_line(session.program, instruction_address(session.program, i), &file, &line);
    return line;
}

int GetInstBinary(long pc) {
    uint32_t i = instruction_at(session.program, (uint64_t)pc);
    if (i != NO_INDEX)
        return (int)session.program->text[i];
    misuse(MESSAGE_ATOM_ADDRESS, "GetInstBinary", 1, (unsigned long long)pc);
    return 0;
}

RegvType GetInstRegEnum(Inst *inst, InstInfoType field) {
    uint32_t i;
    if (!inst_of("GetInstRegEnum", 1, inst, &i))
        return REG_NOTUSED;
    if (field != InstRA && field != InstRB && field != InstRC) {
        misuse(MESSAGE_ATOM_ENUMERATOR, "GetInstRegEnum", 2, (int)field, "InstRA, InstRB or InstRC");
        return REG_NOTUSED;
    }
    return (RegvType)register_of(session.program->text[i], field);
}

void GetInstRegUsage(Inst *inst, InstRegUsageVec *usage) {
    uint32_t i;
    if (!inst_of("GetInstRegUsage", 1, inst, &i))
        return;
    if (!usage) {
        misuse(MESSAGE_ATOM_HANDLE, "GetInstRegUsage", 2, "an InstRegUsageVec", "NULL");
        return;
    }
    uint32_t word = session.program->text[i];
    *usage = (InstRegUsageVec){.ureg_bitvec = {alpha_registers_read(word), 0},
                               .dreg_bitvec = {alpha_registers_written(word), 0}};
    if (alpha_decode(word)->format == ALPHA_FORMAT_MEMORY_FUNCTION &&
        begins_with(alpha_decode(word)->mnemonic, "rpcc"))
        usage->ureg_bitvec[1] = 1UL << (REG_CC - 64);
}
