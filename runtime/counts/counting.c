/* counting.c: derives counts when the program ends. Requires the effects and ranges of interface.h.

   Control leaves each part of a procedure as often as it enters it. The exception is a program that was
   interrupted and never resumed: by a signal that ended it, or whose handler jumped away. Each interruption
   is recorded, and the record is removed when the handler returns. The records left at the end are taken
   into account. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/counts/counts.h"
#include "runtime/counts/nonzero.h"
#include "support/search.h"

/* For each word of the copies, the number of times that the program stopped there, by enum atomc_stop. */
static int (*stops)[ATOMC_STOPS];
static uint64_t stop_count; /* words */
static int has_stopped, is_settled;

void atomc_prepare_counts(const struct atomc_image *image) {
    if (!image->counted)
        return;
    stop_count = (image->copies_end - image->copies) / 4;
    stops = calloc(stop_count + 1, sizeof *stops); /* zero pages until one is needed */
    if (!stops)
        stop_count = 0;
}

/* While the program is interrupted, promoted counts are added to their cells. */
static void note_held(const struct atomc_image *image, uint64_t pc, int times, const long *registers) {
    const struct atomc_promoted *promoted = (const struct atomc_promoted *)(uintptr_t)image->promoted;
    const struct atomc_promoted_set *sets =
        (const struct atomc_promoted_set *)(uintptr_t)image->promoted_sets;
    uint64_t *cells = (uint64_t *)(uintptr_t)image->cells;
    const uint64_t after = FIRST_NOT(0, image->promoted_count, at, promoted[at].address <= pc);
    for (uint32_t set = after > 0 ? promoted[after - 1].set : 0; set; set = sets[set].parent)
        __sync_fetch_and_add(&cells[sets[set].cell], (uint64_t)times * (uint64_t)registers[sets[set].reg]);
}

/* The address of the copy of an instruction that does not begin a block. */
static uint32_t copy_of_instruction(const struct atomc_image *image, uint64_t instruction) {
    const struct atomc_library *libraries = (const struct atomc_library *)(uintptr_t)image->libraries;
    if (instruction < image->text_size / 4)
        return ((const uint32_t *)(uintptr_t)image->text_map)[instruction] & ~MAP_UNFORESEEN;
    for (uint64_t k = 0; k < image->library_count; k++)
        if (instruction - libraries[k].first < libraries[k].count)
            return ((const uint32_t *)(uintptr_t)libraries[k].map)[instruction - libraries[k].first] &
                   ~MAP_UNFORESEEN;
    return UINT32_MAX;
}

/* The instruction of the block whose copy, or code inserted before it, has the address. */
static uint64_t instruction_at(const struct atomc_image *image, uint64_t first, uint64_t count,
                               uint64_t address) {
    const struct atomc_shortcut *shortcuts = (const struct atomc_shortcut *)(uintptr_t)image->shortcuts;
    uint64_t found = first, begin = 0;
    for (uint64_t i = first + 1; i < first + count; i++)
        if (copy_of_instruction(image, i) <= address && copy_of_instruction(image, i) >= begin)
            begin = copy_of_instruction(image, found = i);
    for (uint64_t k = 0; k < image->shortcut_count;
         k++) /* the map has other addresses for their first instructions */
        if (shortcuts[k].instruction - first < count && shortcuts[k].real <= address &&
            shortcuts[k].real > begin)
            begin = shortcuts[k].real, found = shortcuts[k].instruction;
    return found;
}

static int64_t chosen_from(const struct atomc_early_block *block, const unsigned char *chosen,
                           uint64_t instruction) {
    int64_t sum = 0;
    for (uint64_t k = instruction - block->first; k < block->count; k++)
        sum += !chosen || chosen[k / 8] >> k % 8 & 1;
    return sum;
}

/* The number of chosen instructions among the block's first `count`. */
static int64_t chosen_before(const struct atomc_early_block *block, uint32_t chosen, uint64_t count) {
    return chosen_from(block, (const unsigned char *)(uintptr_t)chosen, block->first) -
           chosen_from(block, (const unsigned char *)(uintptr_t)chosen, block->first + count);
}

/* The amount after this number of the block's instructions has been executed. */
static int64_t amount_for(const struct atomc_early_block *block, const struct atomc_early_amount *amount,
                          uint64_t count, const int64_t *records) {
    enum { LENGTHS = 3 };
    const struct command_instruction *at = (const struct command_instruction *)(uintptr_t)amount->code;
    const int64_t lengths[LENGTHS] = {(int64_t)count, chosen_before(block, amount->loads, count),
                                      chosen_before(block, amount->stores, count)};
    int64_t stack[COMMAND_MOST_DEPTH], *top = stack, a, b;
    for (const struct command_instruction *end = at + amount->code_count; at < end; at++) {
        switch (at->op) {
        case COMMAND_CONSTANT:
            *top++ = (int64_t)at->operand;
            break;
        case COMMAND_ARGUMENT:
            *top++ = at->operand < LENGTHS ? lengths[at->operand]
                                           : records[amount->record - 1 + at->operand - LENGTHS];
            break;
        case COMMAND_CONDITIONAL:
            top -= 2;
            top[-1] = top[-1] ? top[0] : top[1];
            break;
#define OPERATOR(id, word, level, operands, kind, limit, value)                                              \
    case COMMAND_OPERATOR + PLAN_OP_##id: {                                                                  \
        b = (operands) == 2 ? *--top : 0;                                                                    \
        a = top[-1];                                                                                         \
        uint64_t x = (uint64_t)a, y = (uint64_t)b;                                                           \
        (void)x, (void)y;                                                                                    \
        top[-1] = (int64_t)(value);                                                                          \
        break;                                                                                               \
    }
#include "plan/operators.def"
#undef OPERATOR
        }
    }
    return top[-1];
}

/* The block with sums made at its beginning whose range contains the address; NULL if there is none, or if
   no sum has been made yet. */
static const struct atomc_early_block *early_block_at(const struct atomc_image *image, uint64_t pc) {
    const struct atomc_early_block *blocks = (const struct atomc_early_block *)(uintptr_t)image->early_blocks;
    const uint64_t after = FIRST_NOT(0, image->early_block_count, at, blocks[at].begin <= pc);
    return after > 0 && pc < blocks[after - 1].end ? &blocks[after - 1] : NULL;
}

int atomc_in_same_block(const struct atomc_image *image, uint64_t pc, uint64_t other) {
    const struct atomc_early_block *block = early_block_at(image, pc);
    return block && early_block_at(image, other) == block;
}

/* The sum's cell; NULL if it has not been made. */
static uint64_t *cell_of_sum(const struct atomc_image *image, const struct atomc_early_sum *sum,
                             const int64_t *records) {
    uint64_t *cell = (uint64_t *)(uintptr_t)image->cells + sum->cell;
    const struct command_buckets *buckets = (const struct command_buckets *)(uintptr_t)sum->buckets;
    if (!sum->record)
        return cell;
    uint64_t number = (uint64_t)records[sum->record - 1];
    if (sum->cell_count == 0)
        return records[sum->record - 1] == ATOMC_NO_RECORD ? NULL : (uint64_t *)(uintptr_t)number;
    if (number >= sum->cell_count)
        return NULL;
    return cell +
           (buckets ? number * buckets->count + atomc_bucket_of(buckets, records[sum->record]) : number);
}

/* The part of the sum for the instructions from this one on. */
static int64_t amount_from(const struct atomc_early_block *block, const struct atomc_early_sum *sum,
                           uint64_t instruction, const int64_t *records) {
    const struct atomc_early_amount *amount = (const struct atomc_early_amount *)(uintptr_t)sum->amount;
    const unsigned char *chosen = (const unsigned char *)(uintptr_t)sum->chosen;
    if (!amount)
        return (int64_t)((uint64_t)sum->each * (uint64_t)chosen_from(block, chosen, instruction));
    return (int64_t)((uint64_t)amount_for(block, amount, block->count, records) -
                     (uint64_t)amount_for(block, amount, instruction - block->first, records));
}

/* The state of a program that is interrupted in a block with sums made at its beginning. */
struct early_stop {
    const struct atomc_early_block *block;
    const struct atomc_early_sum *sums, *end; /* the sums that have been made */
    uint64_t after;                           /* the first instruction that has not been executed */
};

static int find_early_stop(const struct atomc_image *image, uint64_t pc, int fault, struct early_stop *stop) {
    const struct atomc_early_sum *sums = (const struct atomc_early_sum *)(uintptr_t)image->early_sums;
    stop->block = early_block_at(image, pc);
    if (!stop->block)
        return 0;
    const uint64_t first = stop->block->sum, end = stop->block[1].sum;
    stop->after = instruction_at(image, stop->block->first, stop->block->count, pc) + (fault ? 1 : 0);
    stop->sums = sums + first;
    stop->end = sums + FIRST_NOT(first, end, at, sums[at].address <= pc);
    return 1;
}

/* Subtracts from sums the part after the interruption. */
static void note_early(const struct atomc_image *image, uint64_t pc, int fault, int times,
                       const int64_t *records) {
    struct early_stop stop;
    if (!find_early_stop(image, pc, fault, &stop))
        return;
    for (const struct atomc_early_sum *sum = stop.sums; sum < stop.end; sum++) {
        uint64_t *cell = cell_of_sum(image, sum, records);
        if (cell)
            __sync_fetch_and_add(cell, -(uint64_t)times *
                                           (uint64_t)amount_from(stop.block, sum, stop.after, records));
    }
}

void atomc_renew_cells(const struct atomc_image *image, uint64_t pc, int fault, int64_t *records) {
    struct early_stop stop;
    if (!find_early_stop(image, pc, fault, &stop))
        return;
    for (const struct atomc_early_sum *sum = stop.sums; sum < stop.end; sum++) {
        int64_t *record = sum->record && sum->cell_count == 0 ? &records[sum->record - 1] : NULL;
        if (record && *record != ATOMC_NO_RECORD && amount_from(stop.block, sum, stop.after, records) != 0)
            *record = (intptr_t)atomc_cell_since_fork((int64_t *)(intptr_t)*record);
    }
}

void atomc_note_stop(const struct atomc_image *image, uint64_t pc, enum atomc_stop stop, int times,
                     const long *registers, const int64_t *records) {
    uint64_t word = (pc - image->copies) / 4;
    note_early(image, pc, stop != ATOMC_STOP_BEFORE, times, records);
    if (pc < image->copies || word >= stop_count)
        return;
    note_held(image, pc, times, registers);
    __sync_fetch_and_add(&stops[word][stop], times);
    has_stopped = 1;
}

/* ---- streams -------------------------------------------------------------------------------------------- */

struct stream {
    const uint8_t *at, *end;
};

static uint64_t read_unsigned(struct stream *stream) {
    uint64_t value = 0;
    for (int shift = 0; stream->at < stream->end; shift += 7) {
        uint8_t byte = *stream->at++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            break;
    }
    return value;
}

static int64_t read_signed(struct stream *stream) {
    uint64_t value = read_unsigned(stream);
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

/* ---- lost executions ------------------------------------------------------------------------------------ */

struct loss {
    uint64_t node;
    int64_t times;
    uint64_t first, count; /* the block's instructions */
    uint64_t last;         /* the instruction executed last, or the instruction that faulted: */
    int is_fault;
};
static struct loss *losses;
static uint64_t loss_count, loss_capacity;

struct count_range {
    uint64_t address, flags, node, cell, first, count;
};

/* Reads the next range; fields that it does not have keep their values. Returns false at the end. */
static int next_range(struct stream *stream, struct count_range *range) {
    if (stream->at == stream->end)
        return 0;
    uint64_t word = read_unsigned(stream);
    range->address += 4 * (word >> ATOMC_RANGE_FLAGS);
    range->flags = word & ((1 << ATOMC_RANGE_FLAGS) - 1);
    if (range->flags & ATOMC_RANGE_NODE)
        range->node += read_signed(stream);
    if (range->flags & ATOMC_RANGE_COUNT)
        range->cell += read_signed(stream);
    if (range->flags & ATOMC_RANGE_BLOCK) {
        range->first += read_signed(stream);
        range->count = read_unsigned(stream);
    }
    return 1;
}

static void add_loss(const struct atomc_image *image, const struct count_range *range, uint64_t address,
                     enum atomc_stop stop, int64_t times) {
    if (range->flags & ATOMC_RANGE_COUNT)
        ((int64_t *)(uintptr_t)image->cells)[range->cell] += times;
    if (!(range->flags & ATOMC_RANGE_NODE))
        return;
    if (loss_count == loss_capacity) {
        loss_capacity = 2 * loss_capacity + 16;
        struct loss *more = realloc(losses, loss_capacity * sizeof *losses);
        if (!more)
            abort();
        losses = more;
    }
    struct loss *loss = &losses[loss_count++];
    *loss = (struct loss){.node = range->node, .times = times};
    if (range->node & 1) { /* in the block */
        loss->first = range->first;
        loss->count = range->count;
        loss->last =
            instruction_at(image, range->first, range->count, address) - (stop == ATOMC_STOP_BEFORE ? 1 : 0);
        loss->is_fault = stop == ATOMC_STOP_FAULT;
    }
}

static void find_losses(const struct atomc_image *image) {
    const uint8_t *begin = (const uint8_t *)(uintptr_t)image->ranges;
    struct stream stream = {begin, begin + image->ranges_size};
    struct count_range next = {.address = image->copies}, here = {0}, before = {0};
    int more = next_range(&stream, &next);
    for (uint64_t word = 0; word < stop_count; word++) {
        uint64_t address = image->copies + 4 * word;
        for (; more && next.address <= address; more = next_range(&stream, &next)) {
            before = here;
            here = next;
        }
        for (int stop = 0; stop < ATOMC_STOPS; stop++) {
            if (!stops[word][stop])
                continue;
            int boundary =
                here.flags & ATOMC_RANGE_BOUNDARY && here.address == address && stop == ATOMC_STOP_BEFORE;
            add_loss(image, boundary ? &before : &here, address, (enum atomc_stop)stop, stops[word][stop]);
        }
    }
}

/* ---- effects of values ------------------------------------------------------------------------------------ */

/* The values, and the procedure that is being settled. */
struct settling {
    const struct atomc_image *image;
    uint64_t *cells, *derived;             /* for all procedures */
    const struct atomc_counted *procedure; /* the procedure that is being settled */
    uint64_t *changed;                     /* a bit for each derived value that may not be 0 */
    uint64_t *touched;                     /* atomc_touched */
};
uint64_t *atomc_touched;

static int64_t lost_at(uint64_t node) {
    int64_t sum = 0;
    for (uint64_t i = 0; i < loss_count; i++)
        if (losses[i].node == node)
            sum += losses[i].times;
    return sum;
}

/* Executions of the block that ended before they reached the instruction. With `after`, executions that ended
   before they passed the preceding instruction. */
static int64_t lost_before(uint64_t instruction, int after) {
    int64_t sum = 0;
    for (uint64_t i = 0; i < loss_count; i++)
        if (losses[i].count && instruction > losses[i].last + (after && !losses[i].is_fault ? 1 : 0) &&
            instruction > losses[i].first && instruction <= losses[i].first + losses[i].count)
            sum += losses[i].times;
    return sum;
}

/* A procedure's words, of 16 or 32 bits. All functions that read them are compiled for both widths, and for
   both kinds of values. */
#define EACH_WIDTH static inline __attribute__((always_inline))

EACH_WIDTH uint32_t next_word(const char **at, int wide) {
    uint32_t word = wide ? *(const uint32_t *)*at : *(const uint16_t *)*at;
    *at += wide ? 4 : 2;
    return word;
}

/* Executions that ended early did not execute some instructions of the block: the sum of their numbers.
   `chosen`: a bit for each instruction that counts, in words of 16 or 32 bits; NULL: all instructions
   count. */
static int64_t lost_behind(uint64_t first, const char *chosen) {
    int64_t sum = 0;
    for (uint64_t i = 0; i < loss_count; i++) {
        const struct loss *loss = &losses[i];
        for (uint64_t k = loss->last + 1; loss->count && loss->first == first && k < first + loss->count; k++)
            if (!chosen || (unsigned char)chosen[(k - first) / 8] >> (k - first) % 8 & 1)
                sum += loss->times;
    }
    return sum;
}

/* The surplus of a FAR effect, whose words are `words`: for executions that did not reach its instruction.
   Rarely called. */
static __attribute__((noinline)) uint64_t lost_of(const struct settling *settling, const char *words,
                                                  int wide, uint32_t flags, uint64_t amount) {
    uint64_t instruction = settling->procedure->instruction + next_word(&words, wide);
    uint64_t each = 1;
    if (!(flags & ATOMC_WITH_LENGTH))
        return amount * (uint64_t)lost_before(instruction, flags & ATOMC_BEHIND);
    if (flags & ATOMC_WITH_FACTOR) {
        uint32_t word = next_word(&words, wide);
        each = (uint64_t)(wide ? (int32_t)word : (int16_t)word);
    }
    if (flags & ATOMC_WITH_CHOICE)
        next_word(&words, wide);
    return each * (uint64_t)lost_behind(instruction, flags & ATOMC_WITH_CHOICE ? words : 0);
}

static inline void change_derived(const struct settling *settling, uint64_t number, uint64_t amount) {
    settling->derived[number] += amount;
    settling->changed[number / 64] |= UINT64_C(1) << number % 64;
}

static inline void change_cell(const struct settling *settling, uint64_t number, uint64_t amount) {
    settling->cells[number] += amount;
    settling->touched[number / ATOMC_TOUCHED_CELLS] = 1;
}

/* Applies the words after an ATOMC_FAR. */
EACH_WIDTH void add_far(const struct settling *settling, const char **at, int wide, uint32_t flags,
                        uint64_t times) {
    uint32_t target = next_word(at, wide);
    uint64_t amount = 1, lost = 0;
    if (!wide)
        target |= next_word(at, wide) << 16;
    if (flags & ATOMC_WITH_AMOUNT) {
        uint32_t word = next_word(at, wide);
        amount = (uint64_t)(wide ? (int32_t)word : (int16_t)word);
    }
    if (flags & (ATOMC_WITH_INSTRUCTION | ATOMC_WITH_LENGTH)) {
        const char *words = *at;
        *at += (wide ? 4 : 2) * (flags & ATOMC_WITH_FACTOR ? 2 : 1);
        if (flags & ATOMC_WITH_CHOICE) {
            uint32_t chosen = next_word(at, wide);
            *at += chosen * (wide ? 4 : 2);
        }
        if (loss_count)
            lost = lost_of(settling, words, wide, flags, amount);
    }
    if (!(flags & ATOMC_TO_VALUE)) {
        change_cell(settling, target, amount * times - lost);
    } else if (target != UINT32_MAX) {
        change_derived(settling, target, amount * times - lost);
    }
}

/* `derived`: the number of the procedure's first derived value; `cell`: that of its first cell. */
EACH_WIDTH void add_effects(const struct settling *settling, const char *at, const char *end, int wide,
                            uint64_t derived, uint64_t cell, uint64_t times) {
    while (at < end) {
        const uint64_t word = next_word(&at, wide), number = word >> ATOMC_EFFECT_BITS;
        if (!(word & 1)) {
            if (word & ATOMC_COUNT)
                change_cell(settling, cell + number, times);
            else
                change_derived(settling, derived + number, times);
        } else if (!(word & 2)) {
            change_derived(settling, derived + number, -times);
        } else if (number & ATOMC_NEAR_CELL) {
            const int64_t amount = (int16_t)word >> (ATOMC_EFFECT_BITS + ATOMC_AMOUNT_SHIFT);
            change_cell(settling, cell + next_word(&at, wide), (uint64_t)amount * times);
        } else {
            add_far(settling, &at, wide, (uint32_t)number, times);
        }
    }
}
_Static_assert(ATOMC_SUBTRACT == 1 && ATOMC_FAR == 3 && ATOMC_ADD == 0 && ATOMC_COUNT == 2,
               "add_effects looks at the bits");

/* ---- all values ------------------------------------------------------------------------------------------- */

/* The first value in [this one, `end`) that may have to be settled: a counted value that is not 0, or a
   derived value that was changed. `end` if there is none. */
EACH_WIDTH uint64_t next_value(const struct settling *settling, const uint64_t *values, int derived,
                               uint64_t i, uint64_t end) {
    if (loss_count)
        return i;
    return derived ? atomc_next_bit(settling->changed, i, end) : atomc_next_nonzero(values, i, end);
}

/* The last procedure, from `here` on, whose first value has a number of at most `i`. The condition holds for
   `here`.
 */
EACH_WIDTH const struct atomc_counted *
procedure_of(const struct atomc_counted *here, const struct atomc_counted *last, int derived, uint64_t i) {
    int64_t step = 1;
#define IS_THERE(at) ((at) <= last && (derived ? (at)->derived : (at)->counted) <= i)
    for (; IS_THERE(here + step); step *= 2) /* the procedure is often near */
        here += step;
    for (step /= 2; step > 0; step /= 2)
        if (IS_THERE(here + step))
            here += step;
#undef IS_THERE
    return here;
}

/* Settles the procedure's values, counted or derived ones, from `first`, which has to be settled, to `end`.
   Returns the next value, of a later procedure, that has to be settled. */
EACH_WIDTH uint64_t settle_procedure(const struct settling *settling, int wide, int derived, uint64_t first,
                                     uint64_t end) {
    const struct atomc_counted *here = settling->procedure;
    const uint64_t bytes = wide ? 4 : 2, counted = here[1].counted - here->counted;
    uint64_t *values = derived ? settling->derived : settling->cells + settling->image->first_value;
    uint64_t after = derived ? here[1].derived : here[1].counted;
    const char *index = (const char *)(uintptr_t)(settling->image->effects + here->effects) - wide;
    const char *words = index + (counted + here[1].derived - here->derived + 1) * bytes;
    index += (derived ? counted - here->derived : -(uint64_t)here->counted) * bytes;
    if (after > end)
        after = end;
    uint64_t i = first;
    do {
        const char *entry = index + i * bytes, *at = words, *at_end = words;
        at += next_word(&entry, wide) * bytes;
        at_end += next_word(&entry, wide) * bytes;
        if (derived) {
            uint32_t node = next_word(&at, wide);
            if (loss_count && node) {
                uint64_t lost = (uint64_t)lost_at(2 * here->block + node / 2 - 1);
                values[i] += node & 1 ? -lost : lost;
            }
        }
        add_effects(settling, at, at_end, wide, here->derived, here->cell, values[i]);
        i++;
        if (i < after && (derived || values[i] == 0))
            i = next_value(settling, values, derived, i, after);
    } while (i < after);
    return next_value(settling, values, derived, i, end);
}

/* Settles the first `count` values, counted or derived ones. A derived value changes only later ones. */
EACH_WIDTH void settle_values(struct settling *settling, int derived, uint64_t count) {
    const struct atomc_counted *here = (const struct atomc_counted *)(uintptr_t)settling->image->counted;
    const struct atomc_counted *last = here + settling->image->counted_count - 1;
    const uint64_t *values = derived ? settling->derived : settling->cells + settling->image->first_value;
    for (uint64_t i = next_value(settling, values, derived, 0, count); i < count;) {
        here = procedure_of(here, last, derived, i);
        settling->procedure = here;
        if (here->effects & ATOMC_WIDE)
            i = settle_procedure(settling, 1, derived, i, count);
        else
            i = settle_procedure(settling, 0, derived, i, count);
    }
}

/* The first cell after the cells that settling may change. */
static uint64_t count_settled_cells(const struct atomc_image *image) {
    uint64_t count = image->first_value > image->cell_count ? image->first_value : image->cell_count;
    const struct atomc_sum *sums = (const struct atomc_sum *)(uintptr_t)image->sums;
    for (uint64_t i = 0; i < image->sum_count; i++)
        if (sums[i].cell >= count)
            count = sums[i].cell + 1;
    return count;
}

/* Returns false if memory is exhausted. */
static int prepare_touched(const struct atomc_image *image) {
    const uint32_t *unsettled = (const uint32_t *)(uintptr_t)image->unsettled;
    const uint64_t *cells = (const uint64_t *)(uintptr_t)image->cells;
    if (!atomc_touched)
        atomc_touched = calloc(count_settled_cells(image) / ATOMC_TOUCHED_CELLS + 1, sizeof *atomc_touched);
    for (uint64_t i = 0; atomc_touched && i < image->unsettled_count; i++)
        if (cells[unsettled[i]] != 0)
            atomc_touched[unsettled[i] / ATOMC_TOUCHED_CELLS] = 1;
    return atomc_touched != NULL;
}

/* Adds the counts of each thread. The thread's own cells keep them. */
static void add_thread_counts(const struct atomc_image *image) {
    uint64_t *values = (uint64_t *)(uintptr_t)image->cells + image->first_value;
    for (uint64_t i = 0; i < image->thread_area_count; i++) {
        const uint64_t *own =
            (const uint64_t *)(uintptr_t)(image->thread_areas + i * image->thread_area_size);
        for (uint64_t k = atomc_next_nonzero(own, 0, image->thread_values); k < image->thread_values;
             k = atomc_next_nonzero(own, k + 1, image->thread_values))
            values[k] += own[k];
    }
}

void atomc_settle_counts(const struct atomc_image *image) {
    if (!image->counted || is_settled)
        return;
    is_settled = 1;
    add_thread_counts(image);
    if (has_stopped)
        find_losses(image);
    const struct atomc_counted *end =
        (const struct atomc_counted *)(uintptr_t)image->counted + image->counted_count;
    struct settling settling = {.image = image,
                                .cells = (uint64_t *)(uintptr_t)image->cells,
                                .changed = calloc(end->derived / 64 + 1, sizeof *settling.changed)};
    if (!settling.changed || !prepare_touched(image))
        abort();
    settling.touched = atomc_touched;
    settling.derived = settling.cells + image->first_value + end->counted;
    settle_values(&settling, 0, end->counted);
    settle_values(&settling, 1, end->derived);
    free(settling.changed);
}

uint64_t *atomc_settled_copy(const struct atomc_image *image) {
    uint64_t count = count_settled_cells(image);
    if (image->counted) {
        const struct atomc_counted *end =
            (const struct atomc_counted *)(uintptr_t)image->counted + image->counted_count;
        uint64_t values_end = image->first_value + end->counted + end->derived;
        count = values_end > count ? values_end : count;
    }
    struct atomc_image settled = *image;
    uint64_t *copy = malloc((count + 1) * sizeof *copy);
    if (!copy)
        return NULL;
    memcpy(copy, (const void *)(uintptr_t)image->cells, count * sizeof *copy);
    settled.cells = (uintptr_t)copy;
    atomc_settle_counts(&settled);
    is_settled = 0;
    loss_count = 0;
    return copy;
}
