/* returns.c: at each instruction of a routine, signals/returns.c finds where the routine returns to, and
   where it has that address. Linked with the runtime's objects that this takes; what else they call is
   defined here. */
#include <stdio.h>
#include <string.h>

#include "runtime/kernel/kernel.h"
#include "runtime/signals/signals.h"

/* ---- the runtime's other parts ---- */

static const uint32_t copies[] = {0xd63f0020 /* blr x1 */, AARCH64_NOP};
struct atomc_image atomc_image;
struct atomc_entries atomc_entries;
static unsigned long same_address(unsigned long address) {
    return address;
}
struct atomc_upcalls atomc_upcalls = {.spilled_at = same_address};

int atomc_is_private(unsigned long pc) {
    return is_in_image(pc) && (pc < (unsigned long)copies || pc >= (unsigned long)(copies + 2));
}

/* ---- routines ---- */

static long values[8], depths;

static __attribute__((noinline)) long descend(long depth, const char *text) {
    char copy[64];
    for (unsigned i = 0; i < sizeof copy; i++)
        copy[i] = text[i % 8] ^ (char)depth;
    depths += depth > 3;
    switch (depth) {
    case 0:
        return copy[3];
    case 1:
        return descend(0, copy) + 1;
    case 2:
        return descend(1, copy) * 2 + values[1];
    case 3:
        return descend(2, copy) - 3;
    case 4:
        return (descend(3, copy) ^ 4) + descend(2, text);
    default:
        return descend(depth - 1, copy) | values[depth & 7];
    }
}

/* More registers than a routine may change, and a loop that ends early. */
static __attribute__((noinline)) long many(const long *from, long a, long b, long c, long d) {
    long e = a * b, f = b - c, g = c ^ d, h = d + a, i = a | d, j = b & c;
    for (int k = 0; k < 8; k++) {
        long got = descend(k & 3, (const char *)from);
        if (got == 1234567)
            return got;
        e += got * f;
        f ^= g + h;
        g -= i;
        h += j * got;
        i = j - a;
        j = from[k] + b + c + d;
    }
    return e + f + g + h + i + j;
}

static void leaf(void) {
    values[2]++;
}

static void routine(long number) {
    values[number & 7] += number;
    leaf();
    if (number > 2)
        values[3] = many(values, number, 2, 3, 4);
    else
        values[4] += descend(number + 3, "12345678");
}

/* ---- each instruction ---- */

enum { MOST_MISSING = 10 };

static int is_right(const struct atomc_return *found, const struct saved_context *context) {
    long holds = found->slot ? *found->slot : context->registers[found->reg];
    return found->target == (unsigned long)(copies + 1) && holds == (long)(copies + 1);
}

int main(void) {
    static struct saved_context context;
    static struct atomc_walk walk;
    static char stack[1 << 16] __attribute__((aligned(16)));
    struct atomc_stepper stepper = {.context = &context};
    long steps = 0, missing = 0;
    for (long number = 0; number < 5; number++) {
        context.pc = (long)routine;
        context.registers[0] = number;
        context.registers[LINK_REGISTER] = (long)(copies + 1);
        context.registers[STACK_REGISTER] = (long)(stack + sizeof stack - 64);
        for (; context.pc != (long)(copies + 1); steps++) {
            struct atomc_return found;
            int state = atomc_find_return(&context, &walk, &found);
            if (state != FOUND_RETURN || !is_right(&found, &context)) {
                printf("at %#lx: %d, register %u, slot %p\n", context.pc, state, found.reg,
                       (void *)found.slot);
                if (++missing == MOST_MISSING)
                    return 1; /* a walk that does not find it is a thousand times as long */
            }
            if (!atomc_step(&stepper)) {
                printf("not executed: %08x\n", *(const uint32_t *)context.pc);
                return 1;
            }
        }
        if (context.registers[STACK_REGISTER] != (long)(stack + sizeof stack - 64))
            missing++;
    }
    printf("%ld instructions, %ld without their return\n", steps, missing);
    return missing != 0;
}
