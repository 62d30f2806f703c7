/* stepping.c: what the runtime executes step by step has the same results as on the processor: random words
   of each group of instructions, on random registers and memory. Linked with the runtime's stepping.o and
   primitives.o, which call what is defined here. Usage: stepping ROUNDS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/kernel/kernel.h"

enum { MEMORY = 4096, MIDDLE = 2048, AREA = 64 };

struct state { /* code at run() knows the offsets */
    long registers[31], flags;
    struct atomc_vector vectors[32];
    char memory[MEMORY] __attribute__((aligned(64))); /* what is there */
};
static char memory[MEMORY] __attribute__((aligned(64)));

static unsigned long same_address(unsigned long address) {
    return address;
}
struct atomc_upcalls atomc_upcalls = {.spilled_at = same_address};

/* ---- on the processor --------------------------------------------------------------------------------- */

static uint32_t *slot; /* the word, and `b back` */

/* x28 has the state's address meanwhile, x30 and sp stay as they are: words with these registers are not
 * tried. */
void run_word(struct state *state, const uint32_t *code);
__asm__(
    ".text\n.balign 16\nrun_word:\n"
    "stp x29, x30, [sp, #-176]!\n"
    "stp x19, x20, [sp, #16]\nstp x21, x22, [sp, #32]\nstp x23, x24, [sp, #48]\n"
    "stp x25, x26, [sp, #64]\nstp x27, x28, [sp, #80]\n"
    "stp d8, d9, [sp, #96]\nstp d10, d11, [sp, #112]\nstp d12, d13, [sp, #128]\nstp d14, d15, [sp, #144]\n"
    "str x0, [sp, #160]\nmov x30, x1\nmov x28, x0\n"
    "ldr x0, [x28, #248]\nmsr nzcv, x0\n"
    "add x29, x28, #256\n"
    ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
    "ldr q\\r, [x29, #16*\\r]\n.endr\n"
    ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,29\n"
    "ldr x\\r, [x28, #8*\\r]\n.endr\n"
    "blr x30\n"
    "ldr x28, [sp, #160]\n"
    ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,29\n"
    "str x\\r, [x28, #8*\\r]\n.endr\n"
    "mrs x0, nzcv\nstr x0, [x28, #248]\n"
    "add x29, x28, #256\n"
    ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
    "str q\\r, [x29, #16*\\r]\n.endr\n"
    "ldp x19, x20, [sp, #16]\nldp x21, x22, [sp, #32]\nldp x23, x24, [sp, #48]\n"
    "ldp x25, x26, [sp, #64]\nldp x27, x28, [sp, #80]\n"
    "ldp d8, d9, [sp, #96]\nldp d10, d11, [sp, #112]\nldp d12, d13, [sp, #128]\nldp d14, d15, [sp, #144]\n"
    "ldp x29, x30, [sp], #176\nret\n");

static void execute(struct state *state, uint32_t word) {
    slot[0] = word;
    slot[1] = 0xd65f03c0; /* ret */
    __builtin___clear_cache((char *)slot, (char *)(slot + 2));
    run_word(state, slot);
}

/* ---- in the runtime ----------------------------------------------------------------------------------- */

static int step(struct state *state, uint32_t word, long *pc) {
    static struct saved_context context;
    struct atomc_stepper stepper = {.context = &context};
    memcpy(context.registers, state->registers, sizeof state->registers);
    memcpy(context.floating.vectors, state->vectors, sizeof state->vectors);
    context.ps = state->flags;
    context.pc = (long)slot;
    if (!atomc_step_as(&stepper, word))
        return 0;
    memcpy(state->registers, context.registers, sizeof state->registers);
    memcpy(state->vectors, context.floating.vectors, sizeof state->vectors);
    state->flags = context.ps;
    *pc = context.pc;
    return 1;
}

/* ---- words -------------------------------------------------------------------------------------------- */

static uint64_t random_state = 0x2545f4914f6cdd1d;

static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

/* Numbers at limits are as likely as others. */
static long random_value(void) {
    static const long limits[] = {0,          1,         -1,        2,      0x7f,       0x80,
                                  0xff,       0x7fff,    0x8000,    0xffff, 0x7fffffff, 0x80000000,
                                  0xffffffff, INT64_MAX, INT64_MIN, 63,     64};
    uint64_t choice = next_random();
    return choice & 3 ? (long)next_random() >> (choice >> 8 & 63) : limits[choice % 17];
}

struct group {
    const char *name;
    uint32_t match, fixed;  /* bits that are given */
    int is_access, allowed; /* the least part of words that are executed, in percent */
};

static int reserved(unsigned reg) {
    return reg == 28 || reg == 30;
}

/* Registers by their fields; those that run_word() needs are not used. */
static uint32_t without_reserved(uint32_t word, unsigned shift) {
    unsigned reg = word >> shift & 31;
    return reserved(reg) ? word ^ (UINT32_C(4) << shift) : word;
}

static const struct group groups[] = {
    {"add, sub: constants", 0x11000000, 0x1f800000, 0, 100},
    {"and, orr, eor: constants", 0x12000000, 0x1f800000, 0, 100},
    {"movn, movz, movk", 0x12800000, 0x1f800000, 0, 100},
    {"sbfm, bfm, ubfm", 0x13000000, 0x1f800000, 0, 100},
    {"extr", 0x13800000, 0x1f800000, 0, 100},
    {"and, orr, eor, bic", 0x0a000000, 0x1f000000, 0, 100},
    {"add, sub: shifted", 0x0b000000, 0x1f200000, 0, 100},
    {"add, sub: extended", 0x0b200000, 0x1fe00000, 0, 100},
    {"adc, sbc", 0x1a000000, 0x1fe0fc00, 0, 100},
    {"ccmp, ccmn", 0x3a400000, 0x3fe00410, 0, 100},
    {"csel", 0x1a800000, 0x3fe00800, 0, 100},
    {"udiv, sdiv, shifts", 0x1ac00000, 0x7fe0c000, 0, 30},
    {"rbit, rev, clz, cls", 0x5ac00000, 0x7fffc000, 0, 30},
    {"autia, autib", 0xdac11000, 0xffffd800, 0, 100},
    {"madd, smulh", 0x1b000000, 0x7f000000, 0, 50},
    {"adr", 0x10000000, 0x1f000000, 0, 100},
    {"mrs nzcv", 0xd53b4200, 0xffffffe0, 0, 100},
    {"msr nzcv", 0xd51b4200, 0xffffffe0, 0, 100},
    {"ldr, str", 0x39000000, 0x3f000000, 1, 80},
    {"ldr, str: vectors", 0x3d000000, 0x3f000000, 1, 80},
    {"ldur, pre, post", 0x38000000, 0x3f200000, 1, 70},
    {"ldur, pre, post: vectors", 0x3c000000, 0x3f200000, 1, 70},
    {"ldr, str: index", 0x38200800, 0x3f200c00, 1, 80},
    {"ldp, stp", 0x28000000, 0x3e000000, 1, 50},
    {"ldp, stp: vectors", 0x2c000000, 0x3e000000, 1, 50},
    {"ldar, stlr", 0x0880fc00, 0x3fa0fc00, 1, 100},
    {"cas", 0x08a07c00, 0x3fa07c00, 1, 100},
    {"ldadd, swp", 0x38200000, 0x3f200c00, 1, 50},
};
enum { GROUPS = sizeof groups / sizeof *groups };

/* Words that the manual leaves undefined, or unpredictable. */
static int is_defined(uint32_t word) {
    unsigned d = aarch64_rd(word), n = aarch64_rn(word), m = aarch64_rm(word), t2 = aarch64_rt2(word);
    int wide = aarch64_is_wide(word);
    if (AARCH64_IS(word, ADD_CONSTANT) && (n == 31 || (d == 31 && !aarch64_bits(word, 29, 1))))
        return 0; /* the stack pointer */
    if (AARCH64_IS(word, LOGICAL_CONSTANT))
        return (wide || !aarch64_bits(word, 22, 1)) && !(d == 31 && aarch64_bits(word, 29, 2) != 3) &&
               aarch64_logical_constant(word) &&
               aarch64_logical_constant(word) != (wide ? UINT64_MAX : UINT32_MAX);
    if (AARCH64_IS(word, MOVE_WIDE))
        return aarch64_bits(word, 29, 2) != 1 && (wide || !aarch64_bits(word, 22, 1));
    if (AARCH64_IS(word, BITFIELD) || AARCH64_IS(word, EXTRACT)) {
        if (aarch64_bits(word, 22, 1) != (unsigned)wide || (!wide && (word & 0x208000)))
            return 0;
        return AARCH64_IS(word, EXTRACT) ? !aarch64_bits(word, 29, 2) && !aarch64_bits(word, 21, 1)
                                         : aarch64_bits(word, 29, 2) != 3;
    }
    if (AARCH64_IS(word, LOGICAL) || AARCH64_IS(word, ADD))
        return (wide || !aarch64_bits(word, 15, 1)) &&
               !(AARCH64_IS(word, ADD) && aarch64_bits(word, 22, 2) == 3);
    if (AARCH64_IS(word, ADD_EXTENDED))
        return aarch64_bits(word, 10, 3) <= 4 && n != 31 && !(d == 31 && !aarch64_bits(word, 29, 1));
    if (AARCH64_IS(word, THREE_SOURCES))
        return !(aarch64_bits(word, 21, 3) && !wide) &&
               !((aarch64_bits(word, 21, 2) == 2) && (aarch64_bits(word, 15, 1) || t2 != 31));
    if (AARCH64_IS(word, AUTHENTICATE))
        return (n == 31) == (int)aarch64_bits(word, 13, 1) && /* otherwise by the stack pointer */
               aarch64_rd(word) != n && aarch64_rd(word) != 31;
    if (AARCH64_IS(word, ONE_SOURCE))
        return wide || aarch64_bits(word, 10, 6) != 3;
    if (AARCH64_IS(word, PAIR)) {
        int back = (int)aarch64_bits(word, 23, 1), loads = aarch64_loads(word),
            vector = aarch64_is_vector_access(word);
        unsigned kind = aarch64_bits(word, 30, 2);
        if (kind == 3 || (!vector && kind == 1 && (!loads || !aarch64_bits(word, 23, 2))))
            return 0;
        return !(loads && d == t2) && !(back && !vector && (d == n || t2 == n));
    }
    if (AARCH64_IS(word, ACCESS) || AARCH64_IS(word, ACCESS_NEAR) || AARCH64_IS(word, ACCESS_INDEX)) {
        unsigned size = aarch64_bits(word, 30, 2), kind = aarch64_bits(word, 22, 2);
        int vector = aarch64_is_vector_access(word);
        if (vector ? kind >= 2 && size : (size == 3 && kind >= 2) || (size == 2 && kind == 3))
            return 0;
        if (AARCH64_IS(word, ACCESS_INDEX) && !aarch64_bits(word, 14, 1))
            return 0;
        int back = AARCH64_IS(word, ACCESS_NEAR) && aarch64_bits(word, 10, 1);
        if (AARCH64_IS(word, ACCESS_NEAR) && vector && aarch64_bits(word, 10, 2) == 2)
            return 0;
        return !(back && !vector && d == n) && !(AARCH64_IS(word, ACCESS_INDEX) && m == n);
    }
    if (AARCH64_IS(word, ATOMIC))
        return aarch64_bits(word, 12, 4) <= 8 && n != d && n != m;
    if (AARCH64_IS(word, EXCLUSIVE))
        return aarch64_bits(word, 21, 1) ? n != d && n != m : m == 31 && t2 == 31;
    return 1;
}

/* The address is in the middle of the memory, and a multiple of the size for atomic accesses. */
static void aim_access(struct state *state, uint32_t word) {
    unsigned base = aarch64_rn(word);
    long distance = 0,
         unaligned = AARCH64_IS(word, ATOMIC) || AARCH64_IS(word, EXCLUSIVE) ? 0 : next_random() & 15;
    if (AARCH64_IS(word, ACCESS))
        distance = access_displacement(word);
    if (AARCH64_IS(word, ACCESS_INDEX))
        state->registers[aarch64_rm(word)] = (long)(next_random() % AREA);
    state->registers[base] = (long)memory + MIDDLE + unaligned - distance;
}

static void fill(struct state *state) {
    for (int i = 0; i < 31; i++)
        state->registers[i] = random_value();
    state->flags = (long)(next_random() & 15) << 28;
    for (int i = 0; i < 32; i++)
        state->vectors[i] = (struct atomc_vector){next_random(), next_random()};
    for (int i = 0; i < MEMORY; i += 8)
        *(uint64_t *)(state->memory + i) = next_random();
}

/* ---- comparison ----------------------------------------------------------------------------------------- */

static void show(const char *name, uint32_t word, const struct state *real, const struct state *stepped) {
    printf("%s %08x:", name, word);
    for (int i = 0; i < 31; i++)
        if (real->registers[i] != stepped->registers[i])
            printf(" x%d %lx, not %lx", i, real->registers[i], stepped->registers[i]);
    for (int i = 0; i < 32; i++)
        if (memcmp(&real->vectors[i], &stepped->vectors[i], 16) != 0)
            printf(" v%d", i);
    if (real->flags != stepped->flags)
        printf(" flags %lx, not %lx", real->flags >> 28, stepped->flags >> 28);
    if (memcmp(real->memory, stepped->memory, MEMORY) != 0)
        printf(" memory");
    printf("\n");
}

/* Signs the address that the word authenticates: processors with FEAT_FPAC fault at a forged one. */
static void sign_address(struct state *state, uint32_t word) {
    const uint32_t authenticates = 1 << 12; /* autia without it is pacia */
    state->registers[aarch64_rd(word)] &= 0xffffffffffff;
    execute(state, word & ~authenticates);
}

int main(int argc, char **argv) {
    static struct state start, real, now;
    int different = 0, rounds = argc > 1 ? atoi(argv[1]) : 1000;
    slot = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int g = 0; g < GROUPS; g++) {
        int tried = 0, stepped = 0;
        for (int i = 0; i < rounds; i++) {
            uint32_t word =
                (groups[g].match & groups[g].fixed) | ((uint32_t)next_random() & ~groups[g].fixed);
            long pc = 0;
            for (int shift = 0; shift <= 16; shift += shift == 10 ? 6 : 5)
                if (!(groups[g].fixed >> shift & 31))
                    word = without_reserved(word, (unsigned)shift);
            if (groups[g].is_access && aarch64_rn(word) == 31)
                word ^= 1 << 5;
            if (groups[g].is_access && AARCH64_IS(word, ACCESS_INDEX) && aarch64_rm(word) == 31)
                word ^= 1 << 16;
            if (reserved(aarch64_rd(word)) || reserved(aarch64_rn(word)) || reserved(aarch64_rm(word)) ||
                reserved(aarch64_rt2(word)) || !is_defined(word))
                continue;
            fill(&start);
            if (groups[g].is_access)
                aim_access(&start, word);
            if (AARCH64_IS(word, AUTHENTICATE))
                sign_address(&start, word);
            tried++;
            now = real = start;
            memcpy(memory, start.memory, MEMORY);
            if (!step(&now, word, &pc))
                continue;
            stepped++;
            memcpy(now.memory, memory, MEMORY);
            memcpy(memory, start.memory, MEMORY);
            execute(&real, word);
            memcpy(real.memory, memory, MEMORY);
            if (pc != (long)slot + 4 || memcmp(&real, &now, sizeof real) != 0) {
                if (different++ < 40)
                    show(groups[g].name, word, &real, &now);
            }
        }
        if (tried == 0 || stepped * 100 < tried * groups[g].allowed)
            printf("%s: of %d words, only %d are executed\n", groups[g].name, tried, stepped), different++;
    }
    printf("%d groups, %d different\n", GROUPS, different);
    return different != 0;
}
