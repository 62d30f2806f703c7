// mc_facade.cpp: the C interface of mc.h, and alpha_print. MC truncates immediates and aborts on
// unknown opcodes: both are checked here. Requires mc_target.cpp and the generated alpha_opcodes.h.

#include <cstdio>
#include <cstring>
#include <string>

#include "codegen/alpha/mc.h"
#include "codegen/alpha/mc_target.h"

namespace {

// An immediate operand by its name in Alpha.td.
struct Immediate {
    unsigned name;
    int64_t lowest;
    int64_t highest;
};

constexpr int64_t power(unsigned exponent) {
    return int64_t(1) << exponent;
}

const Immediate immediates[] = {
    {llvm::Alpha::OpName::displacement, -power(15), power(15) - 1},
    {llvm::Alpha::OpName::target, -power(20), power(20) - 1},
    {llvm::Alpha::OpName::hint, -power(13), power(13) - 1},
    {llvm::Alpha::OpName::plainhint, 0, power(14) - 1},
    {llvm::Alpha::OpName::literal, 0, power(8) - 1},
    {llvm::Alpha::OpName::function, 0, power(26) - 1},
};

// make_tables numbers the opcodes in MC's order, from 1; 0 is ALPHA_INVALID.
bool isOpcode(unsigned opcode) {
    return opcode > ALPHA_INVALID && opcode < ALPHA_OPCODE_COUNT;
}

unsigned machineOpcode(enum alpha_opcode opcode) {
    return alpha_mc::firstOpcode() + opcode - 1;
}

const Immediate *immediateOf(unsigned opcode, int &index) {
    for (const Immediate &immediate : immediates) {
        index = alpha_mc::operandIndex(opcode, immediate.name);
        if (index >= 0)
            return &immediate;
    }
    return nullptr;
}

struct RegisterField {
    unsigned name;
    unsigned mc_operands::*member;
    unsigned bit;
};

const RegisterField registerFields[] = {
    {llvm::Alpha::OpName::ra, &mc_operands::ra, MC_RA},
    {llvm::Alpha::OpName::rb, &mc_operands::rb, MC_RB},
    {llvm::Alpha::OpName::rc, &mc_operands::rc, MC_RC},
};

} // namespace

unsigned mc_operands_of(enum alpha_opcode opcode) {
    unsigned present = 0;
    int index;
    if (!isOpcode(opcode))
        return 0;
    for (const RegisterField &field : registerFields)
        if (alpha_mc::operandIndex(machineOpcode(opcode), field.name) >= 0)
            present |= field.bit;
    if (immediateOf(machineOpcode(opcode), index) != nullptr)
        present |= MC_IMMEDIATE;
    return present;
}

void mc_immediate_range(enum alpha_opcode opcode, int64_t *lowest, int64_t *highest) {
    int index;
    const Immediate *immediate = isOpcode(opcode) ? immediateOf(machineOpcode(opcode), index) : nullptr;
    *lowest = immediate != nullptr ? immediate->lowest : 0;
    *highest = immediate != nullptr ? immediate->highest : 0;
}

bool mc_encode(enum alpha_opcode opcode, const struct mc_operands *operands, uint32_t *word) {
    if (!isOpcode(opcode))
        return false;
    llvm::MCInst instruction = alpha_mc::makeInstruction(machineOpcode(opcode));
    for (const RegisterField &field : registerFields) {
        int index = alpha_mc::operandIndex(instruction.getOpcode(), field.name);
        if (index < 0)
            continue;
        if (operands->*field.member > 31)
            return false;
        alpha_mc::setOperand(instruction, index, operands->*field.member);
    }
    int index;
    const Immediate *immediate = immediateOf(instruction.getOpcode(), index);
    if (immediate != nullptr) {
        if (operands->immediate < immediate->lowest || operands->immediate > immediate->highest)
            return false;
        alpha_mc::setOperand(instruction, index, operands->immediate);
    }
    *word = alpha_mc::encode(instruction);
    return true;
}

enum alpha_opcode mc_decode(uint32_t word, struct mc_operands *operands) {
    llvm::MCInst instruction;
    *operands = {0, 0, 0, 0};
    if (!alpha_mc::decode(word, instruction))
        return ALPHA_INVALID;
    for (const RegisterField &field : registerFields) {
        int index = alpha_mc::operandIndex(instruction.getOpcode(), field.name);
        if (index >= 0)
            operands->*field.member = static_cast<unsigned>(alpha_mc::getOperand(instruction, index));
    }
    int index;
    if (immediateOf(instruction.getOpcode(), index) != nullptr)
        operands->immediate = alpha_mc::getOperand(instruction, index);
    return static_cast<enum alpha_opcode>(instruction.getOpcode() - alpha_mc::firstOpcode() + 1);
}

size_t alpha_print(uint32_t word, uint64_t address, char *text, size_t size) {
    llvm::MCInst instruction;
    std::string line;
    if (alpha_mc::decode(word, instruction)) {
        line = alpha_mc::print(instruction, address);
    } else {
        char number[24];
        std::snprintf(number, sizeof number, ".long 0x%08x", word);
        line = number;
    }
    if (size == 0)
        return 0;
    size_t length = line.size() < size ? line.size() : size - 1;
    std::memcpy(text, line.data(), length);
    text[length] = '\0';
    return length;
}
