// AlphaFormats.td: registers, operands and the instruction formats with their facts for the engine.
// Requires llvm/Target/Target.td. Field positions: Alpha Architecture Reference Manual, chapter 3.

//===- Registers ------------------------------------------------------------------------------===//

class AlphaRegister<bits<5> number, string text> : Register<text> {
    let Namespace = "Alpha";
    let HWEncoding{4-0} = number;
}

foreach number = 0...31 in {
    def R#number : AlphaRegister<number, "$"#number>;
    def F#number : AlphaRegister<number, "$f"#number>;
}

def Integer : RegisterClass<"Alpha", [i64], 64, (sequence "R%u", 0, 31)>;
def Float : RegisterClass<"Alpha", [f64], 64, (sequence "F%u", 0, 31)>;

//===- Immediate operands: their names are the kinds that mc_facade.cpp checks the ranges of --===//

class Signed<int width> : Operand<i64> {
    let DecoderMethod = "decodeSigned<"#width#">";
}

def Displacement16 : Signed<16>; // bytes
def Target21 : Signed<21> {      // words from the next instruction
    let PrintMethod = "printBranchTarget";
    let OperandType = "OPERAND_PCREL";
}
def Hint14 : Signed<14> {        // words from the next instruction: where jmp and jsr will probably go
    let PrintMethod = "printJumpHint";
}
def PlainHint14 : Operand<i64>;  // a number: ret, jsr_coroutine
def Literal8 : Operand<i64>;
def Function26 : Operand<i64> {
    let PrintMethod = "printHexadecimal";
}

//===- The facts of an instruction ------------------------------------------------------------===//

// The strings are the C enumerators without their prefixes; the C compiler checks them in alpha_table.c.
class AlphaInstruction<bits<6> opcode, string mnemonic, dag fields, string text> : Instruction {
    let Namespace = "Alpha";
    let DecoderNamespace = "Alpha";
    let Size = 4;
    let OutOperandList = (outs);
    let InOperandList = fields; // including registers that are written: the roles below distinguish them
    let AsmString = mnemonic # !if(!empty(text), "", " " # text);
    let UseNamedOperandTable = 1;

    bits<32> Inst;
    let Inst{31-26} = opcode;

    string Identifier = NAME;
    string Mnemonic = mnemonic;
    string Format = "INVALID";   // enum alpha_format
    string Extension = "BASE";   // enum alpha_extension
    string Class = "UNKNOWN";    // enum instruction_class
    list<string> Flags = [];     // enum alpha_flag
    string FlagText = !interleave(Flags, " ");
    bits<4> MemorySize = 0;      // bytes
    string RaRole = "NONE";      // enum alpha_role, for the fields <25:21>, <20:16>, <4:0>
    string RbRole = "NONE";
    string RcRole = "NONE";
}

def AlphaFactTable : GenericTable {
    let FilterClass = "AlphaInstruction";
    let CppTypeName = "AlphaFacts";
    let Fields = ["Identifier", "Mnemonic", "Format", "Extension", "Class", "FlagText", "MemorySize",
                  "RaRole", "RbRole", "RcRole"];
}

//===- Formats --------------------------------------------------------------------------------===//

// The register class and roles of a format's fields are parameters where the instructions differ.

class PalFormat<bits<6> opcode, string mnemonic>
    : AlphaInstruction<opcode, mnemonic, (ins Function26:$function), "$function"> {
    bits<26> function;
    let Inst{25-0} = function;
    let Format = "PAL";
}

class MemoryFormat<bits<6> opcode, string mnemonic, RegisterClass registers>
    : AlphaInstruction<opcode, mnemonic,
                       (ins registers:$ra, Displacement16:$displacement, Integer:$rb),
                       "$ra,$displacement($rb)"> {
    bits<5> ra;
    bits<5> rb;
    bits<16> displacement;
    let Inst{25-21} = ra;
    let Inst{20-16} = rb;
    let Inst{15-0} = displacement;
    let Format = "MEMORY";
    let RbRole = "READ";
}

// The fields of registers that the instruction ignores are left undefined: any value is decoded.
class MemoryFunctionFormat<bits<6> opcode, bits<16> function, string mnemonic, dag fields, string text>
    : AlphaInstruction<opcode, mnemonic, fields, text> {
    let Inst{25-16} = ?;
    let Inst{15-0} = function;
    let Format = "MEMORY_FUNCTION";
    let Class = "MISC";
}

class JumpFormat<bits<6> opcode, bits<2> function, string mnemonic, dag fields, string text>
    : AlphaInstruction<opcode, mnemonic, fields, "$ra,($rb),$"#text> {
    bits<5> ra;
    bits<5> rb;
    let Inst{25-21} = ra;
    let Inst{20-16} = rb;
    let Inst{15-14} = function;
    let Format = "JUMP";
    let RaRole = "WRITE";
    let RbRole = "READ";
}

class HintedJump<bits<2> function, string mnemonic>
    : JumpFormat<0x1a, function, mnemonic, (ins Integer:$ra, Integer:$rb, Hint14:$hint), "hint"> {
    bits<14> hint;
    let Inst{13-0} = hint;
}

class PlainJump<bits<2> function, string mnemonic>
    : JumpFormat<0x1a, function, mnemonic, (ins Integer:$ra, Integer:$rb, PlainHint14:$plainhint), "plainhint"> {
    bits<14> plainhint;
    let Inst{13-0} = plainhint;
}

class BranchFormat<bits<6> opcode, string mnemonic, RegisterClass registers>
    : AlphaInstruction<opcode, mnemonic, (ins registers:$ra, Target21:$target), "$ra,$target"> {
    bits<5> ra;
    bits<21> target;
    let Inst{25-21} = ra;
    let Inst{20-0} = target;
    let Format = "BRANCH";
}

// Operate, register form: <15:13> should be zero and are ignored.
class RegisterFormat<bits<6> opcode, bits<7> function, string mnemonic, dag fields, string text>
    : AlphaInstruction<opcode, mnemonic, fields, text> {
    let Inst{15-13} = ?;
    let Inst{12} = 0;
    let Inst{11-5} = function;
    let Format = "OPERATE";
}

class LiteralFormat<bits<6> opcode, bits<7> function, string mnemonic, dag fields, string text>
    : AlphaInstruction<opcode, mnemonic, fields, text> {
    let Inst{12} = 1;
    let Inst{11-5} = function;
    let Format = "LITERAL";
}

class Operate<bits<6> opcode, bits<7> function, string mnemonic>
    : RegisterFormat<opcode, function, mnemonic, (ins Integer:$ra, Integer:$rb, Integer:$rc), "$ra,$rb,$rc"> {
    bits<5> ra;
    bits<5> rb;
    bits<5> rc;
    let Inst{25-21} = ra;
    let Inst{20-16} = rb;
    let Inst{4-0} = rc;
    let RaRole = "READ";
    let RbRole = "READ";
    let RcRole = "WRITE";
}

class OperateLiteral<bits<6> opcode, bits<7> function, string mnemonic>
    : LiteralFormat<opcode, function, mnemonic, (ins Integer:$ra, Literal8:$literal, Integer:$rc),
                    "$ra,$literal,$rc"> {
    bits<5> ra;
    bits<8> literal;
    bits<5> rc;
    let Inst{25-21} = ra;
    let Inst{20-13} = literal;
    let Inst{4-0} = rc;
    let RaRole = "READ";
    let RcRole = "WRITE";
}

// One source operand, Ra = $31.
class Unary<bits<6> opcode, bits<7> function, string mnemonic>
    : RegisterFormat<opcode, function, mnemonic, (ins Integer:$rb, Integer:$rc), "$rb,$rc"> {
    bits<5> rb;
    bits<5> rc;
    let Inst{25-21} = 31;
    let Inst{20-16} = rb;
    let Inst{4-0} = rc;
    let RbRole = "READ";
    let RcRole = "WRITE";
}

class UnaryLiteral<bits<6> opcode, bits<7> function, string mnemonic>
    : LiteralFormat<opcode, function, mnemonic, (ins Literal8:$literal, Integer:$rc), "$literal,$rc"> {
    bits<8> literal;
    bits<5> rc;
    let Inst{25-21} = 31;
    let Inst{20-13} = literal;
    let Inst{4-0} = rc;
    let RcRole = "WRITE";
}

class FloatFormat<bits<6> opcode, bits<11> function, string mnemonic, dag fields, string text>
    : AlphaInstruction<opcode, mnemonic, fields, text> {
    let Inst{15-5} = function;
    let Format = "FLOAT";
    let Class = "FLOAT";
    let Flags = ["FLOATING"];
}

class FloatOperate<bits<6> opcode, bits<11> function, string mnemonic>
    : FloatFormat<opcode, function, mnemonic, (ins Float:$ra, Float:$rb, Float:$rc), "$ra,$rb,$rc"> {
    bits<5> ra;
    bits<5> rb;
    bits<5> rc;
    let Inst{25-21} = ra;
    let Inst{20-16} = rb;
    let Inst{4-0} = rc;
    let RaRole = "FLOAT_READ";
    let RbRole = "FLOAT_READ";
    let RcRole = "FLOAT_WRITE";
}

// One source operand, Fa = $f31.
class FloatUnary<bits<6> opcode, bits<11> function, string mnemonic>
    : FloatFormat<opcode, function, mnemonic, (ins Float:$rb, Float:$rc), "$rb,$rc"> {
    bits<5> rb;
    bits<5> rc;
    let Inst{25-21} = 31;
    let Inst{20-16} = rb;
    let Inst{4-0} = rc;
    let RbRole = "FLOAT_READ";
    let RcRole = "FLOAT_WRITE";
}
