/* counting.c: derives counts when the program ends. Requires the equations and ranges of interface.h.

   Control leaves each part of a procedure as often as it enters it. The exception is a program that was
   interrupted and never resumed: by a signal that ended it, or whose handler jumped away. Each interruption
   is noted, and the note is removed when the handler returns. The notes left at the end are accounted for. */
#include <stdio.h>
#include <stdlib.h>

#include "counting.h"

/* For each word of the copies, how often the program stopped there: asynchronously, and by a fault. */
static int (*stops)[2];
static uint64_t stop_count; /* words */
static int has_stopped, is_settled;

void atomc_prepare_counts(const struct atomc_image *image) {
    if (!image->equations)
        return;
    stop_count = (image->copies_end - image->copies) / 4;
    stops = calloc(stop_count + 1, sizeof *stops); /* zero pages until one is needed */
    if (!stops)
        stop_count = 0;
}

/* While the program is stopped, promoted counters are added to their cells. */
static void note_held(const struct atomc_image *image, uint64_t pc, int times, const long *registers) {
    const struct atomc_promoted *promoted = (const struct atomc_promoted *)(uintptr_t)image->promoted;
    const struct atomc_promoted_set *sets =
        (const struct atomc_promoted_set *)(uintptr_t)image->promoted_sets;
    uint64_t *cells = (uint64_t *)(uintptr_t)image->cells, low = 0, high = image->promoted_count;
    while (low < high) { /* the first one after pc */
        uint64_t middle = low + (high - low) / 2;
        if (promoted[middle].address <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint32_t set = low > 0 ? promoted[low - 1].set : 0; set; set = sets[set].parent)
        __sync_fetch_and_add(&cells[sets[set].cell], (uint64_t)times * (uint64_t)registers[sets[set].reg]);
}

void atomc_note_stop(const struct atomc_image *image, uint64_t pc, int fault, int times,
                     const long *registers) {
    uint64_t word = (pc - image->copies) / 4;
    if (pc < image->copies || word >= stop_count)
        return;
    note_held(image, pc, times, registers);
    __sync_fetch_and_add(&stops[word][fault ? 1 : 0], times);
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
    uint64_t last;         /* the one executed last, or the one that faulted */
};
static struct loss *losses;
static uint64_t loss_count, loss_capacity;

struct count_range {
    uint64_t address, flags, node, cell, first, count;
};

/* The next range; fields that it does not have keep their values. False at the end. */
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

/* The address of the copy of an instruction that does not begin a block. */
static uint32_t copy_of(const struct atomc_image *image, uint64_t instruction) {
    const struct atomc_library *libraries = (const struct atomc_library *)(uintptr_t)image->libraries;
    if (instruction < image->text_size / 4)
        return ((const uint32_t *)(uintptr_t)image->text_map)[instruction] & ~MAP_UNFORESEEN;
    for (uint64_t k = 0; k < image->library_count; k++)
        if (instruction - libraries[k].first < libraries[k].count)
            return ((const uint32_t *)(uintptr_t)libraries[k].map)[instruction - libraries[k].first];
    return UINT32_MAX;
}

/* The instruction of the range's block whose copy, or code inserted before it, has the address. */
static uint64_t instruction_at(const struct atomc_image *image, const struct count_range *range,
                               uint64_t address) {
    uint64_t found = range->first;
    for (uint64_t i = range->first + 1; i < range->first + range->count; i++)
        if (copy_of(image, i) <= address)
            found = i;
    return found;
}

static void add_loss(const struct atomc_image *image, const struct count_range *range, uint64_t address,
                     int fault, int64_t times) {
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
        loss->last = instruction_at(image, range, address) - (fault ? 0 : 1);
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
        for (int fault = 0; fault < 2; fault++) {
            if (!stops[word][fault])
                continue;
            int boundary = here.flags & ATOMC_RANGE_BOUNDARY && here.address == address && !fault;
            add_loss(image, boundary ? &before : &here, address, fault, stops[word][fault]);
        }
    }
}

/* ---- equations ------------------------------------------------------------------------------------------ */

static int64_t lost_at(uint64_t node) {
    int64_t sum = 0;
    for (uint64_t i = 0; i < loss_count; i++)
        if (losses[i].node == node)
            sum += losses[i].times;
    return sum;
}

static void derive_values(struct stream *stream, uint64_t first_block, uint64_t counted, uint64_t derived,
                          int64_t *values) {
    for (uint64_t i = counted; i < counted + derived; i++) {
        uint64_t node = read_unsigned(stream), terms = read_unsigned(stream), sum;
        int64_t lost = lost_at(2 * first_block + node / 2 - 1);
        sum = node & 1 ? -(uint64_t)lost : (uint64_t)lost;
        for (; terms > 0; terms--) {
            uint64_t term = read_unsigned(stream), value = (uint64_t)values[term / 2];
            sum += term & 1 ? -value : value;
        }
        values[i] = (int64_t)sum;
    }
}

/* Executions of the block that ended before they reached the instruction. */
static int64_t lost_before(uint64_t instruction) {
    int64_t sum = 0;
    for (uint64_t i = 0; i < loss_count; i++)
        if (losses[i].count && instruction > losses[i].last && instruction > losses[i].first &&
            instruction <= losses[i].first + losses[i].count)
            sum += losses[i].times;
    return sum;
}

/* Values from callers' counts: complete executions of blocks. Each is computed before it is needed. */
static void read_called(struct stream *stream, uint64_t first_instruction, uint64_t called, int64_t *values) {
    for (uint64_t i = 0; i < called; i++) {
        uint64_t sum = 0;
        for (uint64_t terms = read_unsigned(stream); terms > 0; terms--) {
            sum += (uint64_t) * (values - read_unsigned(stream));
            uint64_t behind = first_instruction + (uint64_t)read_signed(stream);
            if (loss_count)
                sum -= (uint64_t)lost_before(behind);
        }
        values[i] = (int64_t)sum;
    }
}

static void make_updates(struct stream *stream, uint64_t first_instruction, const int64_t *values,
                         uint64_t *cells) {
    uint64_t cell = 0;
    for (uint64_t count = read_unsigned(stream); count > 0; count--) {
        cell += read_signed(stream);
        uint64_t times = (uint64_t)values[read_unsigned(stream)];
        uint64_t amount = (uint64_t)read_signed(stream), instruction = read_unsigned(stream);
        if (instruction && loss_count)
            times -= (uint64_t)lost_before(first_instruction + instruction - 1);
        cells[cell] += amount * times;
    }
}

static int all_zero(const int64_t *values, uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        if (values[i])
            return 0;
    return 1;
}

void atomc_settle_counts(const struct atomc_image *image) {
    int64_t *cells = (int64_t *)(uintptr_t)image->cells, *values = cells + image->first_value;
    struct stream stream = {(const uint8_t *)(uintptr_t)image->equations, (const uint8_t *)UINTPTR_MAX};
    if (!image->equations || is_settled)
        return;
    is_settled = 1;
    if (has_stopped)
        find_losses(image);
    for (uint64_t size; (size = read_unsigned(&stream));) {
        struct stream record = {stream.at, stream.at + size};
        uint64_t first_block = read_unsigned(&record), first_instruction = read_unsigned(&record);
        uint64_t called = read_unsigned(&record), known = called + read_unsigned(&record);
        uint64_t derived = read_unsigned(&record);
        read_called(&record, first_instruction, called, values);
        if (loss_count || !all_zero(values, known)) {
            derive_values(&record, first_block, known, derived, values);
            make_updates(&record, first_instruction, values, (uint64_t *)cells);
        }
        values += known + derived;
        stream.at += size;
    }
}
