// make_tables.cpp: probes LLVM's AArch64 target for each encoding and writes aarch64_opcodes.h and
// aarch64_table.c. Runs at build time. LLVM's private tables are not packaged, so that facts come out of its
// encoder and decoder: a bit belongs to an encoding's pattern if changing it alone makes another instruction,
// and to an operand's field if changing it alone changes that operand.
// What MC has wrong or does not know is put right in corrections.cpp and names.cpp.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "codegen/aarch64/mc_probe.h"
#include "codegen/aarch64/names.h"

namespace {

using aarch64_probe::Instruction;
using aarch64_probe::Register;
using aarch64_probe::RegisterKind;

[[noreturn]] void fail(const std::string &message) {
    std::fprintf(stderr, "make_tables: %s\n", message.c_str());
    std::exit(1);
}

// A field of the word that numbers registers.
struct Field {
    unsigned shift = 0, width = 0;
    RegisterKind kind = RegisterKind::None; // of the field's largest number, which tells sp from zero
    unsigned count = 1;                     // of consecutive registers
    unsigned step = 1; // from a number to the next: 2 for pairs that begin with an even register
    bool read = false, written = false;
};

struct Encoding {
    unsigned opcode = 0;
    uint32_t match = 0, mask = 0;
    std::vector<Field> fields;
    uint64_t read = 0, written = 0; // registers that no field numbers
    uint32_t constants = 0;         // bits that are neither pattern nor fields of registers
    bool vague = false;             // it has a register that no set holds, as SVE's predicates
};

bool isOpcode(uint32_t word, unsigned opcode) {
    Instruction decoded;
    return aarch64_probe::decode(word, decoded) && decoded.opcode == opcode;
}

struct Word {
    unsigned opcode;
    uint32_t word;
    bool found;
};

// In a child: writes a word for each opcode from this one on, for which the encoder makes one that is decoded
// so.
[[noreturn]] void writeWords(const std::vector<unsigned> &opcodes, size_t from, unsigned firstAttempt,
                             int output) {
    if (!freopen("/dev/null", "w", stderr))
        _exit(1);
    for (size_t i = from; i < opcodes.size(); i++) {
        Word made = {opcodes[i], 0, false};
        for (unsigned attempt = i == from ? firstAttempt : 0;
             attempt < aarch64_probe::attempts && !made.found; attempt++) {
            // The encoder may end the process for operands that it does not like: which ones is known then.
            Word begun = {attempt, 0, true};
            if (write(output, &begun, sizeof begun) != sizeof begun)
                _exit(1);
            made.found =
                aarch64_probe::encode(made.opcode, attempt, made.word) && isOpcode(made.word, made.opcode);
        }
        Word end = {aarch64_probe::attempts, 0, false};
        if (write(output, &end, sizeof end) != sizeof end || write(output, &made, sizeof made) != sizeof made)
            _exit(1);
    }
    _exit(0);
}

// A word for each of the opcodes.
std::vector<Word> findWords(const std::vector<unsigned> &opcodes) {
    std::vector<Word> words;
    unsigned attempt = 0;
    while (words.size() < opcodes.size()) {
        int ends[2];
        if (attempt >= aarch64_probe::attempts) {
            words.push_back({opcodes[words.size()], 0, false});
            attempt = 0;
            continue;
        }
        if (pipe(ends) != 0)
            fail("cannot make a pipe");
        pid_t child = fork();
        if (child == 0)
            writeWords(opcodes, words.size(), attempt, ends[1]);
        close(ends[1]);
        Word next;
        while (read(ends[0], &next, sizeof next) == sizeof next) {
            if (next.found) { // an attempt begins
                attempt = next.opcode + 1;
                continue;
            }
            if (read(ends[0], &next, sizeof next) != sizeof next)
                break;
            words.push_back(next);
            attempt = 0;
        }
        close(ends[0]);
        waitpid(child, nullptr, 0);
    }
    return words;
}

void addSets(Encoding &encoding, const Register &reg, bool isRead, bool isWritten) {
    if (reg.kind == RegisterKind::Unknown)
        encoding.vague = true;
    for (unsigned i = 0; i < reg.count; i++) {
        uint64_t set = aarch64_probe::setOf(reg, i);
        encoding.read |= isRead ? set : 0;
        encoding.written |= isWritten ? set : 0;
    }
}

constexpr unsigned SLOT_SHIFT = 21, SLOTS = 2048; // table.h
constexpr unsigned VARIANTS = 8;

// Changes each bit of the word. Bits that leave the opcode are no pattern; bits[i]: those that change operand
// i.
void probeBits(unsigned opcode, uint32_t word, Encoding &encoding, std::vector<uint32_t> &bits) {
    Instruction base, other;
    aarch64_probe::decode(word, base);
    for (unsigned bit = 0; bit < 32; bit++) {
        if (!aarch64_probe::decode(word ^ 1u << bit, other) || other.opcode != opcode)
            continue;
        encoding.mask &= ~(1u << bit);
        for (size_t i = 0; i < bits.size() && i < base.operands.size() && i < other.operands.size(); i++)
            if ((base.operands[i].isRegister || other.operands[i].isRegister) &&
                other.operands[i].reg != base.operands[i].reg)
                bits[i] |= 1u << bit;
    }
}

void probe(unsigned opcode, uint32_t word, Encoding &encoding) {
    encoding.opcode = opcode;
    Instruction base, other;
    aarch64_probe::decode(word, base);
    std::vector<uint32_t> bits(base.operands.size());
    encoding.mask = UINT32_MAX;
    // Beside one word a bit may seem to be pattern because of the others, as where two registers must differ.
    uint32_t random = 1;
    for (unsigned tries = 0, from = word; tries < VARIANTS; tries++) {
        if (isOpcode(from, opcode))
            probeBits(opcode, from, encoding, bits);
        random = random * 1664525 + 1013904223;
        from = (word & encoding.mask) | (((random >> 16) | random << 16) & ~encoding.mask);
    }
    encoding.match = word & encoding.mask;
    encoding.constants = ~encoding.mask;
    for (size_t i = 0; i < bits.size(); i++) {
        const auto &operand = base.operands[i];
        if (!operand.isRegister)
            continue;
        if (bits[i] == 0) { // of one register only
            addSets(encoding, aarch64_probe::registerOf(operand.reg), operand.isRead, operand.isWritten);
            continue;
        }
        Field field;
        field.shift = static_cast<unsigned>(__builtin_ctz(bits[i]));
        field.width = 32 - static_cast<unsigned>(__builtin_clz(bits[i])) - field.shift;
        if (bits[i] != ((field.width < 32 ? 1u << field.width : 0) - 1) << field.shift) {
            encoding.vague = true; // a number in two fields
            continue;
        }
        encoding.constants &= ~bits[i];
        const Register first = aarch64_probe::registerOf(operand.reg);
        if (aarch64_probe::decode(word ^ (bits[i] & -bits[i]), other) && other.opcode == opcode) {
            const Register next = aarch64_probe::registerOf(other.operands[i].reg);
            field.step = next.number > first.number ? next.number - first.number : first.number - next.number;
        }
        // The field's number is not the register's, as of w12 to w15 in two bits: any of them may be read.
        const uint32_t low = bits[i] & -bits[i];
        if (first.kind != RegisterKind::Unknown && first.number != (word & bits[i]) / low * field.step) {
            encoding.vague = true;
            for (uint32_t value = 0; value <= bits[i] / low; value++)
                if (aarch64_probe::decode((word & ~bits[i]) | value * low, other) && other.opcode == opcode)
                    addSets(encoding, aarch64_probe::registerOf(other.operands[i].reg), operand.isRead,
                            false);
            continue;
        }
        field.kind = first.kind;
        field.count = first.count;
        field.read = operand.isRead;
        field.written = operand.isWritten;
        if (aarch64_probe::decode(word | bits[i], other) && other.opcode == opcode)
            field.kind = aarch64_probe::registerOf(other.operands[i].reg).kind;
        encoding.vague |= field.kind == RegisterKind::Unknown;
        bool known = false;
        for (Field &earlier : encoding.fields)
            if (earlier.shift == field.shift && earlier.kind == field.kind) { // tied
                earlier.read |= field.read;
                earlier.written |= field.written;
                known = true;
            }
        if (!known)
            encoding.fields.push_back(field);
    }
    for (unsigned reg : base.implicitReads)
        addSets(encoding, aarch64_probe::registerOf(reg), true, false);
    for (unsigned reg : base.implicitWrites)
        addSets(encoding, aarch64_probe::registerOf(reg), false, true);
}

constexpr uint64_t FLAGS = UINT64_C(1) << 31;

// What MC has wrong of registers.
void correct(std::vector<Encoding> &encodings) {
    for (Encoding &encoding : encodings) {
        const std::string name = aarch64_probe::nameOf(encoding.opcode);
        // mrs and msr: facts.c looks at the number of the system register.
        if (name == "MRS" || name == "MSRpstatesvcrImm1") // smstart, smstop
            encoding.written &= ~FLAGS;
        // A system call: its number, its arguments, its result.
        if (name == "SVC") {
            encoding.read |= 0x13f;
            encoding.written |= 1;
        }
        // fmov v.d[1], x: the lower half remains.
        if (name == "FMOVXDHighr")
            for (Field &field : encoding.fields)
                field.read = true;
        // The base is written back.
        if (name == "LDRAAwriteback" || name == "LDRABwriteback")
            for (Field &field : encoding.fields)
                if (field.shift == 5)
                    field.written = true;
    }
}

void writeTable(FILE *stream, const std::vector<Encoding> &encodings) {
    std::fprintf(stream, "/* made by make_tables.cpp out of LLVM's AArch64 target */\n"
                         "#include \"codegen/aarch64/table.h\"\n\n"
                         "const struct aarch64_encoding aarch64_encodings[] = {\n");
    std::string names;
    size_t bytesOfNames = 0;
    for (const Encoding &encoding : encodings) {
        const std::string name = aarch64_probe::nameOf(encoding.opcode);
        bool isVector = ((encoding.read | encoding.written) >> 32) != 0;
        for (const Field &field : encoding.fields)
            isVector |= field.kind == RegisterKind::Vector;
        const aarch64_names::Meaning meaning =
            aarch64_names::meaningOf(name, aarch64_probe::mayLoad(encoding.opcode),
                                     aarch64_probe::mayStore(encoding.opcode), isVector);
        std::fprintf(stream,
                     "    {0x%08x, 0x%08x, 0x%08x, 0x%llx, 0x%llx, %zu, %u,\n     CLASS_%s, TRANSFER_%s, "
                     "%s, %u, %u, %d, %d, %u, {",
                     encoding.match, encoding.mask, encoding.constants,
                     static_cast<unsigned long long>(encoding.read),
                     static_cast<unsigned long long>(encoding.written), bytesOfNames, encoding.vague,
                     meaning.kind, meaning.transfer, meaning.flags.empty() ? "0" : meaning.flags.c_str(),
                     meaning.size, meaning.count, meaning.index, meaning.data, meaning.writeback);
        for (const Field &field : encoding.fields)
            std::fprintf(stream, "{%u, %u, %d, %u, %u, %d, %d}, ", field.shift, field.width,
                         static_cast<int>(field.kind), field.count, field.step, field.read, field.written);
        std::fprintf(stream, "}},\n");
        names += "    \"" + name + "\\0\"\n";
        bytesOfNames += name.size() + 1;
    }
    std::fprintf(stream, "};\nconst char aarch64_encoding_names[] =\n%s;\n", names.c_str());
    std::fprintf(stream, "const unsigned aarch64_encoding_count = %zu;\n\n", encodings.size());
    // By bits 31 to 21: the encodings that a word may be of.
    std::string starts, members;
    size_t total = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        starts += std::to_string(total) + ",";
        for (size_t i = 0; i < encodings.size(); i++)
            if (((slot << SLOT_SHIFT ^ encodings[i].match) & encodings[i].mask & ~((1u << SLOT_SHIFT) - 1)) ==
                0) {
                members += std::to_string(i) + ",";
                total++;
            }
    }
    std::fprintf(stream,
                 "const uint16_t aarch64_slot_starts[] = {%s%zu};\nconst uint16_t aarch64_slots[] = {%s};\n",
                 starts.c_str(), total, members.c_str());
}

/* The numbers of the encodings in the table. */
void writeOpcodes(FILE *stream, const std::vector<Encoding> &encodings) {
    std::fprintf(stream,
                 "/* made by make_tables.cpp out of LLVM's AArch64 target */\nenum aarch64_opcode {\n");
    for (const Encoding &encoding : encodings)
        std::fprintf(stream, "    AARCH64_%s,\n", aarch64_probe::nameOf(encoding.opcode).c_str());
    std::fprintf(stream, "};\n");
}

void writeFile(const char *path, const std::vector<Encoding> &encodings,
               void (*write)(FILE *, const std::vector<Encoding> &)) {
    FILE *stream = std::fopen(path, "w");
    if (!stream)
        fail(std::string("cannot write ") + path);
    write(stream, encodings);
    std::fclose(stream);
}

} // namespace

int main(int count, char **words) {
    if (count != 3)
        fail("usage: make_tables TABLE.c OPCODES.h");
    aarch64_probe::begin();
    std::vector<unsigned> opcodes;
    for (unsigned opcode = 0; opcode < aarch64_probe::opcodeCount(); opcode++)
        if (aarch64_probe::isReal(opcode))
            opcodes.push_back(opcode);
    std::vector<Encoding> encodings;
    for (const Word &word : findWords(opcodes)) {
        Encoding encoding;
        if (!word.found) {
            std::printf("no word of %s was found\n", aarch64_probe::nameOf(word.opcode).c_str());
            continue;
        }
        probe(word.opcode, word.word, encoding);
        encodings.push_back(encoding);
    }
    // The most particular first: a word is of the first encoding that it matches.
    std::stable_sort(encodings.begin(), encodings.end(), [](const Encoding &a, const Encoding &b) {
        return __builtin_popcount(a.mask) > __builtin_popcount(b.mask);
    });
    // Without its constants, a word must remain one of its encoding.
    for (size_t i = 0; i < encodings.size(); i++)
        for (size_t j = 0; j < i; j++)
            if (((encodings[j].match ^ encodings[i].match) & encodings[j].mask &
                 (encodings[i].mask | encodings[i].constants)) == 0)
                encodings[i].constants = 0;
    correct(encodings);
    writeFile(words[1], encodings, writeTable);
    writeFile(words[2], encodings, writeOpcodes);
}
