/* image.c: what atomc writes into atomc_image, for program.S, which copies it there before the runtime
 * starts. */
#include <elf.h>
#include <stdio.h>

#include "runtime/kernel/kernel.h"

extern const uint32_t program_begin[], program_end[], entry_copy[], copies_end[], __start_map[];
extern long cells[], alarms[], loops, handler_pc, handled;
extern const Elf64_Ehdr __ehdr_start;

/* The alarms arrive at different times: what is printed must not depend on it. */
static void after(long number) {
    int is_original = handler_pc >= (long)program_begin && handler_pc < (long)program_end;
    printf("after %ld: entries %ld, loops %s, calls %s, alarms %s, at %s, pc %s\n", number, cells[0],
           cells[1] == loops && loops > 0 ? "counted" : "miscounted",
           cells[2] == cells[1] + 2 ? "counted" : "miscounted",
           cells[3] == alarms[0] ? "counted" : "miscounted",
           alarms[0] == alarms[1] ? "instructions" : "other places", is_original ? "original" : "other");
}

static uint64_t arguments[6] = {7};
static struct atomc_program_call calls[] = {{0, 1, 0, 0}};

/* Before main: addresses are no constants for it. */
__attribute__((constructor)) static void fill_in(void) {
    calls[0] = (struct atomc_program_call){(uint64_t)after, 1, (uint64_t)arguments, 0};
    atomc_image.after = (uint64_t)calls;
    atomc_image.after_count = 1;
}

#define TEXT   0x400000
#define COPIES 0x40000000
const struct atomc_image filled_image = {
    .entry_copy = COPIES,
    .text_address = TEXT,
    .text_map = TEXT ^ AARCH64_MAP_BITS,
    .text_size = PROGRAM_BYTES,
    .program_entry = TEXT,
    .analysis_headers = (uint64_t)(&__ehdr_start + 1),
    .analysis_header_count = HEADERS,
    .copies = COPIES,
    .copies_end = COPIES + COPIES_BYTES,
    .heap = ATOMC_PRIVATE_HEAP,
    .unthreaded = 1,
    .layout = {.pool = 0x30000000, .wrappers = 0x3fe00000, .copies = COPIES, .landings = AARCH64_LANDINGS},
};
const uint64_t filled_bytes = sizeof(struct atomc_image);
