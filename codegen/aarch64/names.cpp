// names.cpp: see names.h.
#include <cstring>
#include <regex>

#include "codegen/aarch64/names.h"

namespace aarch64_names {
namespace {

using std::string;

// Bytes of a suffix of loads and stores, of either kind of register.
unsigned bytesOf(const string &suffix) {
    if (suffix == "BB" || suffix == "B" || suffix == "SBW" || suffix == "SBX")
        return 1;
    if (suffix == "HH" || suffix == "H" || suffix == "SHW" || suffix == "SHX")
        return 2;
    if (suffix == "W" || suffix == "SW" || suffix == "S" || suffix.empty())
        return 4;
    if (suffix == "X" || suffix == "D")
        return 8;
    return suffix == "Q" ? 16 : 0;
}

unsigned numberOf(const string &word) {
    return word == "One" ? 1 : word == "Two" ? 2 : word == "Three" ? 3 : 4;
}

unsigned writebackOf(const string &name) {
    auto ends = [&](const char *end) {
        string text = end;
        return name.size() >= text.size() && name.compare(name.size() - text.size(), text.size(), text) == 0;
    };
    return ends("pre") || ends("PreIndex") || ends("writeback") ? 1
           : ends("post") || ends("PostIndex") || ends("_POST") ? 2
                                                                : 0;
}

constexpr int Rt = 0, Rm = 16;

// Sizes and fields of an access to memory. False: the name is of none that is known.
bool addAccess(const string &name, Meaning &meaning) {
    static const std::regex single(
        "(LDR|LDUR|LDTR|LDAR|LDLAR|LDAPR|LDAPUR|STR|STUR|STTR|STLR|STLLR|STLUR|LDAPR|LDTXR|STTXR)"
        "(BB|HH|SBW|SBX|SHW|SHX|SW|B|H|W|X|S|D|Q|b|h|s|d|q|)"
        "(ui|i|pre|post|roW|roX|l|)");
    static const std::regex exclusive("(LDXR|LDAXR|LDXP|LDAXP|STXR|STLXR|STXP|STLXP)(B|H|W|X)");
    static const std::regex pair("(LDP|LDNP|STP|STNP)(W|X|SW|S|D|Q)(i|pre|post)");
    static const std::regex authenticated("LDRA[AB](indexed|writeback)");
    static const std::regex lists("(?:LD|ST)[1-4](One|Two|Three|Four)v(8b|16b|4h|8h|2s|4s|1d|2d)(?:_POST)?");
    static const std::regex lanes("(?:LD|ST)([1-4])i(8|16|32|64)(?:_POST)?");
    static const std::regex repeated("LD([1-4])Rv(8b|16b|4h|8h|2s|4s|1d|2d)(?:_POST)?");
    static const std::regex atomic(
        "(?:LD(?:ADD|CLR|EOR|SET|SMAX|SMIN|UMAX|UMIN)|SWP|CAS)(?:AL|A|L)?(B|H|W|X)");
    static const std::regex pairSwap("CASP(?:AL|A|L)?(W|X)");
    static const std::regex prefetch("PRF(?:UM|M)(i|ui|l|roW|roX)");
    static const std::regex tags("(LDG|STZ?G|STZ?2G)(i|PreIndex|PostIndex|)"); // of granules of 16 bytes
    static const std::regex taggedPair("STGP(i|pre|post)");
    std::smatch part;
    meaning.data = Rt;
    meaning.count = 1;
    meaning.writeback = writebackOf(name);
    if (std::regex_match(name, part, prefetch)) {
        meaning.data = -1;
        meaning.size = 8;
        if (part[1].str().compare(0, 2, "ro") == 0)
            meaning.index = Rm;
    } else if (std::regex_match(name, part, single)) {
        string suffix = part[2];
        for (char &letter : suffix)
            letter = static_cast<char>(toupper(letter));
        meaning.size = bytesOf(suffix);
        if (part[3].str().compare(0, 2, "ro") == 0)
            meaning.index = Rm;
    } else if (std::regex_match(name, part, exclusive)) {
        meaning.size = bytesOf(part[2]);
        meaning.count = part[1].str().back() == 'P' ? 2 : 1;
    } else if (std::regex_match(name, part, pair)) {
        meaning.size = bytesOf(part[2]);
        meaning.count = 2;
    } else if (std::regex_match(name, part, authenticated)) {
        meaning.size = 8;
    } else if (std::regex_match(name, part, lists)) {
        const string shape = part[2];
        const unsigned elements = static_cast<unsigned>(std::stoul(shape));
        meaning.size = 1u << (string("bhsd").find(shape.back()));
        meaning.count = elements * numberOf(part[1]);
    } else if (std::regex_match(name, part, lanes)) {
        meaning.count = static_cast<unsigned>(std::stoul(part[1]));
        meaning.size = static_cast<unsigned>(std::stoul(part[2])) / 8;
    } else if (std::regex_match(name, part, repeated)) {
        static const char sizes[] = "bhsd";
        meaning.count = static_cast<unsigned>(std::stoul(part[1]));
        meaning.size = 1u << (string(sizes).find(part[2].str().back()));
    } else if (std::regex_match(name, part, atomic)) {
        meaning.size = bytesOf(part[1]);
    } else if (std::regex_match(name, part, tags)) {
        meaning.size = 16;
        meaning.count = name.find('2') != string::npos ? 2 : 1;
    } else if (std::regex_match(name, part, taggedPair)) {
        meaning.size = 8;
        meaning.count = 2;
    } else if (std::regex_match(name, part, pairSwap)) {
        meaning.size = bytesOf(part[1]);
        meaning.count = 2;
    } else {
        meaning.data = -1;
        meaning.count = 0;
        meaning.writeback = 0;
        return false;
    }
    return true;
}

bool starts(const string &name, const char *beginning) {
    return name.compare(0, strlen(beginning), beginning) == 0;
}

bool matches(const string &name, const char *pattern) {
    return std::regex_match(name, std::regex(pattern));
}

void addFlag(Meaning &meaning, const char *flag) {
    meaning.flags += meaning.flags.empty() ? "" : " | ";
    meaning.flags += string("FACT_") + flag;
}

bool addTransfer(const string &name, Meaning &meaning) {
    static const struct {
        const char *pattern, *kind, *transfer, *flag;
    } transfers[] = {
        {"Bcc|BCcc|CBN?Z[WX]|TBN?Z[WX]", "COND_BRANCH", "COND_BRANCH", nullptr},
        {"B", "UNCOND_BRANCH", "BRANCH", nullptr},
        {"BL", "CALL", "CALL", nullptr},
        {"BLR(A[AB]Z?)?", "CALL", "CALL", "INDIRECT"},
        {"BR(A[AB]Z?)?", "JUMP", "JUMP", "INDIRECT"},
        {"RET(A[AB])?", "RETURN", "RETURN", "INDIRECT"},
        {"RETA[AB]SPP(C[ir]?|R)?.*", "RETURN", "RETURN", "INDIRECT"},
        {"SVC", "PAL", "SYSTEM_CALL", nullptr},
        {"UDF|HLT", "PAL", "TRAP", "HALTS"},
        {"BRK|HVC|SMC|DCPS[123]|ERETA?A?B?|DRPS", "PAL", "TRAP", nullptr},
    };
    for (const auto &row : transfers)
        if (matches(name, row.pattern)) {
            meaning.kind = row.kind;
            meaning.transfer = row.transfer;
            if (row.flag)
                addFlag(meaning, row.flag);
            return true;
        }
    return false;
}

const char *kindOf(const string &name, bool isVector) {
    static const struct {
        const char *pattern, *kind;
    } kinds[] = {
        {"ADRP?", "ADDRESS"},
        {"F(DIV|SQRT).*", "FLOAT_DIVIDE"},
        {"(MADD|MSUB)[WX]rrr|[SU]M(ADD|SUB)Lrrr|[SU]MULHrr|[SU]DIV[WX]r", "MULTIPLY"},
        {"CSEL[WX]r|CSINC[WX]r|CSINV[WX]r|CSNEG[WX]r", "COND_MOVE"},
        {"CCM[PN][WX][ir]", "COMPARE"},
        {"(AND|ORR|EOR|BIC|ORN|EON)S?[WX](r[irs]|ri|rs)|MOV[ZNK][WX]i", "LOGICAL"},
        {"(LSLV|LSRV|ASRV|RORV)[WX]r|[SU]?BFM[WX]ri|EXTR[WX]rri|RBIT[WX]r|REV(16|32)?[WX]r", "SHIFT"},
        {"(ADD|SUB|ADC|SBC)S?[WX].*|CL[ZS][WX]r|CTZ[WX]r|CNT[WX]r|ABS[WX]r|[SU](MAX|MIN)[WX]r[ir]|CRC32.*",
         "ARITHMETIC"},
        {"HINT|NOP|MRS|MSR.*|SYSL?xt|SYSPxt.*|DMB|DSB.*|ISB|SB|CLREX|PAC.*|AUT.*|XPAC.*|BTI.*|CFINV|AXFLAG|"
         "XAFLAG|SETF(8|16)|RMIF|CHKFEAT|WFE|WFI|YIELD|SEVL?|TSB|CSDB|ESB|PSB.*|WFET|WFIT|T(START|COMMIT|"
         "CANCEL|TEST)",
         "MISC"},
    };
    for (const auto &row : kinds)
        if (matches(name, row.pattern))
            return row.kind;
    return isVector ? "FLOAT" : "MISC";
}

} // namespace

Meaning meaningOf(const string &name, bool mayLoad, bool mayStore, bool isVector) {
    Meaning meaning;
    meaning.kind = "MISC";
    meaning.transfer = "NONE";
    if (isVector)
        addFlag(meaning, "FLOAT");
    if (addTransfer(name, meaning))
        return meaning;
    bool isAccess = addAccess(name, meaning);
    if (starts(name, "PRF")) {
        addFlag(meaning, "LOAD");
        addFlag(meaning, "PREFETCH");
        return meaning;
    }
    // MC says that hints, barriers and system registers load and store.
    bool isExclusiveLoad = matches(name, "LDA?X[RP][BHWX]"),
         isExclusiveStore = matches(name, "STL?X[RP][BHWX]");
    bool known = isAccess || starts(name, "LD") || starts(name, "ST") || starts(name, "GLD") ||
                 starts(name, "SST") || starts(name, "CPY") || starts(name, "SET") || starts(name, "SWP") ||
                 starts(name, "RCW");
    bool loads = known && mayLoad && !isExclusiveStore, stores = known && mayStore && !isExclusiveLoad;
    if (loads)
        addFlag(meaning, "LOAD");
    if (stores)
        addFlag(meaning, "STORE");
    if (isExclusiveLoad)
        addFlag(meaning, "EXCLUSIVE_BEGIN");
    if (isExclusiveStore)
        addFlag(meaning, "EXCLUSIVE_END");
    if (loads || stores)
        meaning.kind = stores ? (isVector ? "FLOAT_STORE" : "STORE") : isVector ? "FLOAT_LOAD" : "LOAD";
    else
        meaning.kind = kindOf(name, isVector);
    if (matches(name, "(LDR|STR|LDUR|STUR|LDP|STP|LDNP|STNP)(X|D|Q)(ui|i|pre|post|roW|roX)"))
        addFlag(meaning, "WHOLE_REGISTER");
    if (name == "ISB")
        addFlag(meaning, "SYNCHRONIZES_TEXT");
    return meaning;
}

} // namespace aarch64_names
