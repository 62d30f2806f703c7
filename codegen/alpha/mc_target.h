// mc_target.h: Alpha as an LLVM MC target: encoder, checked decoder, printer and the facts of Alpha.td.
// For mc_facade.cpp and make_tables.cpp only. Needs no target registry; opcodes are MC's own numbers.
#ifndef ATOMC_MC_TARGET_H
#define ATOMC_MC_TARGET_H

#include <cstdint>
#include <string>

#include "llvm/MC/MCInst.h"

#define GET_INSTRINFO_ENUM
#include "AlphaInstructions.inc"
#define GET_INSTRINFO_OPERAND_ENUM
#include "AlphaInstructions.inc"

// A row of AlphaFactTable in Alpha.td: names of enumerators without their prefixes.
struct AlphaFacts {
    const char *Identifier;
    const char *Mnemonic;
    const char *Format;
    const char *Extension;
    const char *Class;
    const char *FlagText; // separated by blanks
    uint8_t MemorySize;
    const char *RaRole;
    const char *RbRole;
    const char *RcRole;
};

namespace alpha_mc {

// The first and the last opcode of the target; the others belong to LLVM.
unsigned firstOpcode();
unsigned lastOpcode();
const AlphaFacts &facts(unsigned opcode);

// Index among the instruction's MC operands of the one called `name` (Alpha::OpName), or -1.
int operandIndex(unsigned opcode, unsigned name);
// An instruction with all its operands zero, to be filled in by setOperand.
llvm::MCInst makeInstruction(unsigned opcode);
// Sets a register number (0-31) or an immediate; both must be in range, for MC truncates.
void setOperand(llvm::MCInst &instruction, int index, int64_t value);
int64_t getOperand(const llvm::MCInst &instruction, int index);

uint32_t encode(const llvm::MCInst &instruction);
// False if the word is no instruction.
bool decode(uint32_t word, llvm::MCInst &instruction);
std::string print(const llvm::MCInst &instruction, uint64_t address);

} // namespace alpha_mc

#endif
