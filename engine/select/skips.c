/* skips.c: calls that could not be made are counted by statement and reason, and reported: nothing is skipped
   silently. Requires sites; called in every round, the last of which counts. */
#include <inttypes.h>

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

void rewrite_skip(struct rewrite *rewrite, enum skip_reason reason, const struct site *site,
                  uint32_t instruction) {
    struct rewrite_statistics *statistics = &rewrite->statistics;
    if (statistics->calls_skipped[reason]++ == 0)
        statistics->skip_example[reason] = instruction;
    for (uint32_t i = 0; i < rewrite->skip_count; i++)
        if (rewrite->skips[i].statement == site->statement && rewrite->skips[i].reason == reason) {
            rewrite->skips[i].count++;
            return;
        }
    VECTOR_RESERVE(rewrite->skips, rewrite->skip_count, rewrite->skip_capacity);
    rewrite->skips[rewrite->skip_count++] =
        (struct skip){.statement = site->statement, .reason = reason, .example = instruction, .count = 1};
}

static const struct source_span *span_of(const struct plan *plan, uint32_t statement) {
    for (uint32_t i = 0; i < plan->action_count; i++)
        if (plan->actions[i].statement == statement)
            return &plan->actions[i].where;
    return NULL;
}

void skips_report(const struct rewrite *rewrite) {
    for (uint32_t i = 0; i < rewrite->skip_count; i++) {
        const struct skip *skip = &rewrite->skips[i];
        if (!skip_loses[skip->reason])
            continue;
        diagnose(rewrite->diagnostics, span_of(rewrite->plan, skip->statement),
                 rewrite->options->strict ? MESSAGE_SKIPPED_STRICT : MESSAGE_SKIPPED,
                 (unsigned long long)skip->count, skip_texts[skip->reason],
                 (unsigned long long)instruction_address(rewrite->program, skip->example));
    }
}
