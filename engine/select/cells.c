/* cells.c: the cells that updates and expressions of a plan refer to in one program. Requires the layout of
   all cells (lay_out_cells); reports static numbers without a cell. */
#include "engine/select/internal.h"

const struct site_cell *make_cell(const struct selection *selection, const struct expansion *expansion,
                                  uint32_t number) {
    const struct plan_counter *counter = &selection->plan->counters[number];
    const uint64_t *bases = &expansion->cell_bases[number];
    struct site_cell cell = {.counter = number,
                             .base = bases[0],
                             .count = (uint32_t)(bases[1] - bases[0]),
                             .initial = plan_initial(counter),
                             .unset_is_zero = plan_initial_means_zero(counter)};
    return sites_share(expansion->sites, &cell, sizeof cell);
}

static void report_cell_range(struct selection *selection, const struct plan_counter *counter,
                              const struct source_span *where, int64_t number, uint32_t count) {
    if (!selection->failed) {
        diagnose(selection->diagnostics, where, MESSAGE_CELL_RANGE,
                 counter->kind == PLAN_HISTOGRAM ? "histogram" : "counter", counter->name, (long long)number);
        diagnose_hint(selection->diagnostics, "it has %u in this program", count);
    }
    selection->failed = true;
}

void check_read(struct selection *selection, const struct plan_expression *expression,
                const struct site_expression *made) {
    const struct plan_counter *counter = &selection->plan->counters[expression->counter];
    const struct site_expression *number = made->operand[0];
    if (counter->size && number->op == PLAN_OP_INTEGER &&
        (uint64_t)number->leaf.constant >= made->cell->count)
        report_cell_range(selection, counter, &expression->operand[0]->where, number->leaf.constant,
                          made->cell->count);
}

uint64_t settled_cell(struct selection *selection, const struct site_action *action,
                      const struct source_span *where, int64_t number) {
    if ((uint64_t)number < action->cell_count)
        return (uint64_t)number * (action->buckets ? action->buckets->count : 1);
    report_cell_range(selection, &selection->plan->counters[action->counter], where, number,
                      action->cell_count);
    return 0;
}
