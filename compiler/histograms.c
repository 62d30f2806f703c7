/* histograms.c: histograms, their buckets, and loops over these in reports.
   Requires the sets and parameters defined so far. A histogram is a counter with several cells for each
   member. */
#include "compiler/internal.h"

#include <string.h>

/* ---- buckets -------------------------------------------------------------------------------- */

static bool check_bound(struct compilation *compilation, const struct expression *expression,
                        const char *role, int64_t *value) {
    struct expression_context saved = compilation->context;
    compilation->context.static_role = role;
    const struct plan_expression *bound = check_expression(compilation, expression);
    compilation->context = saved;
    *value = bound->op == PLAN_OP_INTEGER ? bound->integer : 0;
    if (bound->type == PLAN_TYPE_ERROR)
        return false;
    if (is_constant(bound) && bound->type == PLAN_TYPE_INTEGER)
        return true;
    diagnose(compilation->diagnostics, &bound->where, MESSAGE_HISTOGRAM_BOUND, role,
             bound->type == PLAN_TYPE_INTEGER ? "not" : type_phrase(bound->type));
    return false;
}

static void check_linear(struct compilation *compilation, const struct bucket_form *form,
                         struct plan_buckets *buckets) {
    bool low = check_bound(compilation, form->low, "the first bound", &buckets->low);
    bool high = check_bound(compilation, form->high, "the last bound", &buckets->high);
    bool step = check_bound(compilation, form->step, "the width of the buckets", &buckets->step);
    buckets->count = 2;
    if (!low || !high || !step)
        return;
    if (buckets->high <= buckets->low || buckets->step <= 0) {
        diagnose(compilation->diagnostics, &form->low->where, MESSAGE_HISTOGRAM_EMPTY,
                 (long long)buckets->low, (long long)buckets->high, (long long)buckets->step);
        return;
    }
    uint64_t range = (uint64_t)buckets->high - (uint64_t)buckets->low;
    if (range > INT64_MAX) {
        diagnose(compilation->diagnostics, &form->low->where, MESSAGE_HISTOGRAM_RANGE);
        return;
    }
    uint64_t count = (range - 1) / (uint64_t)buckets->step + 1;
    if (count > PLAN_MOST_BUCKETS) {
        diagnose(compilation->diagnostics, &form->step->where, MESSAGE_HISTOGRAM_LARGE, PLAN_MOST_BUCKETS,
                 (unsigned long long)count);
        diagnose_hint(compilation->diagnostics, "use wider buckets, or log2");
        return;
    }
    buckets->count += (uint32_t)count;
}

void check_histogram_statement(struct compilation *compilation, const struct statement *statement) {
    uint32_t index = check_counter_statement(compilation, statement);
    struct plan_buckets buckets = {.logarithmic = statement->buckets->logarithmic,
                                   .count = PLAN_LOGARITHMIC_BUCKETS};
    if (!buckets.logarithmic)
        check_linear(compilation, statement->buckets, &buckets);
    compilation->counters[index].counter.kind = PLAN_HISTOGRAM;
    compilation->counters[index].counter.buckets = buckets;
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* A counter with a number of cells. */
static bool is_numbered(const struct compilation *compilation, const struct declaration *declaration) {
    return declaration && declaration->kind == STATEMENT_COUNTER && declaration->reached &&
           (compilation->counters[declaration->index].counter.size ||
            plan_is_keyed(&compilation->counters[declaration->index].counter));
}

bool check_buckets(struct compilation *compilation, const struct selection *selection, struct scope *scope) {
    const struct expression *domain = selection->domain;
    const struct name *name = &domain->name;
    if (domain->kind != EXPRESSION_NAME && domain->kind != EXPRESSION_CELL)
        return false;
    const struct declaration *declaration = find_declaration(compilation, name->text);
    bool histogram = declaration && declaration->kind == STATEMENT_HISTOGRAM, good;
    bool cells = is_numbered(compilation, declaration) && domain->kind == EXPRESSION_NAME;
    if (!histogram && !cells && domain->kind != EXPRESSION_CELL)
        return false;
    bool keyed = declaration && declaration->reached &&
                 (histogram || declaration->kind == STATEMENT_COUNTER) &&
                 plan_is_keyed(&compilation->counters[declaration->index].counter);
    scope->loop.kind = PLAN_BUCKET;
    scope->loop.domain = PLAN_DOMAIN_BUCKETS;
    scope->broken = true;
    if (histogram && !compilation->context.report) {
        diagnose(compilation->diagnostics, &name->where, MESSAGE_BUCKETS_OUTSIDE_REPORT, name->text);
        return true;
    }
    if (cells && !compilation->context.report) {
        diagnose(compilation->diagnostics, &name->where, MESSAGE_CELLS_OUTSIDE_REPORT, name->text);
        return true;
    }
    if (cells || (keyed && domain->kind == EXPRESSION_NAME))
        compilation->counters[declaration->index].read = true;
    if (keyed && domain->kind == EXPRESSION_NAME) {
        check_key_loop(compilation, name, declaration->index, scope);
        return true;
    }
    if (cells) {
        scope->loop.histogram = declaration->index;
        scope->broken = compilation->counters[declaration->index].broken;
        return true;
    }
    scope->loop.histogram = find_histogram(compilation, name, domain->operand[0], &scope->cell, &good);
    scope->broken = !good;
    return true;
}

static struct plan_expression *number_constant(struct compilation *compilation, int64_t value,
                                               const struct source_span *where) {
    struct plan_expression *result = make_expression(compilation, PLAN_OP_INTEGER, PLAN_TYPE_INTEGER, where);
    result->integer = value;
    return result;
}

/* The number of the bucket's cell in the histogram: buckets * number of the cell + bucket. */
static const struct plan_expression *bucket_cell(struct compilation *compilation, const struct scope *scope,
                                                 const struct plan_expression *bucket) {
    if (!scope->cell)
        return bucket;
    uint32_t count = compilation->counters[scope->loop.histogram].counter.buckets.count;
    const struct plan_expression *first =
        make_operator(compilation, PLAN_OP_MULTIPLY, PLAN_TYPE_INTEGER, &bucket->where, scope->cell,
                      number_constant(compilation, count, &bucket->where));
    return make_operator(compilation, PLAN_OP_ADD, PLAN_TYPE_INTEGER, &bucket->where, first, bucket);
}

struct plan_expression *bucket_attribute(struct compilation *compilation, const struct plan_expression *place,
                                         enum plan_attribute attribute, const struct source_span *where) {
    const struct scope *scope = &compilation->scopes[place->variable];
    struct plan_expression *bucket = make_expression(compilation, PLAN_OP_VARIABLE, PLAN_TYPE_INTEGER, where);
    bucket->variable = place->variable;
    bool histogram = compilation->counters[scope->loop.histogram].counter.kind == PLAN_HISTOGRAM;
    if (attribute == PLAN_ATTRIBUTE_BUCKET_SYSTEM_CALL)
        return make_operator(compilation, PLAN_OP_SYSTEM_CALL, PLAN_TYPE_STRING, where, bucket, NULL);
    if (attribute == PLAN_ATTRIBUTE_BUCKET_REGISTER)
        return make_operator(compilation, PLAN_OP_REGISTER_NAME, PLAN_TYPE_STRING, where, bucket, NULL);
    if (attribute == PLAN_ATTRIBUTE_BUCKET_NUMBER ||
        (!histogram && attribute != PLAN_ATTRIBUTE_BUCKET_COUNT)) /* a cell has only its own number */
        return bucket;
    enum plan_operator op = attribute == PLAN_ATTRIBUTE_BUCKET_LOW    ? PLAN_OP_BUCKET_LOW
                            : attribute == PLAN_ATTRIBUTE_BUCKET_HIGH ? PLAN_OP_BUCKET_HIGH
                                                                      : PLAN_OP_CELL;
    struct plan_expression *result = make_expression(compilation, op, PLAN_TYPE_INTEGER, where);
    result->counter = scope->loop.histogram;
    if (op == PLAN_OP_CELL && plan_is_keyed(&compilation->counters[result->counter].counter)) {
        result->op = PLAN_OP_ROW_CELL;
        result->operand[0] = bucket;
        return result;
    }
    result->operand[0] = op == PLAN_OP_CELL ? bucket_cell(compilation, scope, bucket) : bucket;
    return result;
}

static bool same_buckets(const struct plan_buckets *left, const struct plan_buckets *right) {
    return left->logarithmic == right->logarithmic && left->low == right->low && left->high == right->high &&
           left->step == right->step;
}

struct plan_expression *check_other_bucket(struct compilation *compilation,
                                           const struct expression *expression,
                                           const struct expression *cell) {
    const struct name *name = &expression->name;
    const struct declaration *declaration = find_declaration(compilation, name->text);
    if (!declaration || declaration->kind != STATEMENT_HISTOGRAM || !declaration->reached || !cell)
        return NULL;
    const struct plan_expression *place = check_expression(compilation, cell);
    if (place->type != PLAN_TYPE_BUCKET)
        return NULL;
    compilation->counters[declaration->index].read = true;
    if (plan_is_keyed(&compilation->counters[declaration->index].counter))
        return check_row_cell(compilation, expression, declaration->index, cell);
    const struct scope *scope = &compilation->scopes[place->variable];
    const struct plan_counter *own = &compilation->counters[declaration->index].counter,
                              *other = &compilation->counters[scope->loop.histogram].counter;
    struct plan_expression *result =
        make_expression(compilation, PLAN_OP_CELL, PLAN_TYPE_ERROR, &expression->where);
    if (other->kind != PLAN_HISTOGRAM || plan_has_cells(own) ||
        !same_buckets(&own->buckets, &other->buckets)) {
        diagnose(compilation->diagnostics, &place->where, MESSAGE_BUCKET_OF_OTHER, name->text);
        diagnose_hint(compilation->diagnostics, "for b in %s, and b.count", name->text);
        return result;
    }
    struct plan_expression *bucket =
        make_expression(compilation, PLAN_OP_VARIABLE, PLAN_TYPE_INTEGER, &place->where);
    bucket->variable = place->variable;
    result->type = PLAN_TYPE_INTEGER;
    result->counter = declaration->index;
    result->operand[0] = bucket;
    return result;
}
