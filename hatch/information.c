/* information.c: ATOM's questions about objects, blocks and instructions (docs/atom.md has the table of
   classes). Requires a session; procedures and entries are in procedures.c. */
#include "hatch/recording.h"

#include <string.h>

#include "engine/engine.h"

static bool known(const char *routine, int number, int value, int least, int most, const char *type) {
    if (value >= least && value <= most)
        return true;
    misuse(MESSAGE_HATCH_ENUMERATOR, routine, number, value, type);
    return false;
}

/* ---- the program and the object ----------------------------------------------------------------------- */

long GetProgInfo(ProgInfoType type) {
    if (!known("GetProgInfo", 1, (int)type, ProgNumberObjects, ProgNumErrantShlibs, "ProgInfoType"))
        return 0;
    if (type == ProgNumInstObjects)
        return hatch.object_count - is_read_only(0);
    return type == ProgNumErrantShlibs ? 0 : hatch.object_count;
}

const char *GetAnalName(void) {
    return hatch.analysis_name;
}

const char *GetErrantShlibName(int number) {
    misuse(MESSAGE_HATCH_NUMBER, "GetErrantShlibName", 1, (long long)number,
           "shared library that could not be used: there are none");
    return NULL;
}

ShlibErrType GetErrantShlibErr(int number) {
    misuse(MESSAGE_HATCH_NUMBER, "GetErrantShlibErr", 1, (long long)number,
           "shared library that could not be used: there are none");
    return SHLIB_NOTOPEN;
}

/* The writable segment: what the file has of it, and the zeros behind. */
static const struct segment *data_segment(const struct program *object) {
    for (uint32_t s = object->segment_count; s-- > 0;)
        if (object->segments[s].flags & 2)
            return &object->segments[s];
    static const struct segment none;
    return &none;
}

static long places_of(uint32_t o, enum plan_place kind) {
    return places_counted(hatch.program, PLAN_OBJECT, o, kind);
}

static long object_info(uint32_t o, ObjInfoType type) {
    const struct program *object = object_number(hatch.program, o);
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
    return object_of("GetObjName", 1, obj, &o) ? object_number(hatch.program, o)->path : NULL;
}

/* A library's copies are in the program's output; of itself nothing is written. */
const char *GetObjOutName(Obj *obj) {
    uint32_t o;
    if (!object_of("GetObjOutName", 1, obj, &o))
        return NULL;
    return o == 0 ? hatch.output_name : "";
}

const unsigned *GetObjInstArray(Obj *obj) {
    uint32_t o;
    if (!object_of("GetObjInstArray", 1, obj, &o))
        return NULL;
    return hatch.program->text + object_number(hatch.program, o)->first_instruction;
}

long GetObjInstCount(Obj *obj) {
    uint32_t o;
    return object_of("GetObjInstCount", 1, obj, &o) ? object_number(hatch.program, o)->own_count : 0;
}

/* ---- of 1993, for one object -------------------------------------------------------------------------- */

const char *GetProgramName(void) {
    return require_single("GetProgramName") ? hatch.program->path : NULL;
}

const char *GetOutName(void) {
    return require_single("GetOutName") ? hatch.output_name : NULL;
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
    if (!known("GetProgramInfo", 1, (int)type, TextStartAddress, ProgramNumberInsts, "PInfoType") ||
        !require_single("GetProgramInfo"))
        return 0;
    return object_info(0, same[type]);
}

const unsigned *GetProgramInstArray(void) {
    return require_single("GetProgramInstArray") ? hatch.program->text : NULL;
}

long GetProgramInstCount(void) {
    return require_single("GetProgramInstCount") ? hatch.program->own_count : 0;
}

/* ---- blocks ------------------------------------------------------------------------------------------- */

long GetBlockInfo(Block *block, BlockInfoType type) {
    uint32_t b;
    if (!block_of("GetBlockInfo", 1, block, &b) ||
        !known("GetBlockInfo", 2, (int)type, BlockNumberInsts, BlockID, "BlockInfoType"))
        return 0;
    return type == BlockID ? b : hatch.program->blocks[b].count;
}

long BlockPC(Block *block) {
    uint32_t b;
    if (!block_of("BlockPC", 1, block, &b))
        return 0;
    return (long)instruction_address(hatch.program, hatch.program->blocks[b].first);
}

unsigned IsBranchTarget(Block *block) {
    const unsigned jumped_to = LEADER_BRANCH_TARGET | LEADER_TABLE_TARGET | LEADER_UNKNOWN_JUMP;
    uint32_t b;
    return block_of("IsBranchTarget", 1, block, &b) && hatch.program->blocks[b].leaders & jumped_to;
}

/* ---- classes and types of instructions ---------------------------------------------------------------- */

static bool begins_with(const char *mnemonic, const char *start) {
    return strncmp(mnemonic, start, strlen(start)) == 0;
}

IClassType class_of(uint32_t word) {
    static const IClassType classes[PLAN_CLASS_COUNT] = {
        [PLAN_CLASS_LOAD] = ClassLoad,
        [PLAN_CLASS_FLOAT_LOAD] = ClassFload,
        [PLAN_CLASS_STORE] = ClassStore,
        [PLAN_CLASS_FLOAT_STORE] = ClassFstore,
        [PLAN_CLASS_ADDRESS] = ClassIarithmetic,
        [PLAN_CLASS_COND_BRANCH] = ClassIbranch,
        [PLAN_CLASS_UNCOND_BRANCH] = ClassIbranch,
        [PLAN_CLASS_CALL] = ClassSubroutine,
        [PLAN_CLASS_JUMP] = ClassSubroutine,
        [PLAN_CLASS_RETURN] = ClassSubroutine,
        [PLAN_CLASS_ARITHMETIC] = ClassIarithmetic,
        [PLAN_CLASS_MULTIPLY] = ClassImultiplyq,
        [PLAN_CLASS_LOGICAL] = ClassIlogical,
        [PLAN_CLASS_SHIFT] = ClassIshift,
        [PLAN_CLASS_COND_MOVE] = ClassIcondmove,
        [PLAN_CLASS_COMPARE] = ClassIcompare,
        [PLAN_CLASS_FLOAT] = ClassFpop,
        [PLAN_CLASS_FLOAT_DIVIDE] = ClassFdivd,
        [PLAN_CLASS_PAL] = ClassNull,
        [PLAN_CLASS_MISC] = ClassMem,
        [PLAN_CLASS_UNKNOWN] = ClassNull,
    };
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    const char *mnemonic = descriptor->mnemonic;
    if (descriptor->class == PLAN_CLASS_COND_BRANCH && descriptor->flags & ALPHA_FLOATING)
        return ClassFbranch;
    if (descriptor->class == PLAN_CLASS_MULTIPLY && begins_with(mnemonic, "mull"))
        return ClassImultiplyl;
    if (descriptor->class == PLAN_CLASS_FLOAT_DIVIDE)
        return begins_with(mnemonic, "divs") || begins_with(mnemonic, "divf") ||
                       begins_with(mnemonic, "sqrts") || begins_with(mnemonic, "sqrtf")
                   ? ClassFdivs
                   : ClassFdivd;
    return classes[descriptor->class];
}

IClassType GetInstClass(Inst *inst) {
    uint32_t i;
    return inst_of("GetInstClass", 1, inst, &i) ? class_of(hatch.program->text[i]) : ClassNull;
}

/* s4addq and s8subl too. */
static bool does(const char *mnemonic, const char *operation) {
    bool scaled = mnemonic[0] == 's' && (mnemonic[1] == '4' || mnemonic[1] == '8');
    return begins_with(mnemonic + (scaled ? 2 : 0), operation);
}

bool has_type(uint32_t word, ITypeType type) {
    const struct alpha_descriptor *descriptor = alpha_decode(word);
    const char *mnemonic = descriptor->mnemonic;
    unsigned flags = descriptor->flags;
    bool computes = descriptor->format == ALPHA_FORMAT_OPERATE ||
                    descriptor->format == ALPHA_FORMAT_LITERAL || descriptor->format == ALPHA_FORMAT_FLOAT;
    switch (type) {
    case InstTypeLoad:
        return flags & ALPHA_LOAD;
    case InstTypeStore:
        return flags & ALPHA_STORE;
    case InstTypeMem:
        return flags & (ALPHA_LOAD | ALPHA_STORE);
    case InstTypeJump:
        return descriptor->format == ALPHA_FORMAT_JUMP;
    case InstTypeFP:
        return flags & ALPHA_FLOATING;
    case InstTypeInt:
        return !(flags & ALPHA_FLOATING) && class_of(word) != ClassNull && class_of(word) != ClassMem;
    case InstTypeDiv:
        return computes && begins_with(mnemonic, "div");
    case InstTypeMul:
        return computes && (begins_with(mnemonic, "mul") || begins_with(mnemonic, "umulh"));
    case InstTypeAdd:
        return computes && does(mnemonic, "add");
    case InstTypeSub:
        return computes && does(mnemonic, "sub");
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
    return has_type(hatch.program->text[i], type);
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
    const struct program *program = hatch.program;
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

static int no_field(uint32_t i, const char *has) {
    misuse(MESSAGE_HATCH_INSTRUCTION, "GetInstInfo", 1, has,
           (unsigned long long)instruction_address(hatch.program, i),
           alpha_decode(hatch.program->text[i])->mnemonic);
    return 0;
}

int GetInstInfo(Inst *inst, InstInfoType type) {
    uint32_t i;
    if (!inst_of("GetInstInfo", 1, inst, &i) ||
        !known("GetInstInfo", 2, (int)type, InstMemDisp, InstRaRegValid, "InstInfoType"))
        return 0;
    const struct program *program = hatch.program;
    uint32_t word = program->text[i];
    uint8_t format = alpha_decode(word)->format;
    const struct basic_block *block = &program->blocks[block_at(program, i)];
    switch (type) {
    case InstMemDisp: /* of a jump: the hint, and which kind of jump it is */
        if (format == ALPHA_FORMAT_MEMORY || format == ALPHA_FORMAT_JUMP ||
            format == ALPHA_FORMAT_MEMORY_FUNCTION)
            return alpha_memory_displacement(word);
        return no_field(i, "an instruction with a memory displacement");
    case InstBrDisp:
        return format == ALPHA_FORMAT_BRANCH ? alpha_branch_displacement(word) : no_field(i, "a branch");
    case InstRA:
    case InstRB:
    case InstRC:
        if (role_of(word, type) != ALPHA_ROLE_NONE)
            return register_field(word, type);
        return no_field(i, type == InstRA   ? "an instruction with a register Ra"
                           : type == InstRB ? "an instruction with a register Rb"
                                            : "an instruction with a register Rc");
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
    default: /* InstStackPtrValid and the like: as little is known of their registers as of the context */
        return 0;
    }
}

long InstPC(Inst *inst) {
    uint32_t i;
    return inst_of("InstPC", 1, inst, &i) ? (long)instruction_address(hatch.program, i) : 0;
}

long InstLineNo(Inst *inst) {
    uint32_t i, line = 0;
    const char *file;
    if (inst_of("InstLineNo", 1, inst, &i))
        program_line(hatch.program, instruction_address(hatch.program, i), &file, &line);
    return line;
}

int GetInstBinary(long pc) {
    uint32_t i = instruction_at(hatch.program, (uint64_t)pc);
    if (i != NO_INDEX)
        return (int)hatch.program->text[i];
    misuse(MESSAGE_HATCH_ADDRESS, "GetInstBinary", 1, (unsigned long long)pc);
    return 0;
}

RegvType GetInstRegEnum(Inst *inst, InstInfoType field) {
    uint32_t i;
    if (!inst_of("GetInstRegEnum", 1, inst, &i))
        return REG_NOTUSED;
    if (field != InstRA && field != InstRB && field != InstRC) {
        misuse(MESSAGE_HATCH_ENUMERATOR, "GetInstRegEnum", 2, (int)field, "InstRA, InstRB or InstRC");
        return REG_NOTUSED;
    }
    return (RegvType)register_of(hatch.program->text[i], field);
}

void GetInstRegUsage(Inst *inst, InstRegUsageVec *usage) {
    uint32_t i;
    if (!inst_of("GetInstRegUsage", 1, inst, &i))
        return;
    if (!usage) {
        misuse(MESSAGE_HATCH_HANDLE, "GetInstRegUsage", 2, "an InstRegUsageVec", "NULL");
        return;
    }
    uint32_t word = hatch.program->text[i];
    *usage = (InstRegUsageVec){.ureg_bitvec = {alpha_registers_read(word), 0},
                               .dreg_bitvec = {alpha_registers_written(word), 0}};
    if (alpha_decode(word)->format == ALPHA_FORMAT_MEMORY_FUNCTION &&
        begins_with(alpha_decode(word)->mnemonic, "rpcc"))
        usage->ureg_bitvec[1] = 1UL << (REG_CC - 64);
}
