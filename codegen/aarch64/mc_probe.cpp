// mc_probe.cpp: see mc_probe.h.
#include <cctype>
#include <cstring>
#include <memory>

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#include "codegen/aarch64/mc_probe.h"
#include "codegen/register_set.h"

using namespace llvm;

extern "C" {
void LLVMInitializeAArch64TargetInfo();
void LLVMInitializeAArch64TargetMC();
void LLVMInitializeAArch64Disassembler();
}

namespace aarch64_probe {
namespace {

std::unique_ptr<MCRegisterInfo> registers;
std::unique_ptr<MCAsmInfo> syntax;
std::unique_ptr<MCInstrInfo> instructions;
std::unique_ptr<MCSubtargetInfo> features;
std::unique_ptr<MCContext> context;
std::unique_ptr<MCDisassembler> disassembler;
std::unique_ptr<MCCodeEmitter> emitter;
std::vector<Register> known;

// The control and status of floating point, SVE's length and the like are no part of any set.
bool isState(const std::string &name) {
    return name == "FPCR" || name == "FPSR" || name == "FPMR" || name == "VG" || name == "FFR";
}

Register named(std::string name) {
    if (isState(name))
        return {RegisterKind::None, 0, 0};
    if (name == "NZCV")
        return {RegisterKind::Flags, 31, 1};
    if (name == "XZR" || name == "WZR")
        return {RegisterKind::IntegerOrZero, 31, 1};
    if (name == "SP" || name == "WSP")
        return {RegisterKind::IntegerOrStack, 31, 1};
    if (name == "FP")
        return {RegisterKind::IntegerOrZero, 29, 1};
    if (name == "LR")
        return {RegisterKind::IntegerOrZero, 30, 1};
    // Tuples whose first register has a name: FP_LR, LR_XZR.
    if (name.rfind("FP_", 0) == 0)
        name = "X29" + name.substr(2);
    if (name.rfind("LR_", 0) == 0)
        name = "X30" + name.substr(2);
    char first = name[0];
    if (name.size() < 2 || !isdigit(static_cast<unsigned char>(name[1])))
        return {RegisterKind::Unknown, 0, 1};
    unsigned number = static_cast<unsigned>(std::strtoul(name.c_str() + 1, nullptr, 10)), count = 1,
             last = number;
    for (size_t at = name.find('_'); at != std::string::npos; at = name.find('_', at + 1)) {
        std::string part = name.substr(at + 1, name.find('_', at + 1) - at - 1);
        // The last of a tuple can have a name: X28_FP, W30_WZR.
        unsigned next = part == "FP"                     ? 29
                        : part == "LR"                   ? 30
                        : part == "XZR" || part == "WZR" ? 31
                        : isdigit(static_cast<unsigned char>(part[1]))
                            ? static_cast<unsigned>(std::strtoul(part.c_str() + 1, nullptr, 10))
                            : 99;
        if (next != (last + 1) % 32 && next != 31)
            return {RegisterKind::Unknown, 0, 1}; // every eighth, as SME's
        last = next;
        count++;
    }
    if (first == 'X' || first == 'W')
        return {RegisterKind::IntegerOrZero, number, count};
    if (strchr("BHSDQZ", first))
        return {RegisterKind::Vector, number, count};
    return {RegisterKind::Unknown, 0, 1};
}

} // namespace

void begin() {
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64Disassembler();
    std::string error;
    Triple triple("aarch64-unknown-linux-gnu");
    const Target *target = TargetRegistry::lookupTarget(triple.str(), error);
    MCTargetOptions options;
    registers.reset(target->createMCRegInfo(triple.str()));
    syntax.reset(target->createMCAsmInfo(*registers, triple.str(), options));
    instructions.reset(target->createMCInstrInfo());
    features.reset(target->createMCSubtargetInfo(triple.str(), "generic", "+all"));
    context.reset(new MCContext(triple, syntax.get(), registers.get(), features.get()));
    disassembler.reset(target->createMCDisassembler(*features, *context));
    emitter.reset(target->createMCCodeEmitter(*instructions, *context));
    for (unsigned reg = 0; reg < registers->getNumRegs(); reg++)
        known.push_back(named(registers->getName(reg)));
}

unsigned opcodeCount() {
    return instructions->getNumOpcodes();
}

bool isReal(unsigned opcode) {
    const MCInstrDesc &description = instructions->get(opcode);
    return !description.isPseudo() && description.getSize() == 4;
}

std::string nameOf(unsigned opcode) {
    return instructions->getName(opcode).str();
}

bool mayLoad(unsigned opcode) {
    return instructions->get(opcode).mayLoad();
}

bool mayStore(unsigned opcode) {
    return instructions->get(opcode).mayStore();
}

bool decode(uint32_t word, Instruction &instruction) {
    MCInst decoded;
    uint64_t size;
    uint8_t bytes[4];
    memcpy(bytes, &word, 4);
    if (disassembler->getInstruction(decoded, size, ArrayRef<uint8_t>(bytes, 4), 0, nulls()) ==
        MCDisassembler::Fail)
        return false;
    const MCInstrDesc &description = instructions->get(decoded.getOpcode());
    instruction = Instruction();
    instruction.opcode = decoded.getOpcode();
    for (unsigned i = 0; i < decoded.getNumOperands(); i++) {
        const MCOperand &operand = decoded.getOperand(i);
        bool isWritten = i < description.getNumDefs();
        bool isRegister = operand.isReg() && operand.getReg();
        instruction.operands.push_back({isRegister, !isWritten, isWritten, isRegister ? operand.getReg() : 0u,
                                        operand.isImm() ? operand.getImm() : 0});
    }
    for (MCPhysReg reg : description.implicit_uses())
        instruction.implicitReads.push_back(reg);
    for (MCPhysReg reg : description.implicit_defs())
        instruction.implicitWrites.push_back(reg);
    return true;
}

bool encode(unsigned opcode, unsigned attempt, uint32_t &word) {
    static const int64_t constants[attempts] = {0, 1, 2, 8, 16, 0};
    const MCInstrDesc &description = instructions->get(opcode);
    MCInst made;
    made.setOpcode(opcode);
    for (unsigned i = 0; i < description.getNumOperands(); i++) {
        const MCOperandInfo &operand = description.operands()[i];
        int tied = description.getOperandConstraint(i, MCOI::TIED_TO);
        if (tied >= 0) {
            made.addOperand(made.getOperand(static_cast<unsigned>(tied)));
        } else if (operand.RegClass >= 0) {
            const MCRegisterClass &of = registers->getRegClass(static_cast<unsigned>(operand.RegClass));
            unsigned which = attempt == 5 ? i % of.getNumRegs() : 0;
            made.addOperand(MCOperand::createReg(of.getRegister(which)));
        } else {
            made.addOperand(MCOperand::createImm(constants[attempt]));
        }
    }
    SmallVector<char, 8> out;
    SmallVector<MCFixup, 2> fixups;
    emitter->encodeInstruction(made, out, fixups, *features);
    if (out.size() != 4)
        return false;
    memcpy(&word, out.data(), 4);
    return true;
}

Register registerOf(unsigned reg) {
    return known[reg];
}

uint64_t setOf(const Register &reg, unsigned i) {
    unsigned number = (reg.number + i) % 32;
    switch (reg.kind) {
    case RegisterKind::IntegerOrZero:
    case RegisterKind::IntegerOrStack:
        return number == 31 ? 0 : REGISTER_BIT(number);
    case RegisterKind::Vector:
        return FLOAT_BIT(number);
    case RegisterKind::Flags:
        return REGISTER_BIT(31);
    default:
        return 0;
    }
}

} // namespace aarch64_probe
