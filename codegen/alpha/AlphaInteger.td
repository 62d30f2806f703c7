// AlphaInteger.td: PALcode, memory, branch, integer operate and miscellaneous instructions.
// Requires AlphaFormats.td. Encodings: Alpha Architecture Reference Manual, appendix C.

//===- PALcode --------------------------------------------------------------------------------===//

let Class = "PAL" in
def CALL_PAL : PalFormat<0x00, "call_pal">; // registers by function: decode.c

//===- Memory ---------------------------------------------------------------------------------===//

let Class = "ADDRESS", RaRole = "WRITE" in {
    def LDA : MemoryFormat<0x08, "lda", Integer>;
    def LDAH : MemoryFormat<0x09, "ldah", Integer>;
}

class IntegerLoad<bits<6> opcode, string mnemonic, bits<4> size, list<string> flags = []>
    : MemoryFormat<opcode, mnemonic, Integer> {
    let Class = "LOAD";
    let Flags = ["LOAD"] # flags;
    let MemorySize = size;
    let RaRole = "WRITE";
}
class IntegerStore<bits<6> opcode, string mnemonic, bits<4> size, list<string> flags = []>
    : MemoryFormat<opcode, mnemonic, Integer> {
    let Class = "STORE";
    let Flags = ["STORE"] # flags;
    let MemorySize = size;
    let RaRole = "READ";
}
class FloatLoad<bits<6> opcode, string mnemonic, bits<4> size> : MemoryFormat<opcode, mnemonic, Float> {
    let Class = "FLOAT_LOAD";
    let Flags = ["LOAD", "FLOATING"];
    let MemorySize = size;
    let RaRole = "FLOAT_WRITE";
}
class FloatStore<bits<6> opcode, string mnemonic, bits<4> size> : MemoryFormat<opcode, mnemonic, Float> {
    let Class = "FLOAT_STORE";
    let Flags = ["STORE", "FLOATING"];
    let MemorySize = size;
    let RaRole = "FLOAT_READ";
}

let Extension = "BWX" in {
    def LDBU : IntegerLoad<0x0a, "ldbu", 1>;
    def LDWU : IntegerLoad<0x0c, "ldwu", 2>;
    def STW : IntegerStore<0x0d, "stw", 2>;
    def STB : IntegerStore<0x0e, "stb", 1>;
}
def LDQ_U : IntegerLoad<0x0b, "ldq_u", 8, ["UNALIGNED"]>;
def STQ_U : IntegerStore<0x0f, "stq_u", 8, ["UNALIGNED"]>;

def LDF : FloatLoad<0x20, "ldf", 4>;
def LDG : FloatLoad<0x21, "ldg", 8>;
def LDS : FloatLoad<0x22, "lds", 4>;
def LDT : FloatLoad<0x23, "ldt", 8>;
def STF : FloatStore<0x24, "stf", 4>;
def STG : FloatStore<0x25, "stg", 8>;
def STS : FloatStore<0x26, "sts", 4>;
def STT : FloatStore<0x27, "stt", 8>;

def LDL : IntegerLoad<0x28, "ldl", 4>;
def LDQ : IntegerLoad<0x29, "ldq", 8>;
def LDL_L : IntegerLoad<0x2a, "ldl_l", 4, ["LOCKED"]>;
def LDQ_L : IntegerLoad<0x2b, "ldq_l", 8, ["LOCKED"]>;
def STL : IntegerStore<0x2c, "stl", 4>;
def STQ : IntegerStore<0x2d, "stq", 8>;
let RaRole = "READ_WRITE" in { // the value stored, then whether it was
    def STL_C : IntegerStore<0x2e, "stl_c", 4, ["LOCKED"]>;
    def STQ_C : IntegerStore<0x2f, "stq_c", 8, ["LOCKED"]>;
}

//===- Branches and jumps ---------------------------------------------------------------------===//

let Class = "UNCOND_BRANCH", Flags = ["UNCOND_BRANCH"], RaRole = "WRITE" in
def BR : BranchFormat<0x30, "br", Integer>;
let Class = "CALL", Flags = ["CALL"], RaRole = "WRITE" in
def BSR : BranchFormat<0x34, "bsr", Integer>;

let Class = "COND_BRANCH", Flags = ["COND_BRANCH", "FLOATING"], RaRole = "FLOAT_READ" in {
    def FBEQ : BranchFormat<0x31, "fbeq", Float>;
    def FBLT : BranchFormat<0x32, "fblt", Float>;
    def FBLE : BranchFormat<0x33, "fble", Float>;
    def FBNE : BranchFormat<0x35, "fbne", Float>;
    def FBGE : BranchFormat<0x36, "fbge", Float>;
    def FBGT : BranchFormat<0x37, "fbgt", Float>;
}
let Class = "COND_BRANCH", Flags = ["COND_BRANCH"], RaRole = "READ" in {
    def BLBC : BranchFormat<0x38, "blbc", Integer>;
    def BEQ : BranchFormat<0x39, "beq", Integer>;
    def BLT : BranchFormat<0x3a, "blt", Integer>;
    def BLE : BranchFormat<0x3b, "ble", Integer>;
    def BLBS : BranchFormat<0x3c, "blbs", Integer>;
    def BNE : BranchFormat<0x3d, "bne", Integer>;
    def BGE : BranchFormat<0x3e, "bge", Integer>;
    def BGT : BranchFormat<0x3f, "bgt", Integer>;
}

let Class = "JUMP", Flags = ["INDIRECT"] in
def JMP : HintedJump<0, "jmp">;
let Class = "CALL", Flags = ["CALL", "INDIRECT"] in
def JSR : HintedJump<1, "jsr">;
let Class = "RETURN", Flags = ["INDIRECT", "RETURN"] in
def RET : PlainJump<2, "ret">;
let Class = "CALL", Flags = ["CALL", "INDIRECT"] in
def JSR_COROUTINE : PlainJump<3, "jsr_coroutine">;

//===- Integer operate ------------------------------------------------------------------------===//

// The register form NAMEr and the form with an 8-bit literal NAMEi.
multiclass Both<bits<6> opcode, bits<7> function, string mnemonic> {
    def r : Operate<opcode, function, mnemonic>;
    def i : OperateLiteral<opcode, function, mnemonic>;
}
multiclass BothUnary<bits<6> opcode, bits<7> function, string mnemonic> {
    def r : Unary<opcode, function, mnemonic>;
    def i : UnaryLiteral<opcode, function, mnemonic>;
}

let Class = "ARITHMETIC" in {
    defm ADDL : Both<0x10, 0x00, "addl">;
    defm S4ADDL : Both<0x10, 0x02, "s4addl">;
    defm SUBL : Both<0x10, 0x09, "subl">;
    defm S4SUBL : Both<0x10, 0x0b, "s4subl">;
    defm S8ADDL : Both<0x10, 0x12, "s8addl">;
    defm S8SUBL : Both<0x10, 0x1b, "s8subl">;
    defm ADDQ : Both<0x10, 0x20, "addq">;
    defm S4ADDQ : Both<0x10, 0x22, "s4addq">;
    defm SUBQ : Both<0x10, 0x29, "subq">;
    defm S4SUBQ : Both<0x10, 0x2b, "s4subq">;
    defm S8ADDQ : Both<0x10, 0x32, "s8addq">;
    defm S8SUBQ : Both<0x10, 0x3b, "s8subq">;
    let Flags = ["WRITES_FPCR"] in { // an integer overflow sets FPCR<IOV>
        defm ADDLV : Both<0x10, 0x40, "addl/v">;
        defm SUBLV : Both<0x10, 0x49, "subl/v">;
        defm ADDQV : Both<0x10, 0x60, "addq/v">;
        defm SUBQV : Both<0x10, 0x69, "subq/v">;
    }
}

let Class = "COMPARE" in {
    defm CMPBGE : Both<0x10, 0x0f, "cmpbge">;
    defm CMPULT : Both<0x10, 0x1d, "cmpult">;
    defm CMPEQ : Both<0x10, 0x2d, "cmpeq">;
    defm CMPULE : Both<0x10, 0x3d, "cmpule">;
    defm CMPLT : Both<0x10, 0x4d, "cmplt">;
    defm CMPLE : Both<0x10, 0x6d, "cmple">;
}

let Class = "LOGICAL" in {
    defm AND : Both<0x11, 0x00, "and">;
    defm BIC : Both<0x11, 0x08, "bic">;
    defm BIS : Both<0x11, 0x20, "bis">;
    defm ORNOT : Both<0x11, 0x28, "ornot">;
    defm XOR : Both<0x11, 0x40, "xor">;
    defm EQV : Both<0x11, 0x48, "eqv">;
    defm AMASK : BothUnary<0x11, 0x61, "amask">;
    def IMPLVER : LiteralFormat<0x11, 0x6c, "implver", (ins Integer:$rc), "$rc"> {
        bits<5> rc;
        let Inst{25-21} = 31;
        let Inst{20-13} = 1;
        let Inst{4-0} = rc;
        let Format = "OPERATE"; // the literal is part of the opcode
        let RcRole = "WRITE";
    }
}

let Class = "COND_MOVE", Flags = ["COND_MOVE"], RcRole = "READ_WRITE" in {
    defm CMOVLBS : Both<0x11, 0x14, "cmovlbs">;
    defm CMOVLBC : Both<0x11, 0x16, "cmovlbc">;
    defm CMOVEQ : Both<0x11, 0x24, "cmoveq">;
    defm CMOVNE : Both<0x11, 0x26, "cmovne">;
    defm CMOVLT : Both<0x11, 0x44, "cmovlt">;
    defm CMOVGE : Both<0x11, 0x46, "cmovge">;
    defm CMOVLE : Both<0x11, 0x64, "cmovle">;
    defm CMOVGT : Both<0x11, 0x66, "cmovgt">;
}

let Class = "SHIFT" in {
    defm MSKBL : Both<0x12, 0x02, "mskbl">;
    defm EXTBL : Both<0x12, 0x06, "extbl">;
    defm INSBL : Both<0x12, 0x0b, "insbl">;
    defm MSKWL : Both<0x12, 0x12, "mskwl">;
    defm EXTWL : Both<0x12, 0x16, "extwl">;
    defm INSWL : Both<0x12, 0x1b, "inswl">;
    defm MSKLL : Both<0x12, 0x22, "mskll">;
    defm EXTLL : Both<0x12, 0x26, "extll">;
    defm INSLL : Both<0x12, 0x2b, "insll">;
    defm ZAP : Both<0x12, 0x30, "zap">;
    defm ZAPNOT : Both<0x12, 0x31, "zapnot">;
    defm MSKQL : Both<0x12, 0x32, "mskql">;
    defm SRL : Both<0x12, 0x34, "srl">;
    defm EXTQL : Both<0x12, 0x36, "extql">;
    defm SLL : Both<0x12, 0x39, "sll">;
    defm INSQL : Both<0x12, 0x3b, "insql">;
    defm SRA : Both<0x12, 0x3c, "sra">;
    defm MSKWH : Both<0x12, 0x52, "mskwh">;
    defm INSWH : Both<0x12, 0x57, "inswh">;
    defm EXTWH : Both<0x12, 0x5a, "extwh">;
    defm MSKLH : Both<0x12, 0x62, "msklh">;
    defm INSLH : Both<0x12, 0x67, "inslh">;
    defm EXTLH : Both<0x12, 0x6a, "extlh">;
    defm MSKQH : Both<0x12, 0x72, "mskqh">;
    defm INSQH : Both<0x12, 0x77, "insqh">;
    defm EXTQH : Both<0x12, 0x7a, "extqh">;
    let Extension = "BWX" in {
        defm SEXTB : BothUnary<0x1c, 0x00, "sextb">;
        defm SEXTW : BothUnary<0x1c, 0x01, "sextw">;
    }
}

let Class = "MULTIPLY" in {
    defm MULL : Both<0x13, 0x00, "mull">;
    defm MULQ : Both<0x13, 0x20, "mulq">;
    defm UMULH : Both<0x13, 0x30, "umulh">;
    let Flags = ["WRITES_FPCR"] in {
        defm MULLV : Both<0x13, 0x40, "mull/v">;
        defm MULQV : Both<0x13, 0x60, "mulq/v">;
    }
}

let Class = "ARITHMETIC", Extension = "CIX" in {
    def CTPOP : Unary<0x1c, 0x30, "ctpop">;
    def CTLZ : Unary<0x1c, 0x32, "ctlz">;
    def CTTZ : Unary<0x1c, 0x33, "cttz">;
}
let Class = "ARITHMETIC", Extension = "MVI" in {
    def PERR : Operate<0x1c, 0x31, "perr">;
    def UNPKBW : Unary<0x1c, 0x34, "unpkbw">;
    def UNPKBL : Unary<0x1c, 0x35, "unpkbl">;
    def PKWB : Unary<0x1c, 0x36, "pkwb">;
    def PKLB : Unary<0x1c, 0x37, "pklb">;
    defm MINSB8 : Both<0x1c, 0x38, "minsb8">;
    defm MINSW4 : Both<0x1c, 0x39, "minsw4">;
    defm MINUB8 : Both<0x1c, 0x3a, "minub8">;
    defm MINUW4 : Both<0x1c, 0x3b, "minuw4">;
    defm MAXUB8 : Both<0x1c, 0x3c, "maxub8">;
    defm MAXUW4 : Both<0x1c, 0x3d, "maxuw4">;
    defm MAXSB8 : Both<0x1c, 0x3e, "maxsb8">;
    defm MAXSW4 : Both<0x1c, 0x3f, "maxsw4">;
}

//===- Miscellaneous --------------------------------------------------------------------------===//

let Flags = ["BARRIER"] in {
    def TRAPB : MemoryFunctionFormat<0x18, 0x0000, "trapb", (ins), "">;
    def EXCB : MemoryFunctionFormat<0x18, 0x0400, "excb", (ins), "">;
    def MB : MemoryFunctionFormat<0x18, 0x4000, "mb", (ins), "">;
    def WMB : MemoryFunctionFormat<0x18, 0x4400, "wmb", (ins), "">;
}

// An address in Rb; Ra is ignored, and $31 by convention, which the encoder supplies.
class AddressHint<bits<16> function, string mnemonic>
    : MemoryFunctionFormat<0x18, function, mnemonic, (ins Integer:$rb), "($rb)"> {
    bits<5> rb;
    let Inst{20-16} = rb;
    let PostEncoderMethod = "setIgnoredRa";
    let RbRole = "READ";
}
def FETCH : AddressHint<0x8000, "fetch">;
def FETCH_M : AddressHint<0xa000, "fetch_m">;
def ECB : AddressHint<0xe800, "ecb">;
def WH64 : AddressHint<0xf800, "wh64">;
def WH64EN : AddressHint<0xfc00, "wh64en">;

let RaRole = "WRITE" in {
    // Rb orders the reading after the instruction that makes it (21264).
    def RPCC : MemoryFunctionFormat<0x18, 0xc000, "rpcc", (ins Integer:$ra, Integer:$rb), "$ra,$rb"> {
        bits<5> ra;
        bits<5> rb;
        let Inst{25-21} = ra;
        let Inst{20-16} = rb;
        let RbRole = "READ";
    }
    class InterruptFlag<bits<16> function, string mnemonic>
        : MemoryFunctionFormat<0x18, function, mnemonic, (ins Integer:$ra), "$ra"> {
        bits<5> ra;
        let Inst{25-21} = ra;
    }
    def RC : InterruptFlag<0xe000, "rc">;
    def RS : InterruptFlag<0xf000, "rs">;
}
