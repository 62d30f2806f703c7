/* shadow_registers.c: shadow registers (engine/copy/aside.c). In the copies their values are in SITE_FRAME.
   Code that is not copied has the values in the registers: control that enters it loads them, and stores
   them on the way back to the copies. The child of vfork may use its parent's memory, but its registers are
   its own. Compiled without floating-point registers. */
#include "runtime/text/text.h"

static int is_away;
static long of_parent[SITE_FRAME_ASIDE_WORDS];

static long *word_of_register(unsigned number) {
    return (long *)(SITE_FRAME + SITE_FRAME_ASIDE) + number;
}

static void take_aside(long *registers, int to_registers) {
    unsigned number = 0;
    for (unsigned reg = 0; reg < 31; reg++)
        if (atomc_image.aside >> reg & 1) {
            long *word = word_of_register(number++);
            *(to_registers ? &registers[reg] : word) = to_registers ? *word : registers[reg];
        }
}

void atomc_carry_aside(unsigned long from, struct saved_context *context) {
    int leaves = atomc_is_in_copies(from) && !atomc_is_in_copies((unsigned long)context->pc);
    int comes = is_away && !atomc_is_in_copies(from) && atomc_is_in_copies((unsigned long)context->pc);
    if (!atomc_image.aside || !(leaves || comes))
        return;
    take_aside(context->registers, leaves);
    is_away = leaves;
}

void atomc_set_aside(struct saved_context *context) {
    take_aside(context->registers, 0);
}

void atomc_keep_aside(void) {
    for (unsigned i = 0; atomc_image.aside && i < SITE_FRAME_ASIDE_WORDS; i++)
        of_parent[i] = *word_of_register(i);
}

void atomc_give_back_aside(void) {
    for (unsigned i = 0; atomc_image.aside && i < SITE_FRAME_ASIDE_WORDS; i++)
        *word_of_register(i) = of_parent[i];
}
