/* oracle.c: a QEMU TCG plugin that counts, on an uninstrumented Alpha/Linux program, what atomc's tools must
   count. Requires: qemu-alpha with plugins (emulator.sh); for registers=on also -singlestep and an x86-64 or
   AArch64 host. */

/* Use: qemu-alpha -plugin oracle.so,out=FILE[,cache=on][,registers=on][,values=on][,addresses=FILE]
        [,execution=FILE][,text=BEGIN-END[,own=off]][,stepped=ADDRESS] program ...

   Counts are kept for each word of the main program's executable segments and written when the program calls
   exit_group; a forked child writes FILE.PID, the counts from before the fork included, as an instrumented
   child does. A program that dies by a signal writes nothing (QEMU gives the plugin no say then).

   text= counts the instructions between two addresses (hexadecimal) instead, which are those of libraries;
   with own=off the instructions of the program are not counted.

   stepped= is for programs that atomc has instrumented. Where a signal finds a thread in inserted code, the
   runtime executes what is left up to the program's next instruction itself, and that is an instruction of
   the program's if what is inserted before it has been done in part. The load at this address (hexadecimal:
   atomc_read_stepped) reads each such word, and is counted as an execution of it.

   Two modes. Normally executions are counted by inline additions (by atomic ones in code translated after a
   second thread has appeared) and the outcome of a conditional branch is where the same thread goes next.
   With registers=on every instruction is a translation block of its own (-singlestep), so that all guest
   registers are in QEMU's CPU state when its callback runs: then effective addresses and branch outcomes
   follow from the registers, and a load is redundant if its destination register is the same after it as it
   was before. The API has no access to Alpha's registers: the CPU state is found through the host register
   that generated code keeps it in, and at every callback the state's own pc must agree, or the run is void.

   With values=on as well, the values that loads bring and stores take are in the execution= stream, and a
   store is silent if memory holds its value already. The guest's memory is at the same addresses in QEMU;
   each ldq must bring what was found there, or the run is void. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "qemu_plugin_api.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = ORACLE_PLUGIN_API_VERSION;

/* ---- Alpha instruction words --------------------------------------------------------------------------- */

enum {
    REGISTER_ZERO = 31,
    OPCODE_BEQ_GROUP = 0x30,
    OPCODE_BR = 0x30,
    OPCODE_BSR = 0x34,
    OPCODE_LDQ_U = 0x0b,
    OPCODE_STQ_U = 0x0f,
    OPCODE_STL_C = 0x2e,
    OPCODE_STQ_C = 0x2f
};

/* What the oracle needs to know of a memory instruction, by primary opcode; size 0: not one. */
static const struct memory_opcode {
    uint8_t size; /* bytes moved */
    bool store;
    bool floating;
} memory_opcodes[64] = {
    [0x0a] = {1, false, false}, [0x0b] = {8, false, false}, [0x0c] = {2, false, false},
    [0x0d] = {2, true, false},  [0x0e] = {1, true, false},  [0x0f] = {8, true, false},
    [0x20] = {4, false, true},  [0x21] = {8, false, true},  [0x22] = {4, false, true},
    [0x23] = {8, false, true},  [0x24] = {4, true, true},   [0x25] = {8, true, true},
    [0x26] = {4, true, true},   [0x27] = {8, true, true},   [0x28] = {4, false, false},
    [0x29] = {8, false, false}, [0x2a] = {4, false, false}, [0x2b] = {8, false, false},
    [0x2c] = {4, true, false},  [0x2d] = {8, true, false},  [0x2e] = {4, true, false},
    [0x2f] = {8, true, false},
};

static unsigned opcode_of(uint32_t word) {
    return word >> 26;
}
static unsigned ra_of(uint32_t word) {
    return word >> 21 & 31;
}
static unsigned rb_of(uint32_t word) {
    return word >> 16 & 31;
}
static bool is_conditional_branch(uint32_t word) {
    unsigned opcode = opcode_of(word);
    return opcode >= OPCODE_BEQ_GROUP && opcode != OPCODE_BR && opcode != OPCODE_BSR;
}
static bool is_store(uint32_t word) {
    return memory_opcodes[opcode_of(word)].store;
}
/* Loads to the zero register are prefetches or no-operations, and move nothing. */
static bool is_load(uint32_t word) {
    const struct memory_opcode *opcode = &memory_opcodes[opcode_of(word)];
    return opcode->size && !opcode->store && ra_of(word) != REGISTER_ZERO;
}
static uint64_t branch_target(uint64_t pc, uint32_t word) {
    int64_t displacement = (int32_t)(word << 11) >> 11;
    return pc + 4 + 4 * displacement;
}

/* Is the branch taken, given its register's 64 bits? */
static bool branch_condition(uint32_t word, uint64_t value) {
    unsigned opcode = opcode_of(word);
    bool floating = opcode < 0x38;
    bool zero = floating ? value << 1 == 0 : value == 0; /* -0.0 is zero */
    bool negative = (int64_t)value < 0 && !zero;
    switch (opcode) {
    case 0x38:
        return !(value & 1);
    case 0x3c:
        return value & 1;
    case 0x31:
    case 0x39:
        return zero;
    case 0x35:
    case 0x3d:
        return !zero;
    case 0x32:
    case 0x3a:
        return negative;
    case 0x36:
    case 0x3e:
        return !negative;
    case 0x33:
    case 0x3b:
        return negative || zero;
    default: /* 0x37, 0x3f */
        return !negative && !zero;
    }
}

/* ---- The counts ---------------------------------------------------------------------------------------- */

struct location {                        /* one word of the program's text */
    struct inline_count executed_inline; /* added to by generated code */
    uint64_t executed;                   /* added to by callbacks */
    uint64_t taken;
    uint64_t not_taken;
    uint64_t completed; /* loads with registers=on: executions that did not fault */
    uint64_t redundant; /* of those */
    uint64_t silent;    /* stores with values=on */
    uint32_t word;
    bool translated;
};
static struct location *locations;
/* Those that are in use lie in these parts of the table: the parts of an instrumented program's text are far
   from each other, and to read what nobody has written takes a page of memory, too. */
enum { PART = 1024 }; /* locations */
static bool *is_in_use;
static uint64_t text_start, text_end, stepped_load;
static bool is_without_own; /* between text_start and text_end */

static const char *output_path;
static FILE *address_stream, *execution_stream;
static bool simulate_cache, read_registers, read_values;
static pid_t first_process;
static unsigned thread_count;
static uint64_t unresolved_branches;  /* left by a signal handler that never returned */
static uint64_t same_target_branches; /* executions of branches to their own fall-through */

static uint64_t address_of(const struct location *location) {
    return text_start + 4 * (uint64_t)(location - locations);
}
static struct location *location_at(uint64_t address) {
    size_t index = (address - text_start) / 4;
    is_in_use[index / PART] = true;
    return &locations[index];
}
/* The first location at or after this one that may be in use. */
static size_t next_in_use(size_t index, size_t count) {
    while (index < count && !is_in_use[index / PART])
        index += PART - index % PART;
    return index;
}
static void add(uint64_t *counter) {
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/* ---- The cache: 64 KB, direct-mapped, lines of 32 bytes, allocated by reads and writes alike ----------- */

enum { CACHE_LINES = 64 * 1024 / 32 };
static uint64_t cache_tags[CACHE_LINES]; /* line number + 1; 0: empty */
static uint64_t cache_references, cache_misses;

static void cache_access(uint64_t address) {
    uint64_t line = address / 32;
    cache_references++;
    if (cache_tags[line % CACHE_LINES] != line + 1) {
        cache_misses++;
        cache_tags[line % CACHE_LINES] = line + 1;
    }
}

/* Of the execution= stream (registers=on): what each instruction of the text finds; replay.c reads it. */
struct execution_record {
    uint64_t pc;
    uint64_t address; /* of a load or store, as computed: ldq_u and stq_u unmasked; else 0 */
    uint64_t sp, ra, v0, a0, a1, t9;
    uint64_t
        value; /* of a load or store with values=on: what register Ra will hold, or what is stored; else 0 */
    uint32_t word, thread;
};

struct address_record { /* of the addresses= stream, in program order, in the host's byte order */
    uint64_t pc;
    uint64_t address; /* as computed: ldq_u and stq_u unmasked with registers=on, masked without */
    uint32_t size;
    uint32_t store;
};

static void memory_access(const struct location *location, uint64_t address) {
    if (simulate_cache)
        cache_access(address);
    if (address_stream) {
        struct address_record record = {address_of(location), address,
                                        memory_opcodes[opcode_of(location->word)].size,
                                        is_store(location->word)};
        fwrite_unlocked(&record, sizeof record, 1, address_stream);
    }
}

/* ---- Mode 1: inline counts, outcomes by the next block ------------------------------------------------- */

/* Branches of this thread whose outcome is open: one, and below it those that signal handlers interrupted. */
static __thread struct {
    uint32_t depth, room;
    struct location **branches;
} pending;

static void on_branch(unsigned vcpu, void *userdata) {
    (void)vcpu;
    if (pending.depth == pending.room) {
        pending.room = pending.room ? 2 * pending.room : 16;
        pending.branches = realloc(pending.branches, pending.room * sizeof *pending.branches);
        if (!pending.branches)
            abort();
    }
    pending.branches[pending.depth++] = userdata;
}

static void on_block(unsigned vcpu, void *userdata) {
    (void)vcpu;
    if (!pending.depth)
        return;
    uint64_t pc = (uint64_t)(uintptr_t)userdata;
    struct location *branch = pending.branches[pending.depth - 1];
    uint64_t fall_through = address_of(branch) + 4;
    if (pc == fall_through)
        add(&branch->not_taken);
    else if (pc == branch_target(address_of(branch), branch->word))
        add(&branch->taken);
    else
        return;
    pending.depth--;
}

static void on_instruction(unsigned vcpu, void *userdata) {
    struct location *location = userdata;
    (void)vcpu;
    add(&location->executed);
}

static void on_memory(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *userdata) {
    struct location *location = userdata;
    (void)vcpu;
    /* A store-conditional is done by compare-and-exchange: it may be reported as a read too. */
    if (is_store(location->word) == qemu_plugin_mem_is_store(info))
        memory_access(location, address);
}

static void on_stepped(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *userdata) {
    (void)vcpu;
    (void)info;
    (void)userdata;
    if (address >= text_start && address < text_end)
        add(&location_at(address)->executed);
}

static void translate_for_counts(struct qemu_plugin_insn *instruction, struct location *location) {
    if (thread_count > 1 && !INLINE_COUNTS_ARE_OF_THREADS)
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_instruction, QEMU_PLUGIN_CB_NO_REGS, location);
    else
        count_at_instruction(instruction, &location->executed_inline, 1);
    if (is_conditional_branch(location->word))
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_branch, QEMU_PLUGIN_CB_NO_REGS, location);
    if ((simulate_cache || address_stream) && (is_load(location->word) || is_store(location->word)))
        qemu_plugin_register_vcpu_mem_cb(instruction, on_memory, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                         location);
}

/* ---- Mode 2: the registers before every instruction ---------------------------------------------------- */

struct cpu_state { /* the beginning of QEMU's CPUAlphaState (target/alpha/cpu.h) */
    uint64_t integer[31];
    uint64_t floating[31];
    uint64_t pc;
};

static __thread struct {
    struct location *load; /* just executed, or NULL */
    uint64_t before;       /* its destination register then */
    uint64_t value;        /* what it should bring */
} last;

static uint64_t integer_register(const struct cpu_state *state, unsigned number) {
    return number == REGISTER_ZERO ? 0 : state->integer[number];
}
static uint64_t floating_register(const struct cpu_state *state, unsigned number) {
    return number == REGISTER_ZERO ? 0 : state->floating[number];
}
static uint64_t destination_register(const struct cpu_state *state, uint32_t word) {
    return memory_opcodes[opcode_of(word)].floating ? floating_register(state, ra_of(word))
                                                    : integer_register(state, ra_of(word));
}

static void execute_branch(struct location *location, const struct cpu_state *state) {
    bool floating = opcode_of(location->word) < 0x38;
    unsigned number = ra_of(location->word);
    uint64_t value = floating ? floating_register(state, number) : integer_register(state, number);
    add(branch_condition(location->word, value) ? &location->taken : &location->not_taken);
}

static uint64_t data_address(const struct cpu_state *state, uint32_t word) {
    return integer_register(state, rb_of(word)) + (uint64_t)(int16_t)word;
}

/* What is in memory there, without a sign; false if it cannot be read. */
static bool read_memory(uint64_t address, uint64_t size, uint64_t *value) {
    struct iovec to = {value, size}, from = {(void *)(uintptr_t)address, size};
    *value = 0;
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)size;
}

/* An S_floating number as a register holds it, and back. */
static uint64_t widened(uint64_t single) {
    uint64_t exponent = single >> 23 & 255, sign = single >> 31 & 1, fraction = single & 0x7fffff;
    exponent = exponent == 255 ? 2047 : exponent == 0 ? 0 : exponent + 1023 - 127;
    return sign << 63 | exponent << 52 | fraction << 29;
}
static uint64_t narrowed(uint64_t wide) {
    return (wide >> 62 & 3) << 30 | (wide >> 29 & 0x3fffffff);
}

/* What the register of a load will hold; what a store takes from its register; whether memory holds that
 * already. */
static uint64_t value_moved(const struct cpu_state *state, uint32_t word, bool *silent) {
    unsigned opcode = opcode_of(word), size = memory_opcodes[opcode].size;
    uint64_t address = data_address(state, word), there, value = destination_register(state, word);
    if (opcode == OPCODE_LDQ_U || opcode == OPCODE_STQ_U)
        address &= ~UINT64_C(7);
    bool readable = read_memory(address, size, &there);
    if (!is_store(word))
        return opcode == 0x22                     ? widened(there)
               : opcode == 0x28 || opcode == 0x2a ? (uint64_t)(int32_t)there
                                                  : there;
    uint64_t stored = opcode == 0x26 ? narrowed(value)
                      : size == 8    ? value
                                     : value & ((UINT64_C(1) << 8 * size) - 1);
    *silent = readable && stored == there;
    return memory_opcodes[opcode].floating ? value : size == 4 ? (uint64_t)(int32_t)stored : stored;
}

static void write_execution(const struct location *location, const struct cpu_state *state, unsigned thread,
                            uint64_t value) {
    uint32_t word = location->word;
    struct execution_record record = {
        .pc = address_of(location),
        .address = is_load(word) || is_store(word) ? data_address(state, word) : 0,
        .sp = state->integer[30],
        .ra = state->integer[26],
        .v0 = state->integer[0],
        .a0 = state->integer[16],
        .a1 = state->integer[17],
        .t9 = state->integer[23],
        .value = value,
        .word = word,
        .thread = thread,
    };
    if (fwrite_unlocked(&record, sizeof record, 1, execution_stream) != 1)
        _exit(99);
}

static void execute(struct location *location, const struct cpu_state *state, unsigned thread) {
    uint32_t word = location->word;
    bool silent = false;
    uint64_t value = read_values && (is_load(word) || is_store(word)) ? value_moved(state, word, &silent) : 0;
    add(&location->executed);
    if (execution_stream)
        write_execution(location, state, thread, value);
    if (silent)
        add(&location->silent);
    if (is_conditional_branch(word))
        execute_branch(location, state);
    if (!is_load(word) && !is_store(word))
        return;
    memory_access(location, data_address(state, word));
    if (is_load(word)) {
        last.load = location;
        last.before = destination_register(state, word);
        last.value = value;
    }
}

/* Called through with_cpu_state at every instruction; those outside the text have an odd userdata, the pc
   + 1. */
__attribute__((used)) static void on_registers(unsigned vcpu, uintptr_t userdata,
                                               const struct cpu_state *state) {
    struct location *location = userdata & 1 ? NULL : (struct location *)userdata;
    uint64_t pc = location ? address_of(location) : userdata - 1;
    if (state->pc != pc) {
        fprintf(stderr, "oracle: no access to the registers: pc 0x%" PRIx64 ", found 0x%" PRIx64 "\n", pc,
                state->pc);
        _exit(99);
    }
    if (last.load) {
        /* After a fault the next instruction is not the following one, and the load did not happen. */
        if (pc == address_of(last.load) + 4) {
            add(&last.load->completed);
            if (read_values && thread_count == 1 && opcode_of(last.load->word) == 0x29 &&
                ra_of(last.load->word) != REGISTER_ZERO &&
                destination_register(state, last.load->word) != last.value) {
                fprintf(stderr, "oracle: no access to the memory at 0x%" PRIx64 "\n", pc - 4);
                _exit(99);
            }
            if (destination_register(state, last.load->word) == last.before)
                add(&last.load->redundant);
        }
        last.load = NULL;
    }
    if (location)
        execute(location, state, vcpu);
}

/* Generated code holds the CPU state in a fixed host register (TCG_AREG0): pass it as a third argument. */
void with_cpu_state(unsigned vcpu, void *userdata);
#if defined __x86_64__
__asm__(".text\n.type with_cpu_state, @function\nwith_cpu_state:\n\tmov %rbp, %rdx\n\tjmp on_registers\n");
#elif defined __aarch64__
__asm__(".text\n.type with_cpu_state, %function\nwith_cpu_state:\n\tmov x2, x19\n\tb on_registers\n");
#else
#error "registers=on needs to know where generated code keeps the CPU state on this host"
#endif

static void translate_for_registers(struct qemu_plugin_tb *block, struct location *location) {
    void *userdata = location ? (void *)location : (void *)(uintptr_t)(qemu_plugin_tb_vaddr(block) + 1);
    if (qemu_plugin_tb_n_insns(block) != 1) {
        fprintf(stderr, "oracle: registers=on needs qemu-alpha -singlestep\n");
        _exit(99);
    }
    qemu_plugin_register_vcpu_tb_exec_cb(block, with_cpu_state, QEMU_PLUGIN_CB_R_REGS, userdata);
}

/* ---- Translation, beginning and end -------------------------------------------------------------------- */

static struct location *locate(struct qemu_plugin_insn *instruction) {
    uint64_t pc = qemu_plugin_insn_vaddr(instruction);
    if (pc < text_start || pc >= text_end ||
        (is_without_own && pc >= qemu_plugin_start_code() && pc < qemu_plugin_end_code()))
        return NULL;
    struct location *location = location_at(pc);
    location->word = instruction_word(instruction);
    location->translated = true;
    return location;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    if (!locations) {
        if (!text_end) {
            text_start = qemu_plugin_start_code() & ~UINT64_C(3);
            text_end = qemu_plugin_end_code();
        }
        locations = calloc((text_end - text_start) / 4 + 1, sizeof *locations);
        is_in_use = calloc((text_end - text_start) / 4 / PART + 1, sizeof *is_in_use);
        if (!locations || !is_in_use)
            abort();
    }
    if (!read_registers)
        qemu_plugin_register_vcpu_tb_exec_cb(block, on_block, QEMU_PLUGIN_CB_NO_REGS,
                                             (void *)(uintptr_t)qemu_plugin_tb_vaddr(block));
    for (size_t index = 0; index < qemu_plugin_tb_n_insns(block); index++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, index);
        struct location *location = locate(instruction);
        if (stepped_load && qemu_plugin_insn_vaddr(instruction) == stepped_load)
            qemu_plugin_register_vcpu_mem_cb(instruction, on_stepped, QEMU_PLUGIN_CB_NO_REGS,
                                             QEMU_PLUGIN_MEM_RW, NULL);
        if (read_registers)
            translate_for_registers(block, location);
        else if (location)
            translate_for_counts(instruction, location);
    }
}

static void on_thread(qemu_plugin_id_t id, unsigned vcpu) {
    (void)id;
    (void)vcpu;
    /* QEMU translates everything afresh for the second thread, after this. */
    __atomic_fetch_add(&thread_count, 1, __ATOMIC_RELAXED);
}

/* A branch has count executions, of which outcomes are known; the rest is open (signals) or not to be told
   apart. */
static void settle_branch(struct location *location) {
    uint64_t open = location->executed - location->taken - location->not_taken;
    if (!read_registers && branch_target(0, location->word) == 4)
        same_target_branches += location->executed;
    unresolved_branches += open;
}

static void print_location(FILE *stream, const struct location *location) {
    fprintf(stream, "0x%" PRIx64 "\t%08" PRIx32 "\t%" PRIu64, address_of(location), location->word,
            location->executed);
    if (is_conditional_branch(location->word))
        fprintf(stream, "\t%" PRIu64 "\t%" PRIu64, location->taken, location->not_taken);
    else
        fprintf(stream, "\t-\t-");
    if (read_registers && is_load(location->word))
        fprintf(stream, "\t%" PRIu64 "\t%" PRIu64, location->redundant, location->completed);
    else
        fprintf(stream, "\t-\t-");
    if (read_values && is_store(location->word))
        fprintf(stream, "\t%" PRIu64 "\n", location->silent);
    else
        fprintf(stream, "\t-\n");
}

static void print_counts(FILE *stream) {
    uint64_t instructions = 0, loads_and_stores = 0;
    size_t count = locations ? (text_end - text_start) / 4 : 0;
    for (size_t index = 0; (index = next_in_use(index, count)) < count; index++) {
        struct location *location = &locations[index];
        location->executed += count_so_far(&location->executed_inline);
        instructions += location->executed;
        if (is_load(location->word) || is_store(location->word))
            loads_and_stores += location->executed;
        if (is_conditional_branch(location->word))
            settle_branch(location);
    }
    fprintf(stream, "# mode %s\n# threads %u\n# instructions %" PRIu64 "\n# loads and stores %" PRIu64 "\n",
            read_registers ? "registers" : "counts", thread_count, instructions, loads_and_stores);
    fprintf(stream, "# unresolved branches %" PRIu64 "\n# branches to the next instruction %" PRIu64 "\n",
            unresolved_branches, same_target_branches);
    if (simulate_cache)
        fprintf(stream, "# references %" PRIu64 "\n# misses %" PRIu64 "\n", cache_references, cache_misses);
    fprintf(stream, "# pc\tword\texecuted\ttaken\tnot taken\tredundant\tcompleted\tsilent\n");
    for (size_t index = 0; (index = next_in_use(index, count)) < count; index++)
        if (locations[index].executed)
            print_location(stream, &locations[index]);
}

static void on_exit_of_program(qemu_plugin_id_t id, void *userdata) {
    char *path = NULL;
    (void)id;
    (void)userdata;
    pid_t process = getpid();
    int length = process == first_process ? asprintf(&path, "%s", output_path)
                                          : asprintf(&path, "%s.%ld", output_path, (long)process);
    FILE *stream = length < 0 ? NULL : fopen(path, "w");
    if (!stream) {
        perror(output_path);
        _exit(99);
    }
    print_counts(stream);
    if (ferror(stream) | fclose(stream) | (address_stream ? fflush(address_stream) : 0) |
        (execution_stream ? fflush(execution_stream) : 0)) {
        fprintf(stderr, "oracle: cannot write %s\n", path);
        _exit(99);
    }
    free(path);
}

/* If the argument is NAME=VALUE, its value; else NULL. */
static const char *value_of(const char *argument, const char *name) {
    size_t length = strlen(name);
    return strncmp(argument, name, length) || argument[length] != '=' ? NULL : argument + length + 1;
}

/* The program's own descriptors stay what they are without the oracle. */
static FILE *open_stream(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int high = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, 100);
    if (file >= 0)
        close(file);
    return high < 0 ? NULL : fdopen(high, "w");
}

static bool read_argument(const char *argument) {
    const char *value;
    if ((value = value_of(argument, "out")))
        output_path = strdup(value);
    else if ((value = value_of(argument, "cache")))
        simulate_cache = !strcmp(value, "on");
    else if ((value = value_of(argument, "registers")))
        read_registers = !strcmp(value, "on");
    else if ((value = value_of(argument, "text")) && strchr(value, '-')) {
        text_start = strtoull(value, NULL, 16);
        text_end = strtoull(strchr(value, '-') + 1, NULL, 16);
    } else if ((value = value_of(argument, "own"))) {
        is_without_own = !strcmp(value, "off");
    } else if ((value = value_of(argument, "stepped"))) {
        stepped_load = strtoull(value, NULL, 16);
    } else if ((value = value_of(argument, "values")))
        read_values = !strcmp(value, "on");
    else if ((value = value_of(argument, "addresses")))
        return (address_stream = open_stream(value)) != NULL;
    else if ((value = value_of(argument, "execution")))
        return (execution_stream = open_stream(value)) != NULL;
    else
        return false;
    return true;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                           char **argv) {
    (void)info;
    for (int index = 0; index < argc; index++)
        if (!read_argument(argv[index])) {
            fprintf(stderr, "oracle: bad argument: %s\n", argv[index]);
            return -1;
        }
    if (!output_path) {
        fprintf(stderr, "oracle: out=FILE is missing\n");
        return -1;
    }
    first_process = getpid();
    qemu_plugin_register_vcpu_init_cb(id, on_thread);
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit_of_program, NULL);
    return 0;
}
