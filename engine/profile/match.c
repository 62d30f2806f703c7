/* match.c: assigns a profile's rows to code of the program. A row of the same build belongs to the
   instruction at its address. A row of another build belongs to the procedure with the same name, at the same
   offset from its entry, if such an instruction exists for all of the procedure's rows. Otherwise the
   procedure has changed, and only the number of instructions that it executed is known. */
#define _GNU_SOURCE /* qsort_r */
#include <stdlib.h>
#include <string.h>

#include "engine/profile/internal.h"
#include "support/search.h"

/* Procedures by their names. */
struct names {
    const struct program *program;
    uint32_t *order;
};

struct match {
    struct program *program;
    struct profile *profile;
    const struct profile_report *report;
    struct names names;
    uint32_t groups, changed, missing;         /* procedures of the profile */
    const char *first_changed, *first_missing; /* NULL if there is none */
    /* per procedure of the program: rows with its name may belong to it */
    bool *uncertain;
};

/* ---- names ---------------------------------------------------------------------------------------------- */

static int compare_procedure_names(const void *left, const void *right, void *data) {
    const struct program *program = data;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int names = strcmp(program->procedures[a].name, program->procedures[b].name);
    return names ? names : (a > b) - (a < b);
}

static void order_names(struct names *names, const struct program *program) {
    names->program = program;
    names->order = arena_allocate(program->scratch, (program->procedure_count + 1) * sizeof *names->order);
    for (uint32_t i = 0; i < program->procedure_count; i++)
        names->order[i] = i;
    qsort_r(names->order, program->procedure_count, sizeof *names->order, compare_procedure_names,
            (void *)program);
}

/* The number of procedures with the name; they are at *first and after it in names->order. */
static uint32_t with_name(const struct names *names, const char *name, uint32_t *first) {
    const struct program *program = names->program;
    uint32_t count = 0, low = FIRST_NOT(0, program->procedure_count, at,
                                        strcmp(program->procedures[names->order[at]].name, name) < 0);
    *first = low;
    while (low + count < program->procedure_count &&
           strcmp(program->procedures[names->order[low + count]].name, name) == 0)
        count++;
    return count;
}

/* ---- places --------------------------------------------------------------------------------------------- */

/* True if a row of this kind can belong to the instruction. */
static bool is_row_place(const struct program *program, enum profile_kind kind, uint32_t instruction) {
    uint32_t block = block_at(program, instruction);
    switch (kind) {
    case PROFILE_BLOCKS:
        return program->blocks[block].first == instruction;
    case PROFILE_BRANCHES:
        return program->blocks[block].end == END_COND_BRANCH &&
               block_last(&program->blocks[block]) == instruction;
    default:
        return program->procedures[program->blocks[block].procedure].first == instruction;
    }
}

/* True if each of these rows is at a place in a procedure with its name, at its address. */
static bool all_there(const struct match *match, const struct profile_row *rows, size_t count) {
    const struct program *program = match->program;
    for (size_t i = 0; i < count; i++) {
        uint32_t at = instruction_at(program, rows[i].address);
        if (at == NO_INDEX || !is_row_place(program, match->report->kind, at) ||
            strcmp(program->procedures[procedure_at(program, at)].name, rows[i].procedure) != 0)
            return false;
    }
    return true;
}

/* True if these rows, moved by `shift` bytes, are all at places in this procedure. */
static bool all_fit(const struct match *match, uint32_t procedure, const struct profile_row *rows,
                    size_t count, uint64_t shift) {
    const struct program *program = match->program;
    for (size_t i = 0; i < count; i++) {
        uint32_t at = instruction_at(program, rows[i].address + shift);
        if (at == NO_INDEX || procedure_at(program, at) != procedure ||
            !is_row_place(program, match->report->kind, at))
            return false;
    }
    return true;
}

/* The number of bytes by which the rows must be moved to fit the procedure. Returns false if its code has
   changed. */
static bool find_shift(const struct match *match, uint32_t index, const struct profile_row *rows,
                       size_t count, uint64_t *shift) {
    const struct program *program = match->program;
    const struct procedure *procedure = &program->procedures[index];
    unsigned found = 0;
    for (uint32_t i = procedure->first; i < procedure->first + procedure->count; i++) {
        bool is_entry = i == procedure->first || i == entry_after_base(procedure);
        if (match->report->kind != PROFILE_BRANCHES && !is_entry)
            /* a procedure is entered at its first block, so an executed procedure has an executed first
               block */
            continue;
        uint64_t by = instruction_address(program, i) - rows[0].address;
        if (!all_fit(match, index, rows, count, by))
            continue;
        if (match->report->kind == PROFILE_BRANCHES && found++ > 0)
            return false; /* either is possible */
        *shift = by;
        if (match->report->kind != PROFILE_BRANCHES)
            return true;
    }
    return found == 1;
}

/* ---- counts --------------------------------------------------------------------------------------------- */

static void add_profile_count(uint64_t *sum, uint64_t count) {
    *sum = *sum == NOT_MEASURED ? count : *sum > NOT_MEASURED - 1 - count ? NOT_MEASURED - 1 : *sum + count;
}

static void add_profile_row(const struct match *match, const struct profile_row *row, uint64_t shift) {
    const struct program *program = match->program;
    struct profile *profile = match->profile;
    uint32_t at = instruction_at(program, row->address + shift), block = block_at(program, at);
    if (match->report->kind == PROFILE_BLOCKS) {
        add_profile_count(&profile->executed[block], row->counts[0]);
    } else if (match->report->kind == PROFILE_BRANCHES) {
        add_profile_count(&profile->executed[block], row->counts[0] + row->counts[1]);
        add_profile_count(&profile->taken[block], row->counts[0]);
    } else {
        add_profile_count(&profile->instructions[program->blocks[block].procedure], row->counts[0]);
    }
}

/* Adds the total of a procedure whose code has changed. */
static void add_total(const struct match *match, uint32_t procedure, const struct profile_row *rows,
                      size_t count) {
    for (size_t i = 0; i < count && match->report->kind == PROFILE_BLOCKS; i++)
        add_profile_count(&match->profile->instructions[procedure], rows[i].counts[1]);
    match->uncertain[procedure] = true;
}

static void match_group(struct match *match, const struct profile_row *rows, size_t count) {
    uint32_t first, same = with_name(&match->names, rows[0].procedure, &first);
    uint64_t shift = 0;
    bool fits = all_there(match, rows, count);
    match->groups++;
    if (!fits && same == 1) {
        uint32_t procedure = match->names.order[first];
        fits = find_shift(match, procedure, rows, count, &shift);
        if (!fits)
            add_total(match, procedure, rows, count);
    }
    for (size_t i = 0; i < count && fits; i++)
        add_profile_row(match, &rows[i], shift);
    for (uint32_t i = 0; i < same && !fits; i++)
        match->uncertain[match->names.order[first + i]] = true;
    if (fits)
        return;
    uint32_t *number = same ? &match->changed : &match->missing;
    const char **name = same ? &match->first_changed : &match->first_missing;
    *name = *name ? *name : rows[0].procedure;
    ++*number;
}

/* Procedures and blocks that the profile does not name were not executed. */
static void match_rest(const struct match *match) {
    const struct program *program = match->program;
    struct profile *profile = match->profile;
    for (uint32_t p = 0; p < program->procedure_count; p++)
        if (match->report->kind == PROFILE_PROCEDURES && !match->uncertain[p])
            add_profile_count(&profile->instructions[p], 0);
    for (uint32_t b = 0; b < program->block_count; b++) {
        bool branch = program->blocks[b].end == END_COND_BRANCH;
        if (match->uncertain[program->blocks[b].procedure])
            continue;
        if (match->report->kind == PROFILE_BLOCKS || (match->report->kind == PROFILE_BRANCHES && branch))
            add_profile_count(&profile->executed[b], 0);
        if (match->report->kind == PROFILE_BRANCHES && branch)
            add_profile_count(&profile->taken[b], 0);
    }
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static struct profile *profile_create(const struct program *program) {
    struct profile *profile = arena_allocate(program->flow, sizeof *profile);
    size_t blocks = (program->block_count + 1) * sizeof(uint64_t);
    size_t procedures = (program->procedure_count + 1) * sizeof(uint64_t);
    profile->executed = memset(arena_allocate(program->flow, blocks), 0xff, blocks);
    profile->taken = memset(arena_allocate(program->flow, blocks), 0xff, blocks);
    profile->instructions = memset(arena_allocate(program->flow, procedures), 0xff, procedures);
    return profile;
}

static bool report_match(const struct match *match, const char *path, struct diagnostics *diagnostics) {
    if (match->changed + match->missing == match->groups) {
        diagnose(diagnostics, NULL, MESSAGE_PROFILE_OTHER_PROGRAM, path, match->program->path);
        return false;
    }
    if (match->changed > 0)
        diagnose(diagnostics, NULL, MESSAGE_PROFILE_CHANGED, path, match->changed, match->groups,
                 match->first_changed);
    if (match->missing > 0)
        diagnose(diagnostics, NULL, MESSAGE_PROFILE_MISSING, path, match->missing, match->groups,
                 match->program->path, match->first_missing);
    return true;
}

bool profile_add(struct program *program, const char *path, struct diagnostics *diagnostics) {
    struct profile_report report;
    struct match match = {.program = program, .report = &report};
    /* Diagnostics quote the file, so it remains in memory as long as the program. */
    if (!profile_read(&report, path, program->arena, diagnostics))
        return false;
    struct arena_mark mark = arena_mark(program->scratch);
    if (!program->profile)
        program->profile = profile_create(program);
    match.profile = program->profile;
    match.uncertain = arena_allocate(program->scratch, program->procedure_count + 1);
    order_names(&match.names, program);
    for (size_t i = 0, end; i < report.count; i = end) {
        for (end = i + 1; end < report.count; end++)
            if (strcmp(report.rows[end].procedure, report.rows[i].procedure) != 0)
                break;
        match_group(&match, &report.rows[i], end - i);
    }
    match_rest(&match);
    arena_release(program->scratch, mark);
    return report_match(&match, path, diagnostics);
}
