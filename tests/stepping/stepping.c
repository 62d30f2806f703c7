/* stepping.c: every instruction but those that hold the pc or the time, executed by the runtime's
   stepper (runtime/machine/alpha/stepping.c) and by the processor, on the same operands: the same registers,
   FPCR, memory and place to go on, or a trap in both. Linked with the runtime's own objects, and the codegen
   tables. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "codegen/alpha/architecture.h"
#include "runtime/kernel/kernel.h"

/* ---- what stepping.c knows of the process ------------------------------------------------------------------------ */

static int sender_is_known(long signal) {
    (void)signal;
    return 1;
}

static unsigned long spilled_at(unsigned long address) {
    return address;
}

struct atomc_image atomc_image;
struct atomc_upcalls atomc_upcalls = {.sender_is_known = sender_is_known, .spilled_at = spilled_at};

/* ---- kinds, as the engine writes them --------------------------------------------------------------------------- */

static void write_kinds(void) {
    size_t count = alpha_stepped(NULL);
    struct stepped_encoding *encodings = malloc(count * sizeof *encodings);
    struct atomc_kind *kinds = mmap((void *)0x10000000, count * sizeof *kinds, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    alpha_stepped(encodings);
    for (size_t i = 0; i < count; i++)
        kinds[i] = (struct atomc_kind){.match = encodings[i].match,
                                       .mask = encodings[i].mask,
                                       .opcode = encodings[i].opcode,
                                       .format = encodings[i].format};
    free(encodings);
    atomc_image.kinds = (uint32_t)(uint64_t)kinds;
    atomc_image.kind_count = count;
}

enum alpha_opcode alpha_register_form(const struct alpha_descriptor *descriptor) {
    const uint32_t literal = 1 << 12;
    int is_literal = descriptor->format == ALPHA_FORMAT_LITERAL;
    const struct alpha_descriptor *other = alpha_decode((descriptor->match & ~literal) | 31 << 16);
    return (enum alpha_opcode)(is_literal && other->opcode_id != ALPHA_INVALID ? other : descriptor)
        ->opcode_id;
}

/* ---- the processor ------------------------------------------------------------------------------------------------ */

enum { RA = 4, RB = 5, RC = 6, TAKEN = 99 };
struct state {
    long integers[3], floats[3], control, memory[2], next;
};

static uint32_t *code;
static sigjmp_buf trapped;

static void handle(int signal, siginfo_t *info, void *where) {
    struct saved_context *context = (struct saved_context *)&((ucontext_t *)where)->uc_mcontext;
    const uint32_t *pc = (const uint32_t *)context->pc;
    (void)info;
    if ((signal == SIGFPE || signal == SIGILL || signal == SIGSEGV) && pc >= atomc_operate_begin &&
        pc < atomc_operate_end)
        context->pc = (long)atomc_operate_failed;
    else if (signal == SIGSEGV && pc >= atomc_tries && pc < atomc_tries_end)
        context->pc = (long)atomc_try_failed;
    else
        siglongjmp(trapped, signal);
}

/* long run(struct state *): in $16; 0, or TAKEN. */
static void make_code(uint32_t before, uint32_t word) {
    uint32_t *at = code;
    *at++ = ALPHA_MEMORY_WORD(LDT, 10, offsetof(struct state, control), 16);
    *at++ = 0x45400000 * 0 + (ALPHA_MATCH_MT_FPCR | 10 << 21 | 10 << 16 | 10);
    *at++ = ALPHA_MATCH_TRAPB;
    for (int i = 0; i < 3; i++) {
        *at++ = ALPHA_MEMORY_WORD(LDQ, RA + i, 8 * i, 16);
        *at++ = ALPHA_MEMORY_WORD(LDT, RA + i + 20, 24 + 8 * i, 16);
    }
    *at++ = ALPHA_MEMORY_WORD(LDA, 0, 0, 31);
    *at++ = before;
    *at++ = word;
    *at++ = ALPHA_BRANCH_WORD(BR, 31, 1);
    *at++ = ALPHA_MEMORY_WORD(LDA, 0, TAKEN, 31);
    *at++ = ALPHA_MATCH_TRAPB;
    for (int i = 0; i < 3; i++) {
        *at++ = ALPHA_MEMORY_WORD(STQ, RA + i, 8 * i, 16);
        *at++ = ALPHA_MEMORY_WORD(STT, RA + i + 20, 24 + 8 * i, 16);
    }
    *at++ = ALPHA_MATCH_MF_FPCR | 10 << 21 | 10 << 16 | 10;
    *at++ = ALPHA_MEMORY_WORD(STT, 10, offsetof(struct state, control), 16);
    *at++ = ALPHA_MEMORY_WORD(RET, 31, 1, 26);
    __asm__ volatile("call_pal 0x86" : : : "memory");
}

/* False: it traps. */
static int run_code(struct state *state) {
    long keep, result;
    __asm__ volatile("trapb\n\tmf_fpcr $f10\n\tstt $f10, %0" : "=m"(keep) : : "$f10");
    int signal = sigsetjmp(trapped, 1);
    if (signal == 0) {
        register struct state *argument __asm__("$16") = state;
        register uint32_t *target __asm__("$27") = code;
        register long value __asm__("$0");
        __asm__ volatile("jsr $26, ($27)"
                         : "=r"(value), "+r"(target), "+r"(argument)
                         :
                         : "$1", "$4", "$5", "$6", "$26", "$f10", "$f24", "$f25", "$f26", "memory");
        result = value;
    }
    __asm__ volatile("ldt $f10, %0\n\tmt_fpcr $f10\n\ttrapb" : : "m"(keep) : "$f10");
    if (signal == 0)
        state->next = result;
    return signal == 0;
}

/* ---- the stepper -------------------------------------------------------------------------------------------------- */

static int step_code(uint32_t before, uint32_t word, struct state *state) {
    static uint32_t place[4];
    static struct saved_context context;
    struct atomc_stepper stepper = {.context = &context};
    for (int i = 0; i < 32; i++) {
        context.registers[i] = 0x1111 * i;
        context.floating[i] = 0x2222 * i;
    }
    for (int i = 0; i < 3; i++) {
        context.registers[RA + i] = state->integers[i];
        context.floating[RA + i + 20] = state->floats[i];
    }
    context.control = state->control;
    context.pc = (long)place;
    place[0] = before;
    place[1] = word;
    if (!atomc_step(&stepper) || !atomc_step(&stepper))
        return 0;
    state->next = context.pc == (long)(place + 2) ? 0 : context.pc == (long)(place + 3) ? TAKEN : -1;
    state->control = context.control & ~0xffffffffl; /* sigreturn brings no more of it to the processor */
    for (int i = 0; i < 32; i++) {
        int own = i >= RA && i < RA + 3, own_float = i >= RA + 20 && i < RA + 23;
        if ((!own && context.registers[i] != 0x1111 * i) || (!own_float && context.floating[i] != 0x2222 * i))
            state->next = -2;
    }
    for (int i = 0; i < 3; i++) {
        state->integers[i] = context.registers[RA + i];
        state->floats[i] = context.floating[RA + i + 20];
    }
    return 1;
}

/* ---- all of them -------------------------------------------------------------------------------------------------- */

static uint64_t seed = 88172645463325252ul;
static uint64_t next_random(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

/* Zeros, ones, the ends of ranges, denormals, infinities, what is no number, reserved operands of VAX; and
 * anything. */
static uint64_t operand(unsigned number) {
    static const uint64_t special[] = {0,
                                       1,
                                       ~0ul,
                                       1ul << 63,
                                       0x3ff0000000000000,
                                       0xbff0000000000000,
                                       0x4000000000000000,
                                       0x3ff0000000000001,
                                       0x7ff0000000000000,
                                       0xfff0000000000000,
                                       0x7ff8000000000000,
                                       0x7ff0000000000001,
                                       0xfff7ffffffffffff,
                                       0x7fefffffffffffff,
                                       0x0010000000000000,
                                       0x000fffffffffffff,
                                       0x8000000000000001,
                                       0x47efffffe0000000,
                                       0x47f0000000000000,
                                       0x3810000000000000,
                                       0x380fffffffffffff,
                                       0x36a0000000000000,
                                       0x43e0000000000000,
                                       0xc3e0000000000000,
                                       0x43dfffffffffffff,
                                       0x41dfffffffc00000,
                                       0x41e0000000000000,
                                       0x3fe0000000000000,
                                       0x4008000000000000,
                                       0x0000000080000000,
                                       0x000000007fffffff,
                                       0xffffffff80000000,
                                       0x7fffffffffffffff,
                                       0x4010000000000000,
                                       0x40091eb851eb851f,
                                       0x3fd5555555555555,
                                       0x3fd5555560000000,
                                       0x0000000000000000 | 5};
    const unsigned specials = sizeof special / sizeof special[0];
    uint64_t value = next_random();
    if (number < specials)
        return special[number];
    switch (value % 5) {
    case 0:
        return next_random();
    case 1: /* near one */
        return (next_random() & 0x800fffffffffffff) | (0x3f0 + next_random() % 32) << 52;
    case 2: /* a float */
        return (next_random() & 0x8fffffffe0000000) | 0x3800000000000000;
    case 3:
        return special[next_random() % specials];
    default: /* a small integer */
        return (uint64_t)((int64_t)next_random() >> (next_random() % 64));
    }
}

static const uint32_t nothing = ALPHA_MATCH_BISr | 31 << 21 | 31 << 16 | 31;

/* qemu-user adds flags of an earlier instruction to those of the next one, if that was trapped. */
static void forget_flags(void) {
    struct state state = {.next = 0};
    make_code(nothing, ALPHA_MATCH_ADDS | (RA + 20) << 21 | (RB + 20) << 16 | (RC + 20));
    run_code(&state);
}

static int is_tried(const struct alpha_descriptor *descriptor) {
    int links =
        descriptor->format == ALPHA_FORMAT_JUMP || descriptor->flags & (ALPHA_UNCOND_BRANCH | ALPHA_CALL);
    return descriptor->opcode_id != ALPHA_CALL_PAL && descriptor->opcode_id != ALPHA_RPCC && !links;
}

/* What comes before the instruction: what it depends on, that no register has. */
static uint32_t word_before(const struct alpha_descriptor *descriptor, int number) {
    switch (descriptor->opcode_id) {
    case ALPHA_RC:
    case ALPHA_RS:
        return (number & 1 ? ALPHA_MATCH_RS : ALPHA_MATCH_RC) | 31 << 21;
    case ALPHA_STL_C:
        return number & 1 ? ALPHA_MEMORY_WORD(LDL_L, RC, 0, RB) : nothing;
    case ALPHA_STQ_C:
        return number & 1 ? ALPHA_MEMORY_WORD(LDQ_L, RC, 0, RB) : nothing;
    default:
        return nothing;
    }
}

static uint32_t word_of(const struct alpha_descriptor *descriptor) {
    uint32_t word = descriptor->match;
    int same = descriptor->opcode_id == ALPHA_MT_FPCR || descriptor->opcode_id == ALPHA_MF_FPCR;
    unsigned ra = descriptor->ra_role >= ALPHA_ROLE_FLOAT_READ ? RA + 20 : RA;
    unsigned rb = descriptor->rb_role >= ALPHA_ROLE_FLOAT_READ ? RB + 20 : RB;
    unsigned rc = descriptor->rc_role >= ALPHA_ROLE_FLOAT_READ ? RC + 20 : RC;
    if (same)
        return word | ra << 21 | ra << 16 | ra;
    if (descriptor->ra_role)
        word |= ra << 21;
    if (descriptor->rb_role)
        word |= rb << 16;
    if (descriptor->rc_role)
        word |= rc;
    if (descriptor->format == ALPHA_FORMAT_LITERAL)
        word |= (uint32_t)(next_random() & 0xff) << 13;
    return word | (descriptor->format == ALPHA_FORMAT_BRANCH);
}

static void print_difference(const struct alpha_descriptor *descriptor, int ran, int stepped,
                             const struct state *begun, const struct state *expected,
                             const struct state *found) {
    printf("%s: %d %d: %lx %lx %lx, FPCR %lx\n", descriptor->mnemonic, ran, stepped, begun->floats[0],
           begun->floats[1], begun->floats[2], begun->control);
    for (unsigned k = 0; k < sizeof *found / 8; k++)
        if (ran && ((const long *)expected)[k] != ((const long *)found)[k])
            printf("    word %u: %lx, stepped %lx\n", k, ((const long *)expected)[k],
                   ((const long *)found)[k]);
}

/* Values of registers for the i-th try. */
static void draw_registers(struct state *state, int i) {
    memset(state, 0, sizeof *state);
    for (int k = 0; k < 3; k++) {
        state->integers[k] = (long)operand((unsigned)(k == 1 ? i % 7 * 11 : i));
        state->floats[k] = (long)operand((unsigned)(k == 1 ? i * 7 % 41 : i));
    }
}

static void install_handlers(void) {
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER};
    for (int signal = 1; signal < 32; signal++)
        if (signal == SIGFPE || signal == SIGILL || signal == SIGSEGV || signal == SIGBUS)
            sigaction(signal, &action, NULL);
}

int main(int argc, char **argv) {
    const long trapless = 1l << 62 | 1l << 61 | 7l << 49, denormals = 1l << 60 | 3l << 47;
    const long controls[] = {0,
                             2l << 58,
                             1l << 58,
                             3l << 58,
                             trapless | 2l << 58,
                             trapless | denormals | 3l << 58,
                             trapless | 1l << 60,
                             trapless | 3l << 47 | 1l << 58,
                             0x3fl << 52 | 2l << 58};
    const int times = argc > 1 ? atoi(argv[1]) : 100;
    static long area[4];
    long instructions = 0, compared = 0, traps = 0, different = 0;
    install_handlers();
    code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    write_kinds();
    for (unsigned opcode = ALPHA_INVALID + 1; opcode < ALPHA_OPCODE_COUNT; opcode++) {
        const struct alpha_descriptor *descriptor = alpha_describe((enum alpha_opcode)opcode);
        int is_memory = descriptor->memory_size != 0;
        if (!is_tried(descriptor))
            continue;
        instructions++;
        for (int i = 0; i < times; i++) {
            uint32_t word = word_of(descriptor);
            struct state expected, found;
            draw_registers(&expected, i);
            expected.control = controls[next_random() % (sizeof controls / sizeof controls[0])];
            area[1] = (long)operand(1000), area[2] = (long)operand(1000);
            if (is_memory)
                expected.integers[1] =
                    (long)(area + 1) +
                    (long)(next_random() % (8 / descriptor->memory_size)) * descriptor->memory_size;
            if (is_memory && i % 8 == 7)
                expected.integers[1] = 16; /* nothing is there */
            memcpy(expected.memory, area + 1, sizeof expected.memory);
            found = expected;
            const struct state begun = expected;
            forget_flags();
            const uint32_t before = word_before(descriptor, i);
            make_code(before, word);
            int ran = run_code(&expected);
            memcpy(expected.memory, area + 1, sizeof expected.memory);
            memcpy(area + 1, found.memory, sizeof found.memory);
            forget_flags();
            int stepped = step_code(before, word, &found);
            memcpy(found.memory, area + 1, sizeof found.memory);
            compared++;
            traps += !ran;
            if (ran == stepped && (!ran || memcmp(&expected, &found, sizeof found) == 0))
                continue;
            if (different++ < 20)
                print_difference(descriptor, ran, stepped, &begun, &expected, &found);
        }
    }
    printf("%ld instructions, %d, %d, %ld different\n", instructions, compared == instructions * times,
           traps > instructions, different);
    return different != 0;
}
