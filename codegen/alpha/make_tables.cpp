// make_tables.cpp: probes the MC target for each encoding and writes alpha_opcodes.h, alpha_words.h and
// alpha_table.c. Runs at build time; requires mc_target.cpp. Fails if two encodings overlap or a lookup is
// ambiguous.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "codegen/alpha/mc_target.h"

namespace {

struct Encoding {
    const AlphaFacts *facts;
    uint32_t match;
    uint32_t mask; // the bits that make the instruction; the others are operands or ignored
};

// How the words of one primary opcode <31:26> find their encoding: slots[base + (word >> shift & mask)].
struct Dispatch {
    unsigned base;
    unsigned shift;
    unsigned mask;
};

constexpr uint32_t primaryMask = 0xfc000000;
constexpr unsigned primaryCount = 64;

[[noreturn]] void fail(const std::string &message) {
    std::fprintf(stderr, "make_tables: %s\n", message.c_str());
    std::exit(1);
}

// A bit belongs to the pattern if changing it alone makes another instruction, or none.
Encoding probe(unsigned opcode) {
    Encoding encoding{&alpha_mc::facts(opcode), 0, 0};
    uint32_t word = alpha_mc::encode(alpha_mc::makeInstruction(opcode));
    llvm::MCInst decoded;
    if (!alpha_mc::decode(word, decoded) || decoded.getOpcode() != opcode)
        fail(std::string(encoding.facts->Identifier) + " is not decoded as it is encoded");
    for (unsigned bit = 0; bit < 32; bit++)
        if (!alpha_mc::decode(word ^ 1u << bit, decoded) || decoded.getOpcode() != opcode)
            encoding.mask |= 1u << bit;
    encoding.match = word & encoding.mask;
    if ((encoding.mask & primaryMask) != primaryMask)
        fail(std::string(encoding.facts->Identifier) + " does not fix its primary opcode");
    return encoding;
}

std::vector<Encoding> probeAll() {
    std::vector<Encoding> encodings;
    for (unsigned opcode = alpha_mc::firstOpcode(); opcode <= alpha_mc::lastOpcode(); opcode++)
        encodings.push_back(probe(opcode));
    for (size_t i = 0; i < encodings.size(); i++)
        for (size_t j = i + 1; j < encodings.size(); j++)
            if (((encodings[i].match ^ encodings[j].match) & encodings[i].mask & encodings[j].mask) == 0)
                fail(std::string(encodings[i].facts->Identifier) + " overlaps " +
                     encodings[j].facts->Identifier);
    return encodings;
}

// The field that tells a primary opcode's encodings apart: the bits fixed in all of them that differ.
Dispatch findField(const std::vector<Encoding> &encodings, uint32_t primary) {
    uint32_t common = ~primaryMask, differing = 0, first = 0;
    bool any = false;
    for (const Encoding &encoding : encodings) {
        if (encoding.match >> 26 != primary)
            continue;
        if (!any)
            first = encoding.match;
        any = true;
        common &= encoding.mask;
        differing |= encoding.match ^ first;
    }
    differing &= common;
    Dispatch dispatch{0, 0, 0};
    if (any && differing != 0) {
        dispatch.shift = static_cast<unsigned>(__builtin_ctz(differing));
        unsigned width = 32 - static_cast<unsigned>(__builtin_clz(differing)) - dispatch.shift;
        dispatch.mask = (1u << width) - 1;
    }
    return dispatch;
}

// Slots hold opcode numbers: the index into `encodings` plus one, or 0 for none.
std::vector<unsigned> fillSlots(const std::vector<Encoding> &encodings, std::vector<Dispatch> &dispatches) {
    std::vector<unsigned> slots;
    for (uint32_t primary = 0; primary < primaryCount; primary++) {
        Dispatch dispatch = findField(encodings, primary);
        dispatch.base = static_cast<unsigned>(slots.size());
        dispatches.push_back(dispatch);
        for (unsigned value = 0; value <= dispatch.mask; value++) {
            unsigned found = 0;
            uint32_t fieldMask = dispatch.mask << dispatch.shift, field = value << dispatch.shift;
            for (size_t index = 0; index < encodings.size(); index++) {
                const Encoding &encoding = encodings[index];
                if (encoding.match >> 26 != primary ||
                    ((encoding.match ^ field) & encoding.mask & fieldMask) != 0)
                    continue;
                if (found != 0)
                    fail(std::string("one slot for ") + encoding.facts->Identifier + " and " +
                         encodings[found - 1].facts->Identifier);
                found = static_cast<unsigned>(index) + 1;
            }
            slots.push_back(found);
        }
    }
    return slots;
}

std::FILE *openOutput(const char *path) {
    std::FILE *stream = std::fopen(path, "w");
    if (stream == nullptr)
        fail(std::string("cannot write ") + path);
    return stream;
}

void closeOutput(std::FILE *stream, const char *path) {
    bool failed = std::ferror(stream) != 0;
    if (std::fclose(stream) != 0 || failed)
        fail(std::string("cannot write ") + path);
}

void writeOpcodes(const std::vector<Encoding> &encodings, const char *path) {
    std::FILE *out = openOutput(path);
    std::fprintf(
        out,
        "/* alpha_opcodes.h: generated by codegen/alpha/make_tables.cpp from codegen/alpha/Alpha.td. */\n"
        "#ifndef ATOMC_ALPHA_OPCODES_H\n#define ATOMC_ALPHA_OPCODES_H\n\n"
        "enum alpha_opcode {\n    ALPHA_INVALID,\n");
    for (const Encoding &encoding : encodings)
        std::fprintf(out, "    ALPHA_%s, /* %s */\n", encoding.facts->Identifier, encoding.facts->Mnemonic);
    std::fprintf(out, "    ALPHA_OPCODE_COUNT\n};\n\n#endif\n");
    closeOutput(out, path);
}

// For the assembler too: nothing but numbers.
void writeWords(const std::vector<Encoding> &encodings, const char *path) {
    std::FILE *out = openOutput(path);
    std::fprintf(
        out, "/* alpha_words.h: generated by codegen/alpha/make_tables.cpp from codegen/alpha/Alpha.td. */\n"
             "#ifndef ATOMC_ALPHA_WORDS_H\n#define ATOMC_ALPHA_WORDS_H\n\n");
    for (const Encoding &encoding : encodings)
        std::fprintf(out, "#define ALPHA_MATCH_%s 0x%08x\n#define ALPHA_MASK_%s 0x%08x\n",
                     encoding.facts->Identifier, encoding.match, encoding.facts->Identifier, encoding.mask);
    std::fprintf(
        out, "\n/* All operate instructions on registers: <31:26> and a function are the instruction. */\n"
             "#define ALPHA_OPERATIONS(OPERATION)");
    for (const Encoding &encoding : encodings) {
        const std::string format = encoding.facts->Format;
        if ((format == "FLOAT" || format == "OPERATE") && std::string(encoding.facts->RcRole) != "NONE")
            std::fprintf(out, " \\\n    OPERATION(%s)", encoding.facts->Identifier);
    }
    std::fprintf(out, "\n");
    std::fprintf(out, "\n#endif\n");
    closeOutput(out, path);
}

// "LOAD LOCKED" -> "ALPHA_LOAD | ALPHA_LOCKED"
std::string flagExpression(const char *text) {
    std::string expression;
    for (const char *from = text; *from != '\0';) {
        const char *end = from;
        while (*end != '\0' && *end != ' ')
            end++;
        expression += (expression.empty() ? "ALPHA_" : " | ALPHA_") + std::string(from, end);
        from = *end == ' ' ? end + 1 : end;
    }
    return expression.empty() ? "0" : expression;
}

void writeDescriptor(std::FILE *out, const Encoding &encoding) {
    const AlphaFacts &facts = *encoding.facts;
    std::fprintf(out,
                 "    {\"%s\", 0x%08x, 0x%08x, ALPHA_%s, %s, ALPHA_FORMAT_%s, ALPHA_%s, CLASS_%s, %u,\n"
                 "     ALPHA_ROLE_%s, ALPHA_ROLE_%s, ALPHA_ROLE_%s},\n",
                 facts.Mnemonic, encoding.match, encoding.mask, facts.Identifier,
                 flagExpression(facts.FlagText).c_str(), facts.Format, facts.Extension, facts.Class,
                 facts.MemorySize, facts.RaRole, facts.RbRole, facts.RcRole);
}

void writeTable(const std::vector<Encoding> &encodings, const char *path) {
    std::vector<Dispatch> dispatches;
    std::vector<unsigned> slots = fillSlots(encodings, dispatches);
    std::FILE *out = openOutput(path);
    std::fprintf(
        out, "/* alpha_table.c: generated by codegen/alpha/make_tables.cpp from codegen/alpha/Alpha.td. */\n"
             "#include \"codegen/alpha/alpha.h\"\n\n"
             "const struct alpha_descriptor alpha_descriptors[ALPHA_OPCODE_COUNT] = {\n"
             "    /* No word matches: the mask is empty and the match is not. */\n"
             "    {\".long\", 1, 0, ALPHA_INVALID, 0, ALPHA_FORMAT_INVALID, ALPHA_BASE, "
             "CLASS_UNKNOWN, 0,\n     ALPHA_ROLE_NONE, ALPHA_ROLE_NONE, ALPHA_ROLE_NONE},\n");
    for (const Encoding &encoding : encodings)
        writeDescriptor(out, encoding);
    std::fprintf(out, "};\n\nconst struct alpha_dispatch alpha_dispatch[%u] = {\n", primaryCount);
    for (const Dispatch &dispatch : dispatches)
        std::fprintf(out, "    {%u, %u, 0x%x},\n", dispatch.base, dispatch.shift, dispatch.mask);
    std::fprintf(out, "};\n\nconst uint16_t alpha_slots[%zu] = {", slots.size());
    for (size_t index = 0; index < slots.size(); index++)
        std::fprintf(out, "%s%u,", index % 16 == 0 ? "\n    " : " ", slots[index]);
    std::fprintf(out, "\n};\n");
    closeOutput(out, path);
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 4)
        fail("usage: make_tables alpha_opcodes.h alpha_words.h alpha_table.c");
    std::vector<Encoding> encodings = probeAll();
    writeOpcodes(encodings, argv[1]);
    writeWords(encodings, argv[2]);
    writeTable(encodings, argv[3]);
    return 0;
}
