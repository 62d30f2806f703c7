/* qemu_plugin_api.h: the part of QEMU's TCG plugin interface that oracle.c and tests/bench/plugins use, of
   two versions: 1 (Debian 12's QEMU 7.2; Debian has no package with the header) and 3 (QEMU 9.1 and later).
   Requires: PLUGIN_INTERFACE, which emulator.sh writes; QEMU built with plugin support
   (docs/devel/tcg-plugins). What differs between them is below, under names of our own. */
#ifndef ATOMC_TESTS_QEMU_PLUGIN_API_H
#define ATOMC_TESTS_QEMU_PLUGIN_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QEMU_PLUGIN_EXPORT __attribute__((visibility("default")))

#ifndef PLUGIN_INTERFACE
#error "tests/oracle/emulator.sh says which interface the emulator has"
#endif
enum { ORACLE_PLUGIN_API_VERSION = PLUGIN_INTERFACE };

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t; /* opaque: read it with qemu_plugin_mem_is_store */
struct qemu_plugin_tb;                  /* a translation block, valid during its translation callback */
struct qemu_plugin_insn;                /* one instruction of it */
typedef struct qemu_info_t qemu_info_t; /* what QEMU says of itself; not used here */

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_CB_R_REGS, QEMU_PLUGIN_CB_RW_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };

typedef void (*qemu_plugin_udata_cb_t)(qemu_plugin_id_t id, void *userdata);
typedef void (*qemu_plugin_vcpu_simple_cb_t)(qemu_plugin_id_t id, unsigned int vcpu_index);
typedef void (*qemu_plugin_vcpu_udata_cb_t)(unsigned int vcpu_index, void *userdata);
typedef void (*qemu_plugin_vcpu_tb_trans_cb_t)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*qemu_plugin_vcpu_mem_cb_t)(unsigned int vcpu_index, qemu_plugin_meminfo_t info, uint64_t vaddr,
                                          void *userdata);

/* Registration. */
void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_simple_cb_t cb);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_tb_trans_cb_t cb);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_plugin_udata_cb_t cb, void *userdata);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, qemu_plugin_vcpu_udata_cb_t cb,
                                          enum qemu_plugin_cb_flags flags, void *userdata);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_plugin_vcpu_udata_cb_t cb,
                                            enum qemu_plugin_cb_flags flags, void *userdata);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_plugin_vcpu_mem_cb_t cb,
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
                                      void *userdata);

/* Questions. */
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *insn); /* or NULL */
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);          /* of bytes: its logarithm */
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
uint64_t qemu_plugin_start_code(void); /* lowest address of the main program's executable segments */
uint64_t qemu_plugin_end_code(void);   /* end of the highest */

/* ---- What differs ---- */

/* A count that generated code adds to. It begins as zeros. In interface 3 each thread has a count of its own,
   so that additions of several threads are not lost; in interface 1 they may be. */
struct inline_count;
static inline void count_in_block(struct qemu_plugin_tb *block, struct inline_count *count, uint64_t addend);
static inline void count_at_instruction(struct qemu_plugin_insn *instruction, struct inline_count *count,
                                        uint64_t addend);
static inline uint64_t count_so_far(const struct inline_count *count);
/* The instruction's four bytes. */
static inline uint32_t instruction_word(const struct qemu_plugin_insn *instruction);

#define PLUGIN_UNUSED __attribute__((unused))

#if PLUGIN_INTERFACE == 1

void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb, enum qemu_plugin_op op, void *ptr,
                                              uint64_t imm);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, enum qemu_plugin_op op,
                                                void *ptr, uint64_t imm);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);

enum { INLINE_COUNTS_ARE_OF_THREADS = 0 };
struct inline_count {
    uint64_t value;
};
PLUGIN_UNUSED static inline void count_in_block(struct qemu_plugin_tb *block, struct inline_count *count,
                                                uint64_t addend) {
    qemu_plugin_register_vcpu_tb_exec_inline(block, QEMU_PLUGIN_INLINE_ADD_U64, &count->value, addend);
}
PLUGIN_UNUSED static inline void count_at_instruction(struct qemu_plugin_insn *instruction,
                                                      struct inline_count *count, uint64_t addend) {
    qemu_plugin_register_vcpu_insn_exec_inline(instruction, QEMU_PLUGIN_INLINE_ADD_U64, &count->value,
                                               addend);
}
PLUGIN_UNUSED static inline uint64_t count_so_far(const struct inline_count *count) {
    return count->value;
}
PLUGIN_UNUSED static inline uint32_t instruction_word(const struct qemu_plugin_insn *instruction) {
    uint32_t word;
    __builtin_memcpy(&word, qemu_plugin_insn_data(instruction), sizeof word);
    return word;
}

#else

struct qemu_plugin_scoreboard; /* memory of each thread */
typedef struct {
    struct qemu_plugin_scoreboard *score;
    size_t offset;
} qemu_plugin_u64;
struct qemu_plugin_scoreboard *qemu_plugin_scoreboard_new(size_t element_size);
uint64_t qemu_plugin_u64_sum(qemu_plugin_u64 entry);
void qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(struct qemu_plugin_tb *tb, enum qemu_plugin_op op,
                                                       qemu_plugin_u64 entry, uint64_t imm);
void qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(struct qemu_plugin_insn *insn,
                                                         enum qemu_plugin_op op, qemu_plugin_u64 entry,
                                                         uint64_t imm);
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *dest, size_t len);

enum { INLINE_COUNTS_ARE_OF_THREADS = 1 };
struct inline_count {
    qemu_plugin_u64 entry;
};
/* Many counts share one scoreboard, of which QEMU makes as many copies as there may be threads. */
PLUGIN_UNUSED static inline qemu_plugin_u64 entry_of_count(struct inline_count *count) {
    enum { SHARED = 512 };
    static qemu_plugin_u64 next;
    if (!count->entry.score) { /* translation is under a lock */
        if (!next.score || next.offset == SHARED * sizeof(uint64_t))
            next = (qemu_plugin_u64){qemu_plugin_scoreboard_new(SHARED * sizeof(uint64_t)), 0};
        count->entry = next;
        next.offset += sizeof(uint64_t);
    }
    return count->entry;
}
PLUGIN_UNUSED static inline void count_in_block(struct qemu_plugin_tb *block, struct inline_count *count,
                                                uint64_t addend) {
    qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(block, QEMU_PLUGIN_INLINE_ADD_U64,
                                                      entry_of_count(count), addend);
}
PLUGIN_UNUSED static inline void count_at_instruction(struct qemu_plugin_insn *instruction,
                                                      struct inline_count *count, uint64_t addend) {
    qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(instruction, QEMU_PLUGIN_INLINE_ADD_U64,
                                                        entry_of_count(count), addend);
}
PLUGIN_UNUSED static inline uint64_t count_so_far(const struct inline_count *count) {
    return count->entry.score ? qemu_plugin_u64_sum(count->entry) : 0;
}
PLUGIN_UNUSED static inline uint32_t instruction_word(const struct qemu_plugin_insn *instruction) {
    uint32_t word;
    if (qemu_plugin_insn_data(instruction, &word, sizeof word) != sizeof word)
        __builtin_abort();
    return word;
}

#endif

#endif
