// AlphaFloat.td: floating-point operate instructions, VAX and IEEE, with all their qualifiers.
// Requires AlphaFormats.td. Encodings: Alpha Architecture Reference Manual, appendix C.

//===- Qualifiers: function<10:8> is the trapping mode, function<7:6> the rounding ------------===//

class Trapping<string text, bits<3> mode> {
    string Text = text;
    bits<3> Mode = mode;
}
def TrapNone : Trapping<"", 0>;
def TrapU : Trapping<"u", 1>;
def TrapV : Trapping<"v", 1>; // for instructions with an integer result
def TrapS : Trapping<"s", 4>;
def TrapSU : Trapping<"su", 5>;
def TrapSV : Trapping<"sv", 5>;
def TrapSUI : Trapping<"sui", 7>;
def TrapSVI : Trapping<"svi", 7>;

class Rounding<string text, bits<2> mode> {
    string Text = text;
    bits<2> Mode = mode;
}
def Chopped : Rounding<"c", 0>;
def MinusInfinity : Rounding<"m", 1>;
def Normal : Rounding<"", 2>;
def Dynamic : Rounding<"d", 3>;

defvar IeeeRoundings = [Chopped, MinusInfinity, Normal, Dynamic];
defvar VaxRoundings = [Chopped, Normal];

defvar Arithmetic = ["FLOATING", "READS_FPCR", "WRITES_FPCR"];

class Function<bits<3> trapping, bits<2> rounding, bits<6> low> {
    bits<11> Bits = {trapping, rounding, low};
}

// NAME, NAME_su, NAME_c ...: `low` is function<5:0>.
multiclass Qualified<bits<6> opcode, bits<6> low, string mnemonic, bit unary, list<Trapping> trappings,
                     list<Rounding> roundings> {
    foreach trapping = trappings in foreach rounding = roundings in {
        defvar qualifiers = trapping.Text # rounding.Text;
        defvar identifier = !if(!empty(qualifiers), "", "_" # qualifiers);
        defvar text = mnemonic # !if(!empty(qualifiers), "", "/" # qualifiers);
        defvar function = Function<trapping.Mode, rounding.Mode, low>.Bits;
        if unary then
            def NAME # identifier : FloatUnary<opcode, function, text>;
        else
            def NAME # identifier : FloatOperate<opcode, function, text>;
    }
}

multiclass Ieee<bits<6> opcode, bits<6> low, string mnemonic, bit unary>
    : Qualified<opcode, low, mnemonic, unary, [TrapNone, TrapU, TrapSU, TrapSUI], IeeeRoundings>;
multiclass Vax<bits<6> opcode, bits<6> low, string mnemonic, bit unary>
    : Qualified<opcode, low, mnemonic, unary, [TrapNone, TrapU, TrapS, TrapSU], VaxRoundings>;

let Flags = Arithmetic in {

//===- IEEE -----------------------------------------------------------------------------------===//

defm ADDS : Ieee<0x16, 0x00, "adds", 0>;
defm SUBS : Ieee<0x16, 0x01, "subs", 0>;
defm MULS : Ieee<0x16, 0x02, "muls", 0>;
defm ADDT : Ieee<0x16, 0x20, "addt", 0>;
defm SUBT : Ieee<0x16, 0x21, "subt", 0>;
defm MULT : Ieee<0x16, 0x22, "mult", 0>;
let Class = "FLOAT_DIVIDE" in {
    defm DIVS : Ieee<0x16, 0x03, "divs", 0>;
    defm DIVT : Ieee<0x16, 0x23, "divt", 0>;
    let Extension = "FIX" in {
        defm SQRTS : Ieee<0x14, 0x0b, "sqrts", 1>;
        defm SQRTT : Ieee<0x14, 0x2b, "sqrtt", 1>;
    }
}

defm CMPTUN : Qualified<0x16, 0x24, "cmptun", 0, [TrapNone, TrapSU], [Normal]>;
defm CMPTEQ : Qualified<0x16, 0x25, "cmpteq", 0, [TrapNone, TrapSU], [Normal]>;
defm CMPTLT : Qualified<0x16, 0x26, "cmptlt", 0, [TrapNone, TrapSU], [Normal]>;
defm CMPTLE : Qualified<0x16, 0x27, "cmptle", 0, [TrapNone, TrapSU], [Normal]>;

defm CVTTS : Ieee<0x16, 0x2c, "cvtts", 1>;
defm CVTTQ : Qualified<0x16, 0x2f, "cvttq", 1, [TrapNone, TrapV, TrapSV, TrapSVI], IeeeRoundings>;
defm CVTQS : Qualified<0x16, 0x3c, "cvtqs", 1, [TrapNone, TrapSUI], IeeeRoundings>;
defm CVTQT : Qualified<0x16, 0x3e, "cvtqt", 1, [TrapNone, TrapSUI], IeeeRoundings>;
def CVTST : FloatUnary<0x16, 0x2ac, "cvtst">;
def CVTST_s : FloatUnary<0x16, 0x6ac, "cvtst/s">;

//===- VAX ------------------------------------------------------------------------------------===//

defm ADDF : Vax<0x15, 0x00, "addf", 0>;
defm SUBF : Vax<0x15, 0x01, "subf", 0>;
defm MULF : Vax<0x15, 0x02, "mulf", 0>;
defm ADDG : Vax<0x15, 0x20, "addg", 0>;
defm SUBG : Vax<0x15, 0x21, "subg", 0>;
defm MULG : Vax<0x15, 0x22, "mulg", 0>;
let Class = "FLOAT_DIVIDE" in {
    defm DIVF : Vax<0x15, 0x03, "divf", 0>;
    defm DIVG : Vax<0x15, 0x23, "divg", 0>;
    let Extension = "FIX" in {
        defm SQRTF : Vax<0x14, 0x0a, "sqrtf", 1>;
        defm SQRTG : Vax<0x14, 0x2a, "sqrtg", 1>;
    }
}

defm CMPGEQ : Qualified<0x15, 0x25, "cmpgeq", 0, [TrapNone, TrapS], [Normal]>;
defm CMPGLT : Qualified<0x15, 0x26, "cmpglt", 0, [TrapNone, TrapS], [Normal]>;
defm CMPGLE : Qualified<0x15, 0x27, "cmpgle", 0, [TrapNone, TrapS], [Normal]>;

defm CVTDG : Vax<0x15, 0x1e, "cvtdg", 1>;
defm CVTGF : Vax<0x15, 0x2c, "cvtgf", 1>;
defm CVTGD : Vax<0x15, 0x2d, "cvtgd", 1>;
defm CVTGQ : Qualified<0x15, 0x2f, "cvtgq", 1, [TrapNone, TrapV, TrapS, TrapSV], VaxRoundings>;
defm CVTQF : Qualified<0x15, 0x3c, "cvtqf", 1, [TrapNone], VaxRoundings>;
defm CVTQG : Qualified<0x15, 0x3e, "cvtqg", 1, [TrapNone], VaxRoundings>;

} // Arithmetic

//===- Data moves: no traps but for cvtql -----------------------------------------------------===//

def CPYS : FloatOperate<0x17, 0x020, "cpys">;
def CPYSN : FloatOperate<0x17, 0x021, "cpysn">;
def CPYSE : FloatOperate<0x17, 0x022, "cpyse">;

let Flags = ["FLOATING", "COND_MOVE"], RcRole = "FLOAT_READ_WRITE" in {
    def FCMOVEQ : FloatOperate<0x17, 0x02a, "fcmoveq">;
    def FCMOVNE : FloatOperate<0x17, 0x02b, "fcmovne">;
    def FCMOVLT : FloatOperate<0x17, 0x02c, "fcmovlt">;
    def FCMOVGE : FloatOperate<0x17, 0x02d, "fcmovge">;
    def FCMOVLE : FloatOperate<0x17, 0x02e, "fcmovle">;
    def FCMOVGT : FloatOperate<0x17, 0x02f, "fcmovgt">;
}

def CVTLQ : FloatUnary<0x17, 0x010, "cvtlq">;
def CVTQL : FloatUnary<0x17, 0x030, "cvtql">;
let Flags = ["FLOATING", "WRITES_FPCR"] in {
    def CVTQL_v : FloatUnary<0x17, 0x130, "cvtql/v">;
    def CVTQL_sv : FloatUnary<0x17, 0x530, "cvtql/sv">;
}

// The register is in all three fields; that of Fa counts, and the encoder repeats it.
class FpcrMove<bits<11> function, string mnemonic>
    : FloatFormat<0x17, function, mnemonic, (ins Float:$ra), "$ra"> {
    bits<5> ra;
    let Inst{25-21} = ra;
    let Inst{20-16} = ?;
    let Inst{4-0} = ?;
    let PostEncoderMethod = "repeatRa";
}
let Flags = ["FLOATING", "WRITES_FPCR"], RaRole = "FLOAT_READ" in
def MT_FPCR : FpcrMove<0x024, "mt_fpcr">;
let Flags = ["FLOATING", "READS_FPCR"], RaRole = "FLOAT_WRITE" in
def MF_FPCR : FpcrMove<0x025, "mf_fpcr">;

//===- Between the register files -------------------------------------------------------------===//

let Extension = "FIX" in {
    class IntegerToFloat<bits<11> function, string mnemonic>
        : FloatFormat<0x14, function, mnemonic, (ins Integer:$ra, Float:$rc), "$ra,$rc"> {
        bits<5> ra;
        bits<5> rc;
        let Inst{25-21} = ra;
        let Inst{20-16} = 31;
        let Inst{4-0} = rc;
        let RaRole = "READ";
        let RcRole = "FLOAT_WRITE";
    }
    def ITOFS : IntegerToFloat<0x004, "itofs">;
    def ITOFF : IntegerToFloat<0x014, "itoff">;
    def ITOFT : IntegerToFloat<0x024, "itoft">;

    class FloatToInteger<bits<7> function, string mnemonic>
        : FloatFormat<0x1c, {?, ?, ?, 0, function}, mnemonic, (ins Float:$ra, Integer:$rc), "$ra,$rc"> {
        bits<5> ra;
        bits<5> rc;
        let Inst{25-21} = ra;
        let Inst{20-16} = 31;
        let Inst{4-0} = rc;
        let RaRole = "FLOAT_READ";
        let RcRole = "WRITE";
    }
    def FTOIT : FloatToInteger<0x70, "ftoit">;
    def FTOIS : FloatToInteger<0x78, "ftois">;
}
