// mc_text.cpp: instructions as LLVM prints them (text.h). LLVM's target is made when the first is asked for.
#include <cstdio>
#include <memory>

#include "llvm/ADT/SmallString.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#include "codegen/aarch64/text.h"

using namespace llvm;

extern "C" {
void LLVMInitializeAArch64TargetInfo();
void LLVMInitializeAArch64TargetMC();
void LLVMInitializeAArch64Disassembler();
}

namespace {

// Members are destroyed in the reverse order: each uses those above it.
struct Printer {
    std::unique_ptr<MCRegisterInfo> registers;
    std::unique_ptr<MCAsmInfo> syntax;
    std::unique_ptr<MCInstrInfo> instructions;
    std::unique_ptr<MCSubtargetInfo> features;
    std::unique_ptr<MCContext> context;
    std::unique_ptr<MCDisassembler> disassembler;
    std::unique_ptr<MCInstPrinter> printer;

    Printer() {
        LLVMInitializeAArch64TargetInfo();
        LLVMInitializeAArch64TargetMC();
        LLVMInitializeAArch64Disassembler();
        std::string error;
        const Triple triple("aarch64-unknown-linux-gnu");
        const Target *target = TargetRegistry::lookupTarget(triple.str(), error);
        registers.reset(target->createMCRegInfo(triple.str()));
        syntax.reset(target->createMCAsmInfo(*registers, triple.str(), MCTargetOptions()));
        instructions.reset(target->createMCInstrInfo());
        features.reset(target->createMCSubtargetInfo(triple.str(), "generic", "+all"));
        context.reset(new MCContext(triple, syntax.get(), registers.get(), features.get()));
        disassembler.reset(target->createMCDisassembler(*features, *context));
        printer.reset(target->createMCInstPrinter(triple, syntax->getAssemblerDialect(), *syntax,
                                                  *instructions, *registers));
        printer->setPrintBranchImmAsAddress(true);
    }
};

} // namespace

size_t aarch64_text(uint32_t word, uint64_t address, char *text, size_t size) {
    static Printer target;
    uint8_t bytes[4];
    support::endian::write32le(bytes, word);
    MCInst instruction;
    uint64_t length;
    SmallString<128> printed;
    raw_svector_ostream stream(printed);
    if (target.disassembler->getInstruction(instruction, length, bytes, address, nulls()) !=
        MCDisassembler::Success)
        return 0;
    target.printer->printInst(&instruction, address, "", *target.features, stream);
    // LLVM begins with a tab, and adds comments after a second one.
    const StringRef line = StringRef(printed).ltrim('\t').split("\t//").first.rtrim();
    const int written = snprintf(text, size, "%.*s", static_cast<int>(line.size()), line.data());
    return written < 0 ? 0 : static_cast<size_t>(written) < size ? static_cast<size_t>(written) : size - 1;
}
