// names.h: facts that only the name of an encoding shows, and MC does not have: kind, sizes, control. Source
// of the names: LLVM's AArch64InstrInfo.td; of the meanings: Arm Architecture Reference Manual, DDI 0487,
// part C.
#pragma once

#include <cstdint>
#include <string>

namespace aarch64_names {

struct Meaning {
    const char *kind;          // of enum instruction_class, without CLASS_
    const char *transfer;      // of enum transfer, without TRANSFER_
    std::string flags;         // of enum fact_flag, joined by |
    unsigned size = 0;         // bytes of an element that is moved; 0: none, or not known
    unsigned count = 0;        // elements
    int index = -1, data = -1; // shifts of the fields of the index and of the first register that is moved
    unsigned writeback = 0;    // enum writeback
};

// mayLoad, mayStore, isVector: by MC.
Meaning meaningOf(const std::string &name, bool mayLoad, bool mayStore, bool isVector);

} // namespace aarch64_names
