/* skips.c: calls that could not be made are counted by statement and reason, and reported: no call is skipped
   silently. Requires sites; called in every round: the result of the last round is used. */
#include <inttypes.h>
#include <string.h>

#include "engine/select/internal.h"
#include "engine/object/object.h"
#include "engine/rewrite.h"

const char *const skip_texts[SKIP_COUNT] = {
#define SKIP(id, lost, text) text,
#include "engine/select/skips.def"
#undef SKIP
};

static const bool skip_loses[SKIP_COUNT] = {
#define SKIP(id, lost, text) lost,
#include "engine/select/skips.def"
#undef SKIP
};

void skips_start(struct rewrite *rewrite) {
    struct skips *skips = &rewrite->sites->skipped;
    skips->count = 0;
    memset(skips->calls, 0, sizeof skips->calls);
}

void skips_of_selection(struct rewrite *rewrite) {
    for (uint32_t i = 0; i < rewrite->sites->skip_count; i++) {
        const struct site_skip *skip = &rewrite->sites->skips[i];
        struct site_action action = {.statement = skip->statement};
        struct site site = {.action = &action};
        for (uint32_t k = 0; k < skip->count; k++)
            rewrite_skip(rewrite, skip->reason, &site, skip->instruction);
    }
}

void rewrite_skip(struct rewrite *rewrite, enum skip_reason reason, const struct site *site,
                  uint32_t instruction) {
    struct skips *skips = &rewrite->sites->skipped;
    if (site->notes)
        return;
    if (skips->calls[reason]++ == 0)
        skips->example[reason] = instruction;
    for (uint32_t i = 0; i < skips->count; i++)
        if (skips->list[i].statement == site->action->statement && skips->list[i].reason == reason) {
            skips->list[i].count++;
            return;
        }
    ARENA_RESERVE(rewrite->sites->arena, skips->list, skips->count, skips->capacity);
    skips->list[skips->count++] = (struct skip){
        .statement = site->action->statement, .reason = reason, .example = instruction, .count = 1};
}

static const struct source_span *statement_span(const struct plan *plan, uint32_t statement) {
    for (uint32_t i = 0; i < plan->action_count; i++)
        if (plan->actions[i].statement == statement)
            return &plan->actions[i].where;
    return NULL;
}

void skips_report(const struct rewrite *rewrite) {
    const struct skips *skips = &rewrite->sites->skipped;
    for (uint32_t i = 0; i < skips->count; i++) {
        const struct skip *skip = &skips->list[i];
        if (!skip_loses[skip->reason])
            continue;
        diagnose(rewrite->diagnostics, statement_span(rewrite->plan, skip->statement),
                 rewrite->options->strict ? MESSAGE_SKIPPED_STRICT : MESSAGE_SKIPPED,
                 (unsigned long long)skip->count, skip_texts[skip->reason],
                 (unsigned long long)instruction_address(rewrite->program, skip->example));
    }
}

void skips_print(const struct rewrite *rewrite, FILE *stream) {
    const struct skips *skips = &rewrite->sites->skipped;
    for (uint32_t i = 0; i < skips->count; i++)
        fprintf(stream, "statement %u: %" PRIu64 " %s (first at 0x%" PRIx64 ")\n", skips->list[i].statement,
                skips->list[i].count, skip_texts[skips->list[i].reason],
                instruction_address(rewrite->program, skips->list[i].example));
}
