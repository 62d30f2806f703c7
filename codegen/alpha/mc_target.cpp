// mc_target.cpp: the MC classes around the tables that llvm-tblgen makes of Alpha.td.
// Requires LLVM 19 (tables and class interfaces change between major versions), linked statically.

#include "codegen/alpha/mc_target.h"

#include <string>

#include "llvm/Config/llvm-config.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDecoderOps.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#if LLVM_VERSION_MAJOR != 19
#error "codegen/ is written for LLVM 19"
#endif

#define DEBUG_TYPE "alpha-mc"

using namespace llvm;

#define GET_REGINFO_ENUM
#include "AlphaRegisters.inc"
#define GET_REGINFO_MC_DESC
#include "AlphaRegisters.inc"
#define GET_INSTRINFO_MC_DESC
#include "AlphaInstructions.inc"
#define GET_INSTRINFO_NAMED_OPS
#include "AlphaInstructions.inc"
#define GET_AlphaFactTable_IMPL
#include "AlphaFacts.inc"

static constexpr size_t factCount = sizeof AlphaFactTable / sizeof AlphaFactTable[0];

//===- Encoder --------------------------------------------------------------------------------===//

namespace {

class AlphaMCCodeEmitter final : public MCCodeEmitter {
    const MCRegisterInfo &registers;

    uint64_t getBinaryCodeForInstr(const MCInst &MI, SmallVectorImpl<MCFixup> &fixups,
                                   const MCSubtargetInfo &subtarget) const; // generated

    uint64_t getMachineOpValue(const MCInst &, const MCOperand &operand, SmallVectorImpl<MCFixup> &,
                               const MCSubtargetInfo &) const {
        if (operand.isReg())
            return registers.getEncodingValue(operand.getReg());
        return static_cast<uint64_t>(operand.getImm());
    }

    unsigned setIgnoredRa(const MCInst &, unsigned word, const MCSubtargetInfo &) const {
        return word | 31u << 21;
    }

    unsigned repeatRa(const MCInst &, unsigned word, const MCSubtargetInfo &) const {
        unsigned ra = word >> 21 & 31;
        return word | ra << 16 | ra;
    }

  public:
    explicit AlphaMCCodeEmitter(const MCRegisterInfo &registers) : registers(registers) {
    }

    uint32_t encode(const MCInst &instruction, const MCSubtargetInfo &subtarget) const {
        SmallVector<MCFixup, 1> fixups;
        return static_cast<uint32_t>(getBinaryCodeForInstr(instruction, fixups, subtarget));
    }

    void encodeInstruction(const MCInst &instruction, SmallVectorImpl<char> &bytes,
                           SmallVectorImpl<MCFixup> &, const MCSubtargetInfo &subtarget) const override {
        uint32_t word = encode(instruction, subtarget);
        for (unsigned shift = 0; shift < 32; shift += 8)
            bytes.push_back(static_cast<char>(word >> shift));
    }
};

} // namespace

#include "AlphaEncoder.inc"

//===- Decoder --------------------------------------------------------------------------------===//

using DecodeStatus = MCDisassembler::DecodeStatus;

static DecodeStatus decodeRegister(MCInst &instruction, unsigned registerClass, uint64_t number) {
    instruction.addOperand(MCOperand::createReg(
        AlphaMCRegisterClasses[registerClass].getRegister(static_cast<unsigned>(number))));
    return MCDisassembler::Success;
}

static DecodeStatus DecodeIntegerRegisterClass(MCInst &instruction, uint64_t number, uint64_t,
                                               const MCDisassembler *) {
    return decodeRegister(instruction, Alpha::IntegerRegClassID, number);
}

static DecodeStatus DecodeFloatRegisterClass(MCInst &instruction, uint64_t number, uint64_t,
                                             const MCDisassembler *) {
    return decodeRegister(instruction, Alpha::FloatRegClassID, number);
}

template <unsigned width>
static DecodeStatus decodeSigned(MCInst &instruction, uint64_t field, uint64_t, const MCDisassembler *) {
    instruction.addOperand(MCOperand::createImm(SignExtend64<width>(field)));
    return MCDisassembler::Success;
}

#include "AlphaDecoder.inc"

namespace {

class AlphaDisassembler final : public MCDisassembler {
  public:
    using MCDisassembler::MCDisassembler;

    DecodeStatus decode(MCInst &instruction, uint32_t word, uint64_t address) const {
        return decodeInstruction(DecoderTableAlpha32, instruction, word, address, this, STI);
    }

    DecodeStatus getInstruction(MCInst &instruction, uint64_t &size, ArrayRef<uint8_t> bytes,
                                uint64_t address, raw_ostream &) const override {
        size = 4;
        if (bytes.size() < 4) {
            size = 0;
            return Fail;
        }
        uint32_t word = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | static_cast<uint32_t>(bytes[3]) << 24;
        return decode(instruction, word, address);
    }
};

//===- Printer --------------------------------------------------------------------------------===//

class AlphaInstPrinter final : public MCInstPrinter {
    std::pair<const char *, uint64_t> getMnemonic(const MCInst *MI) override;    // generated
    void printInstruction(const MCInst *MI, uint64_t address, raw_ostream &out); // generated
    static const char *getRegisterName(MCRegister reg);                          // generated

    void printOperand(const MCInst *instruction, unsigned index, raw_ostream &out) {
        const MCOperand &operand = instruction->getOperand(index);
        if (operand.isReg())
            out << getRegisterName(operand.getReg());
        else
            out << operand.getImm();
    }

    void printHexadecimal(const MCInst *instruction, unsigned index, raw_ostream &out) {
        out << "0x";
        out.write_hex(static_cast<uint64_t>(instruction->getOperand(index).getImm()));
    }

    void printBranchTarget(const MCInst *instruction, uint64_t address, unsigned index, raw_ostream &out) {
        out << "0x";
        out.write_hex(address + 4 + static_cast<uint64_t>(instruction->getOperand(index).getImm()) * 4);
    }

    // The assembler takes the distance in bytes.
    void printJumpHint(const MCInst *instruction, unsigned index, raw_ostream &out) {
        out << instruction->getOperand(index).getImm() * 4;
    }

  public:
    using MCInstPrinter::MCInstPrinter;

    void printRegName(raw_ostream &out, MCRegister reg) const override {
        out << getRegisterName(reg);
    }

    void printInst(const MCInst *instruction, uint64_t address, StringRef, const MCSubtargetInfo &,
                   raw_ostream &out) override {
        printInstruction(instruction, address, out);
    }
};

#include "AlphaPrinter.inc"

//===- One instance of it all -----------------------------------------------------------------===//

class AlphaAsmInfo final : public MCAsmInfo {
  public:
    AlphaAsmInfo() {
        CodePointerSize = 8;
        CalleeSaveStackSlotSize = 8;
        MinInstAlignment = 4;
        MaxInstLength = 4;
    }
};

// llvm::Triple has no Alpha: the architecture stays unknown, which MC accepts.
struct AlphaTarget {
    Triple triple{"unknown-unknown-linux-gnu"};
    MCRegisterInfo registers;
    MCInstrInfo instructions;
    AlphaAsmInfo assembly;
    MCSubtargetInfo subtarget{triple,  "",      "",      "",      {},      {},
                              nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
    MCContext context{triple, &assembly, &registers, &subtarget};
    AlphaMCCodeEmitter encoder{registers};
    AlphaDisassembler decoder{subtarget, context};
    AlphaInstPrinter printer{assembly, instructions, registers};

    AlphaTarget() {
        InitAlphaMCRegisterInfo(&registers, Alpha::R26);
        InitAlphaMCInstrInfo(&instructions);
    }
};

} // namespace

static AlphaTarget &target() {
    static AlphaTarget instance;
    return instance;
}

namespace alpha_mc {

// TableGen numbers the target's instructions after LLVM's own.
unsigned lastOpcode() {
    return Alpha::INSTRUCTION_LIST_END - 1;
}

unsigned firstOpcode() {
    return Alpha::INSTRUCTION_LIST_END - factCount;
}

const AlphaFacts &facts(unsigned opcode) {
    StringRef name = target().instructions.getName(opcode);
    for (const AlphaFacts &row : AlphaFactTable)
        if (name == row.Identifier)
            return row;
    report_fatal_error("an instruction without facts");
}

int operandIndex(unsigned opcode, unsigned name) {
    return Alpha::getNamedOperandIdx(static_cast<uint16_t>(opcode), static_cast<uint16_t>(name));
}

static const MCOperandInfo &operandInfo(unsigned opcode, int index) {
    return target().instructions.get(opcode).operands()[static_cast<size_t>(index)];
}

MCInst makeInstruction(unsigned opcode) {
    MCInst instruction;
    instruction.setOpcode(opcode);
    int count = static_cast<int>(target().instructions.get(opcode).getNumOperands());
    for (int index = 0; index < count; index++) {
        int registerClass = operandInfo(opcode, index).RegClass;
        if (registerClass >= 0)
            decodeRegister(instruction, static_cast<unsigned>(registerClass), 0);
        else
            instruction.addOperand(MCOperand::createImm(0));
    }
    return instruction;
}

void setOperand(MCInst &instruction, int index, int64_t value) {
    MCOperand &operand = instruction.getOperand(static_cast<unsigned>(index));
    int registerClass = operandInfo(instruction.getOpcode(), index).RegClass;
    if (registerClass >= 0)
        operand.setReg(AlphaMCRegisterClasses[registerClass].getRegister(static_cast<unsigned>(value)));
    else
        operand.setImm(value);
}

int64_t getOperand(const MCInst &instruction, int index) {
    const MCOperand &operand = instruction.getOperand(static_cast<unsigned>(index));
    return operand.isReg() ? target().registers.getEncodingValue(operand.getReg()) : operand.getImm();
}

uint32_t encode(const MCInst &instruction) {
    return target().encoder.encode(instruction, target().subtarget);
}

bool decode(uint32_t word, MCInst &instruction) {
    instruction.clear();
    return target().decoder.decode(instruction, word, 0) == MCDisassembler::Success;
}

std::string print(const MCInst &instruction, uint64_t address) {
    std::string text;
    raw_string_ostream stream(text);
    target().printer.printInst(&instruction, address, "", target().subtarget, stream);
    size_t start = text.find_first_not_of('\t');
    size_t end = text.find_last_not_of(" \t");
    return text.substr(start, end - start + 1);
}

} // namespace alpha_mc
