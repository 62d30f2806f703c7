/* text.h: instructions of AArch64 as LLVM's assembly printer writes them. */
#ifndef ATOMC_AARCH64_TEXT_H
#define ATOMC_AARCH64_TEXT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The mnemonic, a tab and the operands, with the targets of branches as addresses: "add\tx0, x1, #16".
   Returns the length, of at most size - 1; 0: LLVM knows no such instruction. */
size_t aarch64_text(uint32_t word, uint64_t address, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
