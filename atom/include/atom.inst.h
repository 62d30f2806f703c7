/* atom.inst.h: the interface of ATOM's instrumentation files, as atomc offers it. docs/atom.md has the rest.
   Enumerations have the same order as in ATOM. The file has two more names, <cmplrs/atom.inst.h> and
   <instrument.h>. */
#ifndef ATOM_INST_H
#define ATOM_INST_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- places: opaque handles --------------------------------------------------------------------------- */

typedef struct Obj Obj;
typedef struct Proc Proc;
typedef struct Entry Entry;
typedef struct Block Block;
typedef struct Inst Inst;
typedef struct Xlate Xlate;
#define XLATE_NOSIZE (~0U) /* for CreateXlate: any number */

typedef struct { /* the result of resolving a name or a call; unknown parts are NULL */
    Obj *obj;
    Proc *proc;
    const char *name;
    Inst *inst;
} ProcRes;

/* Bits are register numbers, RegvType. */
typedef struct {
    unsigned long ureg_bitvec[2], dreg_bitvec[2]; /* read, written */
} InstRegUsageVec;
#define UseRegBitVec(vector)  ((vector)->ureg_bitvec)
#define DestRegBitVec(vector) ((vector)->dreg_bitvec)

/* ---- enumerations ------------------------------------------------------------------------------------- */

typedef enum {
    ProgramBefore,
    ProgramAfter,
    ProcBefore,
    ProcAfter,
    BlockBefore,
    BlockAfter,
    InstBefore,
    InstAfter,
    ObjBefore,
    ObjAfter,
    EntryBefore
} PlaceType;

typedef enum { BrCondValue, EffAddrValue, ArgValue, ArgVectorValue, ReplAddrValue } ValueType;

typedef enum { ProgNumberObjects, ProgNumInstObjects, ProgNumErrantShlibs } ProgInfoType;

/* ObjTextStartAddress, ObjTextSize: cover all code.
   ObjInitData..., ObjUninitData...: the part of the writable segment that is in the file; the zeros after
   this part. ObjID: the object's number. The program is 0. ObjModifyHint: OBJ_WRITEABLE; OBJ_READONLY for a
   program that -excobj names: adding calls to it is an error. ObjSymResolution: OBJ_SYMBOLIC if the object
   was linked with -Bsymbolic. ObjShared: OBJ_NON_SHARED for a static program, OBJ_CALL_SHARED for one that
   needs libraries, OBJ_SHARABLE for a library. */
typedef enum {
    ObjTextStartAddress,
    ObjTextSize,
    ObjInitDataStartAddress,
    ObjInitDataSize,
    ObjUninitDataStartAddress,
    ObjUninitDataSize,
    ObjNumberBlocks,
    ObjNumberProcs,
    ObjNumberInsts,
    ObjID,
    ObjModifyHint,
    ObjSymResolution,
    ObjShared,
    ObjNumberEntries
} ObjInfoType;
typedef enum { OBJ_READONLY, OBJ_WRITEABLE, OBJ_AUTOMATIC } ObjModifyType; /* ObjModifyHint */
typedef enum { OBJ_STANDARD, OBJ_SYMBOLIC } ObjSymResType;                 /* ObjSymResolution */
typedef enum { OBJ_NON_SHARED, OBJ_CALL_SHARED, OBJ_SHARABLE } ObjSharedType; /* ObjShared */

/* ProcFrameSize: bytes of the stack frame.
   ProcIRegMask, ProcFRegMask: registers that the prologue saves there, one bit each.
   ProcIRegOffset, ProcFRegOffset: offset of the lowest of them from the frame's top: negative, 0 without
   any.
   ProcgpPrologue, ProcgpUsed, ProcLocalOffset: bytes of the ldgp, 0 or 8; whether $gp is read anywhere;
   0.
   ProcFrameReg, ProcPcReg: REG_SP, or REG_15 in a procedure that uses it as frame pointer; REG_RA.
   ProcNumberBlocks, ProcNumberInsts, ProcNumberEntries, ProcID: counts; its number, from 0.
   ProcLineLow, ProcLineHigh: least and greatest source line, inlined code included; or 0.
   ProcAddrTaken: true if its address is in data or computed in code. ProcIsRegFrame: true if $26 is not saved
   on the stack. ProcSymRes: SYMRES_NONE without a symbol, SYMRES_EXPORT, SYMRES_EXPORT_WEAK, SYMRES_STATIC.
   ProcIpBrJmp: true if it leaves by a branch or jump to another procedure. ProcExceptionFrame: true if it has
   landing pads of C++ exceptions. ProcHasAltEntries: true if it has more than one entry. ProcSpSetOffset:
   bytes from its start to the instruction that lowers $30, or -1. ProcEntryLengthOffset: bytes that near
   callers skip: the bytes of the ldgp. */
typedef enum {
    ProcFrameSize,
    ProcIRegMask,
    ProcIRegOffset,
    ProcFRegMask,
    ProcFRegOffset,
    ProcgpPrologue,
    ProcgpUsed,
    ProcLocalOffset,
    ProcFrameReg,
    ProcPcReg,
    ProcNumberBlocks,
    ProcNumberInsts,
    ProcID,
    ProcLineLow,
    ProcLineHigh,
    ProcAddrTaken,
    ProcIsRegFrame,
    ProcSymRes,
    ProcIpBrJmp,
    ProcExceptionFrame,
    ProcHasAltEntries,
    ProcNumberEntries,
    ProcSpSetOffset,
    ProcEntryLengthOffset
} ProcInfoType;
typedef enum { SYMRES_NONE, SYMRES_EXPORT, SYMRES_EXPORT_WEAK, SYMRES_EXTERN, SYMRES_STATIC } ProcSymResType;
#define FrameSize   ProcFrameSize
#define IRegMask    ProcIRegMask
#define IRegOffset  ProcIRegOffset
#define FRegMask    ProcFRegMask
#define FRegOffset  ProcFRegOffset
#define gpPrologue  ProcgpPrologue
#define gpUsed      ProcgpUsed
#define LocalOffset ProcLocalOffset
#define FrameReg    ProcFrameReg
#define PcReg       ProcPcReg

typedef enum { EntryIsRedundant } EntryInfoType;
typedef enum { BlockNumberInsts, BlockID } BlockInfoType;

typedef enum {
    InstMemDisp,
    InstBrDisp,
    InstRA,
    InstRB,
    InstRC,
    InstOpcode,
    InstBinary,
    InstAddrTaken,
    InstEntryPoint,
    InstIpJmp,
    InstIpBr,
    InstContext,
    InstStackPtrValid,
    InstFramePtrValid,
    InstRaRegValid
} InstInfoType;
typedef InstInfoType IInfoType;
typedef enum { IN_CONTEXT, NON_CONTEXT, NON_CONTEXT_STACK, CONTEXT_UNKNOWN } InstContextType;

typedef enum { /* each instruction has one */
    ClassLoad,
    ClassFload,
    ClassStore,
    ClassFstore,
    ClassIbranch,
    ClassFbranch,
    ClassSubroutine,
    ClassIarithmetic,
    ClassImultiplyl,
    ClassImultiplyq,
    ClassIlogical,
    ClassIshift,
    ClassIcondmove,
    ClassIcompare,
    ClassFpop,
    ClassFdivs,
    ClassFdivd,
    ClassNull,
    ClassMem
} IClassType;

typedef enum { /* an instruction may have several */
    InstTypeLoad,
    InstTypeStore,
    InstTypeJump,
    InstTypeFP,
    InstTypeInt,
    InstTypeDiv,
    InstTypeMul,
    InstTypeAdd,
    InstTypeSub,
    InstTypeCondBr,
    InstTypeUncondBr,
    InstTypeMem,
    InstTypeNop,
    InstTypeRet
} ITypeType;

typedef enum {
    REG_NOTUSED = -1,
    REG_0, REG_1, REG_2, REG_3, REG_4, REG_5, REG_6, REG_7, REG_8, REG_9, REG_10,
    REG_11, REG_12, REG_13, REG_14, REG_15, REG_16, REG_17, REG_18, REG_19, REG_20, REG_21,
    REG_22, REG_23, REG_24, REG_25, REG_26, REG_27, REG_28, REG_29, REG_30, REG_31,
    FREG_0, FREG_1, FREG_2, FREG_3, FREG_4, FREG_5, FREG_6, FREG_7, FREG_8, FREG_9, FREG_10,
    FREG_11, FREG_12, FREG_13, FREG_14, FREG_15, FREG_16, FREG_17, FREG_18, FREG_19, FREG_20, FREG_21,
    FREG_22, FREG_23, FREG_24, FREG_25, FREG_26, FREG_27, FREG_28, FREG_29, FREG_30, FREG_31,
    REG_PC,
    REG_CC,
    REG_IPC,
    REG_MAX = REG_IPC
} RegvType;
#define REG_RETVAL  REG_0
#define REG_ARG_1   REG_16
#define REG_ARG_2   REG_17
#define REG_ARG_3   REG_18
#define REG_ARG_4   REG_19
#define REG_ARG_5   REG_20
#define REG_ARG_6   REG_21
#define REG_RA      REG_26
#define REG_GP      REG_29
#define REG_SP      REG_30
#define REG_ZERO    REG_31
#define RET_RES_1   REG_RETVAL
#define FREG_RETVAL FREG_0
#define FREG_ARG_1  FREG_16
#define FREG_ARG_2  FREG_17
#define FREG_ARG_3  FREG_18
#define FREG_ARG_4  FREG_19
#define FREG_ARG_5  FREG_20
#define FREG_ARG_6  FREG_21
#define FREG_ZERO   FREG_31

typedef enum {
    SHLIB_NOTOPEN,
    SHLIB_NOTFOUND,
    SHLIB_STRIPPED,
    SHLIB_CMRLC_VERSION,
    SHLIB_RELOC_NONE,
    SHLIB_BADMAGIC,
    SHLIB_NO_FINI_EXIT,
    SHLIB_NO_INIT,
    SHLIB_NZMAGIC_AFTER_TIF,
    SHLIB_VERSION
} ShlibErrType;

typedef enum { /* of 1993: GetProgramInfo */
    TextStartAddress,
    TextSize,
    InitDataStartAddress,
    InitDataSize,
    UninitDataStartAddress,
    UninitDataSize,
    ProgramNumberBlocks,
    ProgramNumberProcs,
    ProgramNumberInsts
} PInfoType;

/* ---- navigation: NULL at the end ----------------------------------------------------------------------- */

/* The program, then the libraries that are instrumented, plug-ins last. Other libraries are no objects. */
Obj *GetFirstObj(void);
Obj *GetLastObj(void);
Obj *GetNextObj(Obj *);
Obj *GetPrevObj(Obj *);
/* Procedures of one object. Each word of the text belongs to a procedure. */
Proc *GetFirstObjProc(Obj *);
Proc *GetLastObjProc(Obj *);
Proc *GetNextProc(Proc *);
Proc *GetPrevProc(Proc *);
/* The entries of a procedure: its first instruction, and instructions at which other procedures enter it.
   Near callers that skip the ldgp count as entering at the first. */
Entry *GetFirstEntry(Proc *);
Entry *GetLastEntry(Proc *);
Entry *GetNextEntry(Entry *);
Entry *GetPrevEntry(Entry *);
/* Basic blocks of a procedure. Calls and system calls end blocks. */
Block *GetFirstBlock(Proc *);
Block *GetLastBlock(Proc *);
Block *GetNextBlock(Block *);
Block *GetPrevBlock(Block *);
/* Instructions of a block. */
Inst *GetFirstInst(Block *);
Inst *GetLastInst(Block *);
Inst *GetNextInst(Inst *);
Inst *GetPrevInst(Inst *);
/* The place that contains a place; the block that an entry begins. */
Obj *GetProcObj(Proc *);
Proc *GetBlockProc(Block *);
Block *GetInstBlock(Inst *);
Proc *GetEntryProc(Entry *);
Block *GetEntryBlock(Entry *);
/* The target of a br or conditional branch, including branches into other procedures; NULL if it is outside
   of the text; an error for a call. */
Inst *GetInstBranchTarget(Inst *);

/* ---- information --------------------------------------------------------------------------------------- */

/* The number of objects; ProgNumInstObjects: one less if -excobj names the program; ProgNumErrantShlibs:
   0. */
long GetProgInfo(ProgInfoType);
/* The first file of analysis code, or "". */
const char *GetAnalName(void);
/* Always an error: atomc itself reports a library that cannot be used. */
const char *GetErrantShlibName(int);
ShlibErrType GetErrantShlibErr(int);
/* The property that ObjInfoType selects. Counts require a built object. */
long GetObjInfo(Obj *, ObjInfoType);
/* The program as given; the path of a library. */
const char *GetObjName(Obj *);
/* The name of the output; "" if there is none, as for libraries, whose copies are in the program's
   output. */
const char *GetObjOutName(Obj *);
/* The words of the text, and how many. */
const unsigned *GetObjInstArray(Obj *);
long GetObjInstCount(Obj *);
/* The property that ProcInfoType selects. It is determined from the instructions of the prologue: ELF has no
   procedure descriptors. */
long GetProcInfo(Proc *, ProcInfoType);
/* Its symbol, and its source file; NULL if there is none. */
const char *ProcName(Proc *);
const char *ProcFileName(Proc *);
/* Its address; its $gp, or 0 if that is unknown. */
long ProcPC(Proc *);
long ProcGP(Proc *);
/* 0. */
long GetEntryInfo(Entry *, EntryInfoType);
/* A symbol at the entry, or NULL; its address. */
const char *EntryName(Entry *);
long EntryPC(Entry *);
/* BlockNumberInsts; BlockID, its number in the program. */
long GetBlockInfo(Block *, BlockInfoType);
/* The original address. */
long BlockPC(Block *);
/* True if a branch or jump can reach it, including a jump with unknown targets. */
unsigned IsBranchTarget(Block *);
/* The class (IClassType), and whether an instruction is of a type (ITypeType); docs/atom.md, "Classes". */
IClassType GetInstClass(Inst *);
int IsInstType(Inst *, ITypeType);
/* InstMemDisp InstBrDisp InstRA InstRB InstRC InstOpcode InstBinary: fields of the word, displacements
   sign-extended (InstMemDisp of a jump has all 16 bits). InstAddrTaken: it is the first of a block whose
   address is used; InstEntryPoint: an entry; InstIpJmp, InstIpBr: a jump or branch to another procedure.
   InstContext is CONTEXT_UNKNOWN. */
int GetInstInfo(Inst *, InstInfoType);
long InstPC(Inst *);
/* The source line, or 0. */
long InstLineNo(Inst *);
/* The word at an address. */
int GetInstBinary(long pc);
/* The register in InstRA, InstRB or InstRC, or REG_NOTUSED. */
RegvType GetInstRegEnum(Inst *, InstInfoType);
/* The registers that it reads and writes, one bit each. rpcc reads REG_CC: bit 1 of the second word. */
void GetInstRegUsage(Inst *, InstRegUsageVec *);

/* ---- resolving names and calls --------------------------------------------------------------------------- */

/* The target of a call, jump or branch. Between objects, the name is the symbol that the dynamic linker
   looks up among the instrumented objects, without those of LD_PRELOAD. Nothing for calls through pointers
   and for branches within a procedure. */
void ResolveTargetProc(Inst *, ProcRes *);
/* A procedure of a built object, with its object and first instruction; otherwise only the name is set. All
   symbols of a place are searched. __start finds Linux's _start. */
void ResolveNamedProc(const char *, ProcRes *);
void ResolveObjNamedProc(Obj *, const char *, ProcRes *);
void ReResolveProc(ProcRes *);
/* The object that defines this entry point, built or not. Objects are searched in the order of the dynamic
   linker, or, from obj on, through the objects that it needs. The name may also be the object's path or file
   name. */
Obj *FindObj(const char *);
Obj *FindObjDepthFirst(Obj *, const char *);
/* Find places by their symbols, including entries and instructions inside of procedures. */
Proc *FindProc(Obj *, const char *);
Entry *FindEntry(Obj *, const char *);
Inst *FindInst(Obj *, const char *);
/* The parts of the result of ResolveTargetProc. */
Obj *GetTargetObj(Inst *);
Proc *GetTargetProc(Inst *);
Entry *GetTargetEntry(Inst *);
Inst *GetTargetInst(Inst *);
const char *GetTargetName(Inst *);

/* ---- objects --------------------------------------------------------------------------------------------- */

/* For InstrumentAll: build an object (then its places exist), test whether it is built, end its
   instrumentation with or without its calls, in this order for each object. All objects are in memory. One
   that is never written is written at the end, with a warning; one that is never built has no calls. */
unsigned BuildObj(Obj *);
unsigned IsObjBuilt(Obj *);
void WriteObj(Obj *);
void ReleaseObj(Obj *);

/* ---- adding calls: described by AddCallProto first ------------------------------------------------------- */

/* Declares the parameters of a routine: docs/atom.md, "Arguments". A parameter may have a name. */
void AddCallProto(const char *);
/* Before or after the program: at the last system call, or when a signal ends it. */
void AddCallProgram(PlaceType, const char *, ...);
/* For the program: like AddCallProgram, nested inside of its calls. For a library: after it has been loaded,
   and before it is unloaded. Registers, and REG_PC, have their values at the system call that maps or unmaps
   the library. */
void AddCallObj(Obj *, PlaceType, const char *, ...);
/* At each entry; at each return, and before a branch to another procedure; not if exit or longjmp ends the
   procedure. */
void AddCallProc(Proc *, PlaceType, const char *, ...);
/* At one entry. */
void AddCallEntry(Entry *, PlaceType, const char *, ...);
/* Before and after, as in pages (docs/reference.md, "Before and after"): after a call means when it
   returns, after an unconditional branch just before it. */
void AddCallBlock(Block *, PlaceType, const char *, ...);
void AddCallInst(Inst *, PlaceType, const char *, ...);
/* Enters the routine in place of the procedure, with the procedure's arguments. The routine needs no
   prototype and takes at most six parameters: integers, pointers and doubles. Calls added at the entries
   are made as well. */
void ReplaceProcedure(Proc *, const char *);
/* Enters the routine with explicit arguments: constants, REGV, FREGV, and as VALUE one of these. ArgValue:
   the n-th ArgValue is the procedure's n-th argument, 64 bits, including arguments on the stack.
   ArgVectorValue: the address of all its arguments, 8 bytes each, with the floating-point registers 48
   bytes below. ReplAddrValue: the address for calling the procedure itself. */
void ReplaceProto(const char *);
void ReplaceEntry(Entry *, const char *, ...);
/* Like ReplaceProcedure, for one entry; RetainedEntryAddr("name") in the analysis code is the address for
   calling the procedure. */
void ReplaceAndRetainEntry(Entry *, const char *);
/* A table of addresses in the instrumented program, at most n, or XLATE_NOSIZE for any number: for an
   instruction, the value of REG_IPC there; for an entry, the address at which control from outside enters.
   Its contents are fixed when the instrumentation code ends. Code that is not copied (--copy=sparse) has
   its original address. */
Xlate *CreateXlate(Obj *, unsigned);
void AddXlateAddress(Xlate *, Inst *);
void AddXlateEntry(Xlate *, Entry *);

/* ---- threads: atomc locks, nothing is excluded ---------------------------------------------------------- */

typedef enum { THREAD_PTHREAD = 1, THREAD_FORK = 2, THREAD_FLOAT = 4 } ThreadOptions;
/* 0: no procedure needs to be excluded. */
int ThreadExcludeObj(Obj *, unsigned long);
int ThreadExcludeProc(Obj *, Proc *, unsigned long);
/* The object and procedure of pthread_create and pthread_exit, or NULL. */
Obj *ThreadCreationObj(void);
Proc *ThreadCreationProc(void);
Obj *ThreadTerminationObj(void);
Proc *ThreadTerminationProc(void);
/* Obsolete: returns 0, with a warning that the routine is never called. */
int ThreadExitCall(Obj *, unsigned long, const char *);
int ThreadForkCall(Obj *, unsigned long, const char *, const char *);

/* ---- of 1993: for a program that is one object ----------------------------------------------------------- */

/* Like GetFirstObjProc and GetLastObjProc, for the object that is built. */
Proc *GetFirstProc(void);
Proc *GetLastProc(void);
/* Like GetObjName and GetObjOutName, for the program. */
const char *GetProgramName(void);
char *GetOutName(void);
/* Like GetObjInfo, for the object that is built. */
long GetProgramInfo(PInfoType);
/* Like GetObjInstArray and GetObjInstCount, for the object that is built. */
const unsigned *GetProgramInstArray(void);
long GetProgramInstCount(void);
/* The procedure that ResolveTargetProc finds, and its name. */
Proc *GetProcCalled(Inst *);
/* The procedure of that name in the first built object that has one, and that object; or NULL. */
Proc *GetNamedProc(const char *);
Obj *GetNamedProcObj(const char *);
const char *GetInstProcCalled(Inst *);

/* ---- arguments keep their kinds ---------------------------------------------------------------------------
   The callee of a variadic C function cannot tell an int from a long, or a string from a number. So the variadic
   routines are macros that pass each argument as 64 bits with its kind. */

struct atom_argument {
    enum {
        ATOM_END,
        ATOM_INTEGER,
        ATOM_STRING, /* char * */
        ATOM_INTS,   /* int * */
        ATOM_LONGS,  /* long * */
        ATOM_XLATE,
        ATOM_POINTER, /* void *, as NULL */
        ATOM_OTHER
    } kind;
    long value;
};
void atom_add_call_program(PlaceType, const char *, const struct atom_argument *);
void atom_add_call_obj(Obj *, PlaceType, const char *, const struct atom_argument *);
void atom_add_call_proc(Proc *, PlaceType, const char *, const struct atom_argument *);
void atom_add_call_entry(Entry *, PlaceType, const char *, const struct atom_argument *);
void atom_add_call_block(Block *, PlaceType, const char *, const struct atom_argument *);
void atom_add_call_inst(Inst *, PlaceType, const char *, const struct atom_argument *);
void atom_replace_entry(Entry *, const char *, const struct atom_argument *);

#ifdef __cplusplus
} /* extern "C" */

template <typename T> inline atom_argument atom_argument_of(T value) {
    return {atom_argument::ATOM_INTEGER, (long)value};
}
template <typename T> inline atom_argument atom_argument_of(T *value) {
    return {atom_argument::ATOM_OTHER, (long)value};
}
inline atom_argument atom_argument_of(const char *value) { return {atom_argument::ATOM_STRING, (long)value}; }
inline atom_argument atom_argument_of(char *value) { return {atom_argument::ATOM_STRING, (long)value}; }
inline atom_argument atom_argument_of(const int *value) { return {atom_argument::ATOM_INTS, (long)value}; }
inline atom_argument atom_argument_of(int *value) { return {atom_argument::ATOM_INTS, (long)value}; }
inline atom_argument atom_argument_of(const unsigned *value) { return {atom_argument::ATOM_INTS, (long)value}; }
inline atom_argument atom_argument_of(unsigned *value) { return {atom_argument::ATOM_INTS, (long)value}; }
inline atom_argument atom_argument_of(const long *value) { return {atom_argument::ATOM_LONGS, (long)value}; }
inline atom_argument atom_argument_of(long *value) { return {atom_argument::ATOM_LONGS, (long)value}; }
inline atom_argument atom_argument_of(unsigned long *value) { return {atom_argument::ATOM_LONGS, (long)value}; }
inline atom_argument atom_argument_of(Xlate *value) { return {atom_argument::ATOM_XLATE, (long)value}; }
inline atom_argument atom_argument_of(void *value) { return {atom_argument::ATOM_POINTER, (long)value}; }
inline atom_argument atom_argument_of(decltype(nullptr)) { return {atom_argument::ATOM_POINTER, 0}; }
inline atom_argument atom_argument_of(float) { return {atom_argument::ATOM_OTHER, 0}; }
inline atom_argument atom_argument_of(double) { return {atom_argument::ATOM_OTHER, 0}; }

struct atom_arguments { /* the macros below make one of their arguments */
    atom_argument list[256];
    template <typename... T> atom_arguments(T... values) : list{atom_argument_of(values)..., {atom_argument::ATOM_END, 0}} {}
};
#define ATOM_ARGUMENTS(...) (atom_arguments(__VA_ARGS__).list)
#else
#define ATOM_KIND(x)                                                                                                  \
    _Generic((x), char *: ATOM_STRING, const char *: ATOM_STRING, unsigned char *: ATOM_STRING,                       \
        const unsigned char *: ATOM_STRING, int *: ATOM_INTS, const int *: ATOM_INTS, unsigned *: ATOM_INTS,          \
        const unsigned *: ATOM_INTS, long *: ATOM_LONGS, const long *: ATOM_LONGS, unsigned long *: ATOM_LONGS,       \
        const unsigned long *: ATOM_LONGS, Xlate *: ATOM_XLATE, void *: ATOM_POINTER, const void *: ATOM_POINTER,     \
        _Bool: ATOM_INTEGER, char: ATOM_INTEGER, signed char: ATOM_INTEGER, unsigned char: ATOM_INTEGER,              \
        short: ATOM_INTEGER, unsigned short: ATOM_INTEGER, int: ATOM_INTEGER, unsigned: ATOM_INTEGER,                 \
        long: ATOM_INTEGER, unsigned long: ATOM_INTEGER, long long: ATOM_INTEGER, unsigned long long: ATOM_INTEGER,   \
        default: ATOM_OTHER)
#define ATOM_PARENTHESES ()
#define ATOM_EXPAND(...)  ATOM_EXPAND1(ATOM_EXPAND1(ATOM_EXPAND1(ATOM_EXPAND1(__VA_ARGS__))))
#define ATOM_EXPAND1(...) ATOM_EXPAND2(ATOM_EXPAND2(ATOM_EXPAND2(ATOM_EXPAND2(__VA_ARGS__))))
#define ATOM_EXPAND2(...) ATOM_EXPAND3(ATOM_EXPAND3(ATOM_EXPAND3(ATOM_EXPAND3(__VA_ARGS__))))
#define ATOM_EXPAND3(...) __VA_ARGS__
#define ATOM_EACH(x, ...)                                                                                             \
    {ATOM_KIND(x), (long)(x)}, __VA_OPT__(ATOM_EACH_AGAIN ATOM_PARENTHESES (__VA_ARGS__))
#define ATOM_EACH_AGAIN() ATOM_EACH
#define ATOM_ARGUMENTS(...)                                                                                           \
    ((struct atom_argument[]){__VA_OPT__(ATOM_EXPAND(ATOM_EACH(__VA_ARGS__))) {ATOM_END, 0}})
#endif

#define AddCallProgram(place, name, ...) atom_add_call_program(place, name, ATOM_ARGUMENTS(__VA_ARGS__))
#define AddCallObj(obj, place, name, ...) atom_add_call_obj(obj, place, name, ATOM_ARGUMENTS(__VA_ARGS__))
#define AddCallProc(proc, place, name, ...) atom_add_call_proc(proc, place, name, ATOM_ARGUMENTS(__VA_ARGS__))
#define AddCallEntry(entry, place, name, ...) atom_add_call_entry(entry, place, name, ATOM_ARGUMENTS(__VA_ARGS__))
#define AddCallBlock(block, place, name, ...) atom_add_call_block(block, place, name, ATOM_ARGUMENTS(__VA_ARGS__))
#define AddCallInst(inst, place, name, ...) atom_add_call_inst(inst, place, name, ATOM_ARGUMENTS(__VA_ARGS__))
#define ReplaceEntry(entry, name, ...) atom_replace_entry(entry, name, ATOM_ARGUMENTS(__VA_ARGS__))

/* ---- what an instrumentation file defines: some of these ------------------------------------------------ */

#ifdef __cplusplus
extern "C" {
void InstrumentInit(int iargc, char **iargv);    /* once, first */
void InstrumentFini(void);                       /* once, last */
unsigned InstrumentAll(int iargc, char **iargv); /* in place of the other three: the result 1 is an error */
}
#endif

/* Called for each object, with any result and either linkage. In 1993 it had no Obj: void Instrument(int
     iargc, char **iargv, Obj *obj); C files of 1993 also declare the other three with any types. */

#endif
