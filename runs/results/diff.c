/* diff.c: atomc diff: increases and decreases from A to B, table by table. */
#include <stdlib.h>
#include <string.h>

#include "runs/results/compare.h"
#include "runs/results/results.h"

/* Reports differences in the parameters. */
static void tell_parameters(const struct request *request, struct compared_table *comparison) {
    json_t *left = parameters_of(comparison->store, &comparison->sides[0]);
    json_t *right = parameters_of(comparison->store, &comparison->sides[1]), *value;
    const char *name;
    json_object_foreach(left, name, value) {
        json_t *other = json_object_get(right, name);
        if (other && json_equal(value, other))
            continue;
        char *before = json_dumps(value, JSON_ENCODE_ANY);
        char *after = other ? json_dumps(other, JSON_ENCODE_ANY) : duplicate_string("none");
        diagnose(request->diagnostics, NULL, MESSAGE_DIFF_PARAMETER, name, before, after);
        free(before);
        free(after);
    }
    json_decref(left);
    json_decref(right);
}

/* Programs are read once for all tables. */
struct builds {
    const struct request *request;
    struct compared_table *comparison;
    struct known {
        const char *digest; /* NULL: not read yet */
        bool known;
        struct code code;
    } known[2];
};

static bool read_side(void *context, int side, const char *digest, struct code *code) {
    struct builds *builds = context;
    struct known *known = &builds->known[side];
    if (!known->digest || strcmp(known->digest, digest) != 0) {
        *known = (struct known){.digest = arena_string(builds->request->arena, digest, strlen(digest))};
        const char *name = program_of(builds->comparison->store, &builds->comparison->sides[side]);
        known->known = read_build(builds->request, builds->request->inputs[side], name, digest, &known->code);
    }
    *code = known->code;
    return known->known;
}

static void tell_builds(const struct request *request, const struct compared_table *comparison) {
    const char *titles = comparison->titles;
    if (comparison->by_code && titles)
        diagnose(request->diagnostics, NULL, MESSAGE_DIFF_CODE, comparison->same_procedures,
                 comparison->procedures, titles);
    else if (comparison->by_code)
        diagnose(request->diagnostics, NULL, MESSAGE_DIFF_CODE_ONLY, comparison->same_procedures,
                 comparison->procedures);
    else if (titles)
        diagnose(request->diagnostics, NULL, MESSAGE_DIFF_BY, titles);
    if (comparison->clones)
        diagnose(request->diagnostics, NULL, MESSAGE_DIFF_CLONES, comparison->clones);
    if (!comparison->by_code && titles && !comparison->is_tree && has_places(comparison->sides[0].shape))
        diagnose_hint(request->diagnostics,
                      "--program=FILE says where a build is: places in procedures that have the same "
                      "instructions in both are compared then");
}

static void report_differences(const struct request *request, struct compared_table *comparison) {
    tell_builds(request, comparison);
    tell_parameters(request, comparison);
    if (comparison->unread)
        diagnose(request->diagnostics, NULL, MESSAGE_DIFF_UNREAD, comparison->unread);
}

static const char *total_text(const struct request *request, const struct row_column *column,
                              const struct cell *total) {
    return column->type == ROW_REAL ? arena_format(request->arena, "%.2f", total->value.real)
                                    : arena_format(request->arena, "%lld", (long long)total->value.integer);
}

/* --fail-above: the table is printed in any case. Returns false if there is no count to judge. */
static bool judge_totals(const struct request *request, const struct compared_table *comparison) {
    const struct shape *shape = comparison->sides[0].shape;
    uint32_t number = compared_total(comparison, request->of);
    if (number == shape->column_count)
        return false;
    const struct row_column *column = &shape->columns[number];
    if (request->has_fail_above && compared_percent(comparison, number) > request->fail_above)
        diagnose(request->diagnostics, NULL, MESSAGE_DIFF_GREW, shape->tool, shape->report, column->title,
                 total_text(request, column, &comparison->totals[0][number]),
                 total_text(request, column, &comparison->totals[1][number]), request->fail_above);
    return true;
}

/* A check that concerns no count would always succeed. */
static bool has_sums(const struct request *request, uint32_t summed) {
    if (summed == 0 && request->of)
        diagnose(request->diagnostics, NULL, MESSAGE_DIFF_NO_SUM, request->of);
    else if (summed == 0 && request->has_fail_above)
        diagnose(request->diagnostics, NULL, MESSAGE_DIFF_NO_SUMS);
    return summed > 0 || (!request->of && !request->has_fail_above);
}

static bool compare_and_print(const struct request *request, struct compared_table *comparison, FILE *stream,
                              uint32_t *summed) {
    bool good = compare_rows(comparison);
    report_differences(request, comparison);
    if (good) {
        *summed += judge_totals(request, comparison);
        compare_print(comparison, request->form, request->of, stream);
    }
    compare_end(comparison);
    return good;
}

bool diff_results(const struct request *request, FILE *stream) {
    struct store store;
    struct selections sides[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
    struct builds builds = {.request = request};
    uint32_t compared = 0, summed = 0;
    bool good = store_open(&store, NULL, STORE_WRITE, request->diagnostics) &&
                add_inputs(request, &store, request->inputs, 1, &sides[0]) &&
                add_inputs(request, &store, request->inputs + 1, 1, &sides[1]);
    for (uint32_t a = 0; a < sides[0].count && good; a++)
        for (uint32_t b = 0; b < sides[1].count && good; b++) {
            if (!same_columns(sides[0].list[a].shape, sides[1].list[b].shape))
                continue;
            struct compared_table comparison = {.store = &store,
                                                .sides = {sides[0].list[a], sides[1].list[b]},
                                                .by = request->by,
                                                .code = {read_side, &builds},
                                                .threshold = request->threshold};
            builds.comparison = &comparison;
            if (compared++ && request->form != PRINT_JSON)
                fputc('\n', stream);
            good = compare_and_print(request, &comparison, stream, &summed);
        }
    if (good && compared == 0) {
        diagnose(request->diagnostics, NULL, MESSAGE_DIFF_NOTHING, request->inputs[0], request->inputs[1]);
        good = false;
    }
    good = good && has_sums(request, summed);
    store_close(&store);
    return good;
}
