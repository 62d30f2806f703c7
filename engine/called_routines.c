/* called_routines.c: which of the plan's routines sites call by an adapted copy, and calls of them.
   Requires the routines' addresses and summaries. */
#include "engine/routine_copy.h"

#include <stdlib.h>

#define BIT(r) (UINT64_C(1) << (r))

void called_routines_create(struct rewrite *rewrite) {
    rewrite->called = allocate_zeroed(rewrite->plan->routine_count + 1, sizeof *rewrite->called);
}

void called_routines_destroy(struct rewrite *rewrite) {
    for (uint32_t r = 0; rewrite->called && r < rewrite->plan->routine_count; r++) {

        routine_copy_free(&rewrite->called[r].copy);
        free(rewrite->called[r].places);
    }
    free(rewrite->called);
}

void called_routines_start(struct rewrite *rewrite) {
    for (uint32_t r = 0; r < rewrite->plan->routine_count; r++)
        rewrite->called[r].address = 0;
}

static bool replaces(const struct rewrite *rewrite, uint32_t routine) {
    for (uint32_t i = 0; i < rewrite->sites->replacement_count; i++)
        if (rewrite->sites->replacements[i].routine == routine)
            return true;
    return false;
}

/* Registers that all calls with the most arguments change. */
static alpha_register_set arguments_of(const struct rewrite *rewrite, uint32_t routine) {
    const struct plan_routine *described = &rewrite->plan->routines[routine];
    alpha_register_set set = 0;
    for (uint32_t i = 0; i < rewrite->routine_arguments[routine] && i < 6; i++) {
        bool floating = i < described->parameter_count && (described->parameters[i].type == PLAN_C_DOUBLE ||
                                                           described->parameters[i].type == PLAN_C_FLOAT);
        set |= BIT(ALPHA_A0 + i + (floating ? 32 : 0));
    }
    return set;
}

static void make(const struct rewrite *rewrite, uint32_t routine) {
    struct called_routine *called = &rewrite->called[routine];
    struct routine_copy *copy = &called->copy;
    bool delays = !rewrite->options->no_delay, renames = !rewrite->options->no_renaming;
    called->made = true;
    called->summary = rewrite->summaries[routine];
    copy->analysis = rewrite->analysis;
    copy->address_table = rewrite->address_table;
    copy->address_table_end = rewrite->address_table_end;
    copy->entry = rewrite->routine_addresses[routine];
    copy->arguments = rewrite->routine_arguments[routine];
    copy->arguments_set = arguments_of(rewrite, routine);
    copy->reason = !delays && !renames          ? COPY_NOT_ASKED
                   : replaces(rewrite, routine) ? COPY_REPLACES
                                                : COPY_NONE;
    if (copy->reason == COPY_NONE)
        routine_copy_make(copy, delays, renames);
    called->copied = copy->reason == COPY_NONE && (renames || copy->delayed > 0);
    if (called->copied)
        called->summary = copy->summary;
}

const struct called_routine *routine_called(const struct rewrite *rewrite, uint32_t routine) {
    if (!rewrite->called[routine].made)
        make(rewrite, routine);
    return &rewrite->called[routine];
}

const struct called_routine *routine_copy_behind(const struct rewrite *rewrite, uint32_t address) {
    const struct called_routine *next = NULL;
    for (uint32_t r = 0; r < rewrite->plan->routine_count; r++) {
        const struct called_routine *called = &rewrite->called[r];
        if (called->address > address && (!next || called->address < next->address))
            next = called;
    }
    return next;
}

void routine_place(struct rewrite *rewrite, uint32_t routine) {
    const struct called_routine *called = routine_called(rewrite, routine);
    if (!called->copied || called->address != 0)
        return;
    routine_copy_emit(rewrite, &rewrite->called[routine]);
    VECTOR_RESERVE(rewrite->symbols, rewrite->symbol_count, rewrite->symbol_capacity);
    rewrite->symbols[rewrite->symbol_count++] = (struct code_symbol){
        .name = arena_format(rewrite->arena, "atomc.routine.%s", rewrite->plan->routines[routine].name),
        .address = called->address,
        .size = called->end - called->address};
}

void emit_near_call(struct code *code, uint32_t address) {
    int64_t distance = ((int64_t)address - (int64_t)code_address(code) - 4) / 4;
    if (alpha_branch_reaches(distance)) {
        emit(code, alpha_branch(ALPHA_BSR, ALPHA_RA, distance));
    } else {
        emit_address(code, address, ALPHA_RA);
        emit(code, alpha_jump(ALPHA_JSR, ALPHA_RA, ALPHA_RA, 0));
    }
}

void routine_emit_call(struct rewrite *rewrite, struct code *code, uint32_t routine) {
    const struct called_routine *called = &rewrite->called[routine];
    if (called->copied) {
        emit_near_call(code, called->address);
    } else {
        emit_address(code, (uint32_t)rewrite->routine_addresses[routine], ALPHA_PV);
        emit(code, alpha_jump(ALPHA_JSR, ALPHA_RA, ALPHA_PV, 0));
    }
}

const char *routine_copy_text(const struct rewrite *rewrite, uint32_t routine) {
    const struct called_routine *called = &rewrite->called[routine];
    if (!called->made || called->copy.reason == COPY_NOT_ASKED)
        return NULL;
    if (called->copy.reason != COPY_NONE)
        return arena_format(rewrite->arena, "%s as it is: it %s", rewrite->plan->routines[routine].name,
                            copy_reasons[called->copy.reason]);
    const char *why = called->copy.delayed == 0 && called->copy.delay_reason != COPY_NONE
                          ? arena_format(rewrite->arena, ": it %s", copy_reasons[called->copy.delay_reason])
                          : "";
    return arena_format(rewrite->arena, "%s with %u delayed calls%s; changes %d registers, %u fewer",
                        rewrite->plan->routines[routine].name, called->copy.delayed, why,
                        __builtin_popcountll(called->summary.written), called->copy.renamed);
}
