/* interface.h: what atomc writes into the analysis image, and the runtime reads when the program starts.
   Included by the engine (host) and by the runtime (Alpha): 64-bit little-endian fields only. */
#ifndef ATOMC_RUNTIME_INTERFACE_H
#define ATOMC_RUNTIME_INTERFACE_H

#include <stdint.h>

/* Where the runtime keeps what it may not take from the program: addresses that neither the kernel nor
   qemu-user hands out unasked (above the program's brk heap, below its mmap area). */
#define ATOMC_PRIVATE_HEAP     UINT64_C(0x1000000000) /* brk of the analysis side, 32 GB */
#define ATOMC_PRIVATE_HEAP_END UINT64_C(0x1800000000)
#define ATOMC_PRIVATE_MMAP     UINT64_C(0x1800000000) /* its mmaps, 32 GB */
#define ATOMC_PRIVATE_MMAP_END UINT64_C(0x2000000000)

/* In a program without threads, calls do not even touch the unused part of its stack: $30 is lowered by this
   much while they are made (one ldah, no register needed), and the runtime maps memory there. A signal
   handler that interrupts one goes down by as much again. */
#define ATOMC_SHADOW_DISTANCE UINT64_C(0x30000000)

/* A call before or after the program. */
struct atomc_program_call {
    uint64_t routine;
    uint64_t argument_count;
    uint64_t arguments; /* address of the arguments, 8 bytes each */
};

/* The symbol atomc_image in the analysis image. */
struct atomc_image {
    uint64_t entry_copy;           /* address of the copy of the program's first instruction */
    uint64_t text_address;         /* the program's text: original address ... */
    uint64_t text_size;            /* ... and bytes */
    uint64_t text_map;             /* 32-bit words: original instruction -> address of its copy */
    uint64_t program_entry;        /* the auxiliary vector's values in the uninstrumented program: AT_ENTRY */
    uint64_t program_headers;      /* AT_PHDR */
    uint64_t program_header_count; /* AT_PHNUM */
    uint64_t analysis_headers; /* program headers of the analysis image in memory, for its own C library */
    uint64_t analysis_header_count;
    uint64_t before, before_count; /* struct atomc_program_call[] */
    uint64_t after, after_count;
    uint64_t copies, copies_end; /* addresses of the copies */
    uint64_t shadow;             /* ATOMC_SHADOW_DISTANCE, or 0: calls use the program's stack */
};

#endif
