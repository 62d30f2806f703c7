// mc_probe.h: LLVM's AArch64 target as make_tables asks it. Requires LLVM 19's archives.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aarch64_probe {

enum class RegisterKind {
    None,
    IntegerOrZero,  // 31 is always 0
    IntegerOrStack, // 31 is sp
    Vector,
    Flags,
    Unknown // in no set of registers
};
struct Register {
    RegisterKind kind;
    unsigned number;
    unsigned count; // of consecutive registers
};

struct Operand {
    bool isRegister;
    bool isRead, isWritten;
    unsigned reg; // LLVM's number
    int64_t constant;
};
struct Instruction {
    unsigned opcode;
    std::vector<Operand> operands;
    std::vector<unsigned> implicitReads, implicitWrites;
};

void begin();
unsigned opcodeCount();
bool isReal(unsigned opcode); // an encoding of four bytes
std::string nameOf(unsigned opcode);
bool mayLoad(unsigned opcode);
bool mayStore(unsigned opcode);
bool decode(uint32_t word, Instruction &instruction);

constexpr unsigned attempts = 6; // ways of choosing operands
bool encode(unsigned opcode, unsigned attempt, uint32_t &word);

Register registerOf(unsigned reg);
uint64_t setOf(const Register &reg,
               unsigned i); // of the i-th of its registers, as codegen/register_set.h says

} // namespace aarch64_probe
