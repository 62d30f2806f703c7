/* cfg.h: the text as procedures, basic blocks, edges and loops. Requires an opened program. */
#ifndef ATOMC_CFG_H
#define ATOMC_CFG_H

#include "engine/object/object.h"

/* ---- procedures.c ---- */

/* True if it only computes, loads and stores. It transfers no control, and is not part of a locked
   sequence. */
bool is_plain(const struct facts *facts);
/* Target of a direct branch or call as instruction index, or NO_INDEX if it is outside of the text. */
uint32_t branch_target(const struct program *program, uint32_t instruction);
/* True if two instructions from this one on set the data base: to the register `base` plus *offset. */
bool data_base_set_at(const struct program *program, uint32_t instruction, unsigned base, int64_t *offset);
/* The best symbol of the instruction; NULL if it has no symbol. */
const struct text_symbol *symbol_at(const struct program *program, uint32_t instruction);

/* Fills the symbols of the text only: by instruction, and the best name of each first. */
void program_find_symbols(struct program *program);

/* ---- analyse.c ---- */

/* Fills procedures, blocks and edges. */
void program_analyse(struct program *program, struct diagnostics *diagnostics);

/* ---- starts.c ---- */

/* starts.c: for an instruction of the program; never NO_INDEX. */
uint32_t procedure_at(const struct program *program, uint32_t instruction);
uint32_t block_at(const struct program *program, uint32_t instruction);

/* ---- direct_calls.c ---- */

/* The procedure that a call goes to: directly, or through a GOT load in the same block; else NO_INDEX.
 *entry_offset (may be NULL) = instructions past its first one (2 if those that set the data base are
 *skipped). */
uint32_t call_target(const struct program *program, uint32_t instruction, uint32_t *entry_offset);

/* ---- blocks.c ---- */

/* The register through which the procedure returns, if it is not the calling standard's. */
unsigned procedure_link(const struct program *program, uint32_t procedure);

/* ---- entered.c ---- */

/* Queries on the marks of a block (`leaders`): true if control may enter it ... */
/* ... at a symbol, or by a branch or a call of another procedure */
bool is_entered_by_procedures(unsigned leaders);
/* ... other than along edges of the flow graph */
bool has_unseen_predecessor(unsigned leaders);
/* ... the same, and often: not only by an exception */
bool has_likely_unseen_predecessor(unsigned leaders);
/* ... the same, if the edges of all jumps to labels are known */
bool has_unseen_predecessor_besides_labels(unsigned leaders);
/* ... by a call or a jump to its address */
bool is_entered_by_address(unsigned leaders);
/* ... by a transfer that looks its address up in the map */
bool is_entered_by_map(unsigned leaders);
/* ... by the map, other than by the return of the call before it */
bool is_shared_return_point(unsigned leaders);
/* ... other than by a resolved jump table; by that return; by a jump without known targets */
bool is_entered_besides_table(unsigned leaders);
bool is_entered_besides_return(unsigned leaders);
bool is_entered_besides_unknown_jump(unsigned leaders);
/* ... by a branch or a jump inside its procedure */
bool is_jump_target(unsigned leaders);
/* ... in a way that is unlikely for data in the text: for the first word of data; for later words */
bool is_entered_as_code(unsigned leaders);
bool is_entered_as_code_for_sure(unsigned leaders);
/* True if the procedure is entered at the block, not only from its own nameless parts. */
bool block_is_entry(const struct basic_block *block);
/* True if no path to the block is known: padding after a procedure, for instance. */
bool block_is_unreached(const struct basic_block *block);
/* True if control may arrive other than by direct branches and from the block before. */
bool entered_from_outside(const struct program *program, uint32_t block);
/* True if the code for entry from outside is in line: for a procedure's first block, and after a call or a
   trap. */
bool outside_in_line(const struct program *program, uint32_t block);

/* ---- callees.c ---- */

/* The relocation, with a symbol, of the word that holds the target of a call or a jump: the dynamic linker
   determines the target. NULL: there is no such block. */
const struct relocation *call_relocation(const struct program *program, uint32_t instruction);

/* ---- loops.c ---- */

/* Finds the natural loops: fills loops, loop_blocks, back_edges and the blocks' innermost loops. */
void loops_find(struct program *program);
uint32_t block_loop_depth(const struct program *program, uint32_t block); /* 0: in no loop */
/* or in a loop inside of it */
bool block_in_loop(const struct program *program, uint32_t block, uint32_t loop);

/* ---- shape.c ---- */

enum { SHAPE_BYTES = 16 };
/* A digest of the procedure's instructions without addresses: equal if a linker has only moved the
   procedure. */
void procedure_shape(const struct program *program, uint32_t procedure, uint8_t shape[SHAPE_BYTES]);

/* ---- print.c ---- */

void registers_print(register_set set, FILE *stream); /* each after a space */
/* --dump=procedures, cfg, instructions; `wanted`, by procedure: procedures to print; NULL: all. */
void program_print_procedures(struct program *program, const bool *wanted, FILE *stream);
void program_print_cfg(const struct program *program, const bool *wanted, FILE *stream);
void program_print_instructions(const struct program *program, const bool *wanted, FILE *stream);

#endif
