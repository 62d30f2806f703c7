/* replay.h: the parts of replay.c to each other. */
#ifndef ATOMC_TESTS_REPLAY_H
#define ATOMC_TESTS_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record { /* struct execution_record of oracle.c: what an instruction finds */
    uint64_t pc, address, sp, ra, v0, a0, a1, t9, value;
    uint32_t word, thread;
};
struct procedure {
    uint64_t pc;
    char *name;
    uint64_t references[2], misses[2], misses2;
    uint64_t calls, self, total;
};
extern struct procedure *procedures;
extern int procedure_count;

uint64_t option(const char *name, uint64_t otherwise);
const char *text_option(const char *name, const char *otherwise);
void *again(void *memory, size_t size); /* realloc, or the end */
const struct record *next_record(void); /* NULL at the end */
int procedure_at(uint64_t pc);
extern int *whole_procedures; /* of procedures: the one whose .cold part it is, or itself */
void find_whole_procedures(void);
unsigned opcode_of(const struct record *record);
bool is_store(const struct record *record);
bool is_memory(const struct record *record);
uint64_t data_address(const struct record *record);

void replay_heap(void);     /* replay_heap.c */
void replay_calls(void);    /* replay_calls.c */
void replay_arcs(void);     /* replay_arcs.c */
void replay_edges(void);    /* replay_arcs.c */
void replay_branches(void); /* replay_branches.c */
void replay_values(void);   /* replay_values.c */
void replay_blocks(void);   /* replay_blocks.c */

#endif
