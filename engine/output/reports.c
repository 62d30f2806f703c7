/* reports.c: the plan's reports as tables for the runtime (runtime/interface.h): the rows of each report,
   with all static values folded into slots, and one postfix code for each expression. Requires checked
   reports and rewrite->sites. */
#include <sha2.h>
#include <string.h>

#include "engine/output/internal.h"
#include "engine/places/places.h"
#include "engine/select/select.h"
#include "engine/inline/inline.h"
#include "plan/row_header.h"
#include "runtime/interface.h"
#include "support/json.h"

/* An expression of the report as a tree, with its properties. */
struct node {
    const struct plan_expression *expression;
    bool has_cells;   /* the expression contains a cell; otherwise it is static, and folded */
    bool conditional; /* a static condition determines for each row whether it is needed */
    bool fills;       /* the expression fills its slot: equal expressions share a slot */
    uint32_t slot;    /* slot of a static value that is not constant, or of the number of a cell */
    struct node *operand[3];
};

struct builder {
    struct selection selection;
    struct rewrite *rewrite;
    struct arena *arena;
    const char *digest;   /* digest of the program's file */
    uint64_t *cell_bases; /* per counter, plus one: the number of its first cell */
    const struct plan_report *report;
    const struct plan_row_column *row_columns; /* visible and hidden columns of the report */
    uint32_t column_count;                     /* the number of all columns */
    struct node *filter, *key, **columns;
    struct node **slot_nodes; /* the node that fills each slot */
    uint32_t slot_count, slot_capacity;
    uint64_t *slots;
    size_t u, capacity; /* the number of slots */
    uint64_t row_count;
    struct group_numbers groups; /* of the rows */
    struct stock_statements noted;
    uint32_t loop; /* the loop that is entered next */
    bool reached;  /* the innermost loop reached a place, even if it is filtered out */
    struct atomc_report_instruction *code;
    uint32_t code_count, code_capacity;
    uint32_t depth, deepest; /* depth of the evaluation stack */
};

/* ---- expressions --------------------------------------------------------------------------------------- */

/* Instruction classes and kinds of edges are represented by their words, and are equal if these are. */
static struct node *make_node(struct builder *builder, const struct plan_expression *expression) {
    if (!expression)
        return NULL;
    struct node *node = arena_allocate(builder->arena, sizeof *node);
    node->expression = expression;
    /* a quotient is never folded as a whole */
    node->has_cells = expression->op == PLAN_OP_CELL || expression->op == PLAN_OP_ROW_KEY ||
                      expression->op == PLAN_OP_ROW_CELL || expression->op == PLAN_OP_QUOTIENT ||
                      expression->op == PLAN_OP_NAMED; /* only the runtime has the tables */
    for (int i = 0; i < 3; i++) {
        node->operand[i] = make_node(builder, expression->operand[i]);
        node->has_cells |= node->operand[i] && node->operand[i]->has_cells;
    }
    return node;
}

/* The slot of the node's value, or of its cell's number. */
static uint32_t find_value_slot(struct builder *builder, struct node *node) {
    for (uint32_t i = 0; i < builder->slot_count && !node->conditional; i++)
        if (!builder->slot_nodes[i]->conditional &&
            plan_same_expression(builder->slot_nodes[i]->expression, node->expression))
            return i;
    ARENA_RESERVE(builder->arena, builder->slot_nodes, builder->slot_count, builder->slot_capacity);
    builder->slot_nodes[builder->slot_count] = node;
    node->fills = true;
    return builder->slot_count++;
}

/* The operators that only the compiler and the engine evaluate become ATOMC_REPORT_CONSTANT. */
static enum atomc_report_operator report_operator(enum plan_operator op) {
    if (op == PLAN_OP_CONDITIONAL)
        return ATOMC_REPORT_CONDITIONAL;
    if (op == PLAN_OP_LIKE)
        return ATOMC_REPORT_LIKE;
    return plan_operators[op].word && op != PLAN_OP_MATCH
               ? (enum atomc_report_operator)(ATOMC_REPORT_OPERATOR + (int)op)
               : ATOMC_REPORT_CONSTANT;
}

/* The change of the stack's depth. */
static int stack_growth(enum atomc_report_operator op) {
    switch (op) {
    case ATOMC_REPORT_CONSTANT:
    case ATOMC_REPORT_SLOT:
    case ATOMC_REPORT_CELL:
    case ATOMC_REPORT_KEY:
        return 1;
    case ATOMC_REPORT_KEYED: /* add_keyed() */
    case ATOMC_REPORT_CELL_AT:
    case ATOMC_REPORT_ADDRESS_NAME:
        return 0;
    case ATOMC_REPORT_CONDITIONAL:
        return -2;
    case ATOMC_REPORT_LIKE:
    case ATOMC_REPORT_EQUAL:
        return -1;
    default:
        return 1 - plan_operators[op - ATOMC_REPORT_OPERATOR].operands;
    }
}

static void add_operation(struct builder *builder, enum atomc_report_operator op, uint64_t operand,
                          uint64_t count) {
    builder->depth += (uint32_t)stack_growth(op);
    if (builder->depth > builder->deepest)
        builder->deepest = builder->depth;
    ARENA_RESERVE(builder->arena, builder->code, builder->code_count, builder->code_capacity);
    builder->code[builder->code_count++] = (struct atomc_report_instruction){op, operand, count};
}

static void add_expression_code(struct builder *builder, struct node *node, bool conditional);

static void add_cell(struct builder *builder, struct node *node) {
    uint32_t counter = node->expression->counter;
    uint64_t base = builder->cell_bases[counter];
    if (node->operand[0] && node->operand[0]->has_cells) {
        add_expression_code(builder, node->operand[0], node->conditional);
        add_operation(builder, ATOMC_REPORT_CELL_AT, base, builder->cell_bases[counter + 1] - base);
    } else {
        node->slot = find_value_slot(builder, node);
        add_operation(builder, ATOMC_REPORT_CELL, node->slot, 0);
    }
}

static uint64_t table_of_counter(const struct builder *builder, uint32_t counter) {
    const struct rewrite *rewrite = builder->rewrite;
    return rewrite->code->tables.buffer_addresses[rewrite->plan->counters[counter].table];
}

/* The value of a keyed counter for the row. */
static void add_keyed(struct builder *builder, struct node *node) {
    const struct plan_expression *expression = node->expression;
    if (expression->op == PLAN_OP_ROW_KEY) {
        const struct plan_loop *loop = &builder->report->loops[0];
        bool thread = builder->rewrite->plan->counters[loop->histogram].per_thread;
        add_operation(builder, ATOMC_REPORT_KEY, (uint64_t)(expression->integer + thread), 0);
        return;
    }
    if (node->operand[0])
        add_expression_code(builder, node->operand[0], node->conditional);
    else
        add_operation(builder, ATOMC_REPORT_CONSTANT, 0, 0);
    add_operation(builder, ATOMC_REPORT_KEYED, table_of_counter(builder, expression->counter),
                  node->operand[0] != NULL);
}

static bool reads_keys(const struct node *node) {
    return node && (node->expression->op == PLAN_OP_ROW_KEY || reads_keys(node->operand[0]) ||
                    reads_keys(node->operand[1]) || reads_keys(node->operand[2]));
}

static void add_address_name(struct builder *builder, struct node *node, bool conditional) {
    add_expression_code(builder, node->operand[0], conditional);
    add_operation(builder, ATOMC_REPORT_ADDRESS_NAME, command_address_name(node->expression->value),
                  reads_keys(node));
}

/* True if operand[0] is static and determines which other operand is needed. */
static bool is_decided(const struct node *node) {
    enum plan_operator op = node->expression->op;
    return (plan_operators[op].kind == PLAN_LOGIC || op == PLAN_OP_CONDITIONAL) &&
           !node->operand[0]->has_cells;
}

static void add_expression_code(struct builder *builder, struct node *node, bool conditional) {
    node->conditional = conditional;
    if (!node->has_cells && node->expression->op == PLAN_OP_INTEGER &&
        !plan_type_is_text(node->expression->type)) {
        add_operation(builder, ATOMC_REPORT_CONSTANT, (uint64_t)node->expression->integer, 0);
    } else if (!node->has_cells) {
        node->slot = find_value_slot(builder, node);
        add_operation(builder, ATOMC_REPORT_SLOT, node->slot, 0);
    } else if (node->expression->op == PLAN_OP_CELL) {
        add_cell(builder, node);
    } else if (node->expression->op == PLAN_OP_ROW_KEY || node->expression->op == PLAN_OP_ROW_CELL) {
        add_keyed(builder, node);
    } else if (node->expression->op == PLAN_OP_NAMED) {
        add_address_name(builder, node, conditional);
    } else {
        for (int i = 0; i < 3 && node->operand[i]; i++)
            add_expression_code(builder, node->operand[i], conditional || (i > 0 && is_decided(node)));
        enum plan_operator asked = node->expression->op;
        enum atomc_report_operator op = report_operator(asked);
        const struct node *left = node->operand[0];
        if (left && plan_type_is_text(left->expression->type) &&
            (asked == PLAN_OP_EQUAL || asked == PLAN_OP_NOT_EQUAL)) {
            /* strings of the program, which differ from strings of the image */
            add_operation(builder, ATOMC_REPORT_EQUAL, asked == PLAN_OP_NOT_EQUAL, 0);
        } else if (op != ATOMC_REPORT_CONSTANT) {
            add_operation(builder, op, 0, 0);
        } else {
            diagnose(builder->rewrite->diagnostics, &node->expression->where, MESSAGE_REPORT_EXPRESSION);
            builder->selection.failed = true;
        }
    }
}

static struct atomc_report_code write_code(struct builder *builder, struct node *node) {
    if (!node)
        return (struct atomc_report_code){0};
    builder->code_count = builder->depth = 0;
    add_expression_code(builder, node, false);
    return (struct atomc_report_code){
        table_bytes(builder->rewrite, builder->code, builder->code_count * sizeof *builder->code),
        builder->code_count};
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* Combines conditions that are 0, 1, or -1 for unknown. */
static int logic_of_known(enum plan_operator op, int left, int right) {
    int value = -1;
    for (int a = left == 1; a <= (left != 0); a++)
        for (int b = right == 1; b <= (right != 0); b++) {
            int now = (int)plan_operate(op, a, b);
            if (value >= 0 && value != now)
                return -1;
            value = now;
        }
    return value;
}

/* The value of a condition before the program runs: 0, 1, or -1 if unknown. */
static int known_truth(struct builder *builder, const struct node *node) {
    enum plan_operator op = node->expression->op;
    if (!node->has_cells)
        return fold(&builder->selection, node->expression).integer != 0;
    if (plan_operators[op].kind != PLAN_LOGIC)
        return -1;
    int left = known_truth(builder, node->operand[0]), right = -1;
    if (left >= 0 && plan_decides(op, left))
        return (int)plan_operate(op, left, 0);
    if (node->operand[1])
        right = known_truth(builder, node->operand[1]);
    return logic_of_known(op, left, right);
}

/* The value in the format of a slot. */
static uint64_t slot_value(struct builder *builder, const struct plan_expression *expression) {
    struct attribute_value value = fold_shown(&builder->selection, expression);
    if (expression->type == PLAN_TYPE_CLASS)
        value.string = plan_class_words[value.integer];
    if (expression->type == PLAN_TYPE_EDGE_KIND)
        value.string = plan_edge_words[value.integer];
    if (plan_type_is_text(expression->type))
        return table_string(builder->rewrite, value.string ? value.string : "");
    return (uint64_t)value.integer;
}

/* The number of a cell that does not exist: it reads as 0. */
static uint64_t no_cell(const struct builder *builder) {
    return builder->cell_bases[builder->rewrite->plan->counter_count];
}

static uint64_t number_of_cell(struct builder *builder, const struct node *node) {
    uint32_t counter = node->expression->counter;
    uint64_t base = builder->cell_bases[counter], count = builder->cell_bases[counter + 1] - base;
    uint64_t index =
        node->operand[0] ? (uint64_t)fold(&builder->selection, node->operand[0]->expression).integer : 0;
    return index < count ? base + index : no_cell(builder);
}

/* Fills the row's slots; an expression that a static condition excludes is not folded, since it may have no
   value at this place. */
static void fill_slots(struct builder *builder, const struct node *node, bool matters, uint64_t *slots) {
    const struct plan_expression *expression = node->expression;
    if (!node->has_cells) {
        if (node->fills && matters)
            slots[node->slot] = slot_value(builder, expression);
        return;
    }
    if (expression->op == PLAN_OP_CELL && !(node->operand[0] && node->operand[0]->has_cells)) {
        if (node->fills)
            slots[node->slot] = matters ? number_of_cell(builder, node) : no_cell(builder);
        return;
    }
    bool matter[3] = {matters, matters, matters};
    if (matters && is_decided(node)) {
        bool holds = fold(&builder->selection, expression->operand[0]).integer != 0;
        matter[1] = expression->op == PLAN_OP_CONDITIONAL ? holds : !plan_decides(expression->op, holds);
        matter[2] = !holds;
    }
    for (int i = 0; i < 3 && node->operand[i]; i++)
        fill_slots(builder, node->operand[i], matter[i], slots);
}

/* Adds the row's group: the number of its values of the columns that the report groups by. */
static void add_group_column(struct builder *builder) {
    const struct plan_report *report = builder->report;
    struct arena *scratch = builder->rewrite->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    uint64_t *values = arena_allocate(scratch, report->group_count * sizeof *values);
    for (uint32_t i = 0; i < report->group_count; i++)
        values[i] = slot_value(builder, report->groups[i]);
    groups_add(&builder->groups, values, report->group_count);
    arena_release(scratch, mark);
}

static void add_report_row(struct builder *builder) {
    builder->reached = true;
    if (builder->filter && known_truth(builder, builder->filter) == 0)
        return;
    if (builder->u + builder->slot_count > builder->capacity) {
        size_t old = builder->capacity;
        builder->capacity = 2 * builder->capacity + 64 + builder->slot_count;
        builder->slots = arena_resize(builder->arena, builder->slots, old * sizeof *builder->slots,
                                      builder->capacity * sizeof *builder->slots);
    }
    uint64_t *slots = builder->slots + builder->u;
    builder->u += builder->slot_count;
    for (uint32_t i = 0; i < builder->slot_count; i++)
        slots[i] = 0;
    if (builder->filter)
        fill_slots(builder, builder->filter, true, slots);
    if (builder->key)
        fill_slots(builder, builder->key, true, slots);
    for (uint32_t i = 0; i < builder->column_count; i++)
        fill_slots(builder, builder->columns[i], true, slots);
    if (builder->report->group_count)
        add_group_column(builder);
    builder->row_count++;
}

/* Enters the next loop, or adds a row if this is the innermost. */
static void enter_loop(struct selection *selection, void *context) {
    struct builder *builder = context;
    if (builder->loop == builder->report->loop_count) {
        add_report_row(builder);
        return;
    }
    uint32_t loop = builder->loop++;
    each_place(selection, builder->report->loops, loop, enter_loop, builder);
    builder->loop--;
}

static void add_report_rows(struct builder *builder) {
    const struct plan_report *report = builder->report;
    enter_loop(&builder->selection, builder);
    if (builder->selection.failed)
        return;
    note_stock_statement(&builder->selection, &builder->noted, report->stock_tool, report->loops,
                         report->loop_count, NULL, builder->reached);
    if (!builder->reached && !report->stock_tool)
        nothing_selected(&builder->selection, &report->where, report->loops, report->loop_count, NULL);
}

/* Packs one value of each row, at distance `step`, into the smallest width. */
static struct atomc_report_slot pack_values(struct builder *builder, const uint64_t *values, uint32_t step,
                                            uint8_t *packed) {
    int64_t least = builder->row_count ? INT64_MAX : 0, most = builder->row_count ? INT64_MIN : 0;
    for (uint64_t row = 0; row < builder->row_count; row++) {
        int64_t value = (int64_t)values[row * step];
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    struct atomc_report_slot written = {.base = (uint64_t)least, .ascends = true};
    uint64_t range = (uint64_t)most - (uint64_t)least;
    uint64_t distance = builder->row_count > 1 ? values[step] - values[0] : 0;
    bool even = true;
    for (uint64_t row = 1; row < builder->row_count; row++) {
        written.ascends &= (int64_t)values[row * step] >= (int64_t)values[(row - 1) * step];
        even &= values[row * step] - values[(row - 1) * step] == distance;
    }
    if (even && builder->row_count > 0) {
        written.base = values[0];
        written.step = distance;
        return written;
    }
    written.width = range == 0            ? 0
                    : range <= UINT8_MAX  ? 1
                    : range <= UINT16_MAX ? 2
                    : range <= UINT32_MAX ? 4
                                          : 8;
    for (uint64_t row = 0; row < builder->row_count; row++) {
        uint64_t value = values[row * step] - written.base; /* little-endian, like the host */
        memcpy(packed + row * written.width, &value, written.width);
    }
    written.values = table_bytes(builder->rewrite, packed, builder->row_count * written.width);
    return written;
}

static uint64_t write_slots(struct builder *builder, struct atomc_report_slot *group) {
    struct atomc_report_slot *slots = arena_allocate(builder->arena, builder->slot_count * sizeof *slots);
    uint8_t *packed = arena_allocate_unset(builder->arena, (builder->row_count + 1) * sizeof(uint64_t));
    for (uint32_t i = 0; i < builder->slot_count; i++)
        slots[i] = pack_values(builder, builder->slots + i, builder->slot_count, packed);
    if (builder->report->group_count)
        *group = pack_values(builder, builder->groups.rows, 1, packed);
    return table_bytes(builder->rewrite, slots, builder->slot_count * sizeof *slots);
}

/* ---- reports ------------------------------------------------------------------------------------------- */

/* The percentage of a sum is computed when the report is written: the column's code computes the value to be
   summed. */
static const struct plan_expression *without_percent(const struct plan_expression *expression) {
    return expression && expression->op == PLAN_OP_PERCENT ? expression->operand[0] : expression;
}

static uint64_t column_format(const struct plan_row_column *column) {
    if (column->value->op == PLAN_OP_PERCENT || column->format == PLAN_COLUMN_PERCENT)
        return ATOMC_REPORT_PERCENT;
    if (column->value->op == PLAN_OP_QUOTIENT)
        return ATOMC_REPORT_REAL;
    if (plan_type_is_text(column->value->type))
        return ATOMC_REPORT_TEXT;
    return column->format == PLAN_COLUMN_HEXADECIMAL || (column->hidden && column->meaning.is_address)
               ? ATOMC_REPORT_HEXADECIMAL
               : ATOMC_REPORT_DECIMAL;
}

/* The runtime's name for the way in which rows are combined. */
static uint64_t merge_of_together(enum plan_together together) {
    static const uint64_t merges[] = {[PLAN_TOGETHER_FIRST] = ATOMC_REPORT_FIRST,
                                      [PLAN_TOGETHER_SUM] = ATOMC_REPORT_SUM,
                                      [PLAN_TOGETHER_QUOTIENT] = ATOMC_REPORT_SUM,
                                      [PLAN_TOGETHER_GREATEST] = ATOMC_REPORT_GREATEST,
                                      [PLAN_TOGETHER_NONE] = ATOMC_REPORT_APART};
    return merges[together];
}

/* True if the value is divided when it is written. Quotients of integers are divided then only if there are
   sums to divide. */
static bool has_divisor(const struct plan_report *report, const struct plan_row_column *column,
                        enum plan_together together) {
    return column->value->op == PLAN_OP_QUOTIENT ||
           (column->value->op == PLAN_OP_DIVIDE && together == PLAN_TOGETHER_QUOTIENT &&
            (report->total || report->group_count > 0));
}

static uint64_t write_columns(struct builder *builder) {
    struct atomc_report_column *columns =
        arena_allocate(builder->arena, builder->column_count * sizeof *columns);
    for (uint32_t i = 0; i < builder->column_count; i++) {
        const struct plan_row_column *column = &builder->row_columns[i];
        columns[i].title = table_string(builder->rewrite, column->title);
        columns[i].format = column_format(column);
        columns[i].is_address = column->meaning.is_address;
        columns[i].is_procedure =
            column->meaning.attribute == PLAN_ATTRIBUTE_PROC_NAME ||
            (column->value->op == PLAN_OP_NAMED && column->value->value == PLAN_VALUE_SYMBOL);
        struct node *value = builder->columns[i], *divisor = NULL;
        enum plan_together together =
            plan_rows_together(builder->rewrite->plan, column->format, column->value);
        if (has_divisor(builder->report, column, together)) {
            divisor = value->operand[1];
            value = value->operand[0];
        }
        columns[i].adds_up = together == PLAN_TOGETHER_SUM && !divisor;
        columns[i].value = write_code(builder, value);
        columns[i].divisor = write_code(builder, divisor);
        if (together == PLAN_TOGETHER_GREATEST && builder->report->group_count == 0)
            together = PLAN_TOGETHER_NONE; /* the greatest of all rows is not a total */
        columns[i].merge = merge_of_together(together);
        columns[i].divisor_merge = together == PLAN_TOGETHER_QUOTIENT ? ATOMC_REPORT_SUM : ATOMC_REPORT_FIRST;
    }
    return table_bytes(builder->rewrite, columns, builder->column_count * sizeof *columns);
}

/* The name has no directory, so that results do not depend on the directory of the program. */
static const char *program_name(const struct program *program) {
    const char *slash = strrchr(program->path, '/');
    return slash ? slash + 1 : program->path;
}

/* Writes it as a string into the tables; takes ownership of the object. */
static uint64_t write_json(struct builder *builder, json_t *object) {
    size_t length = json_dumpb(object, NULL, 0, JSON_COMPACT);
    char *text = arena_allocate(builder->arena, length + 1);
    json_dumpb(object, text, length, JSON_COMPACT);
    json_decref(object);
    return table_string(builder->rewrite, text);
}

static void set_program(const struct builder *builder, json_t *header) {
    json_object_set_new(header, "program", json_text(program_name(builder->rewrite->program)));
    json_object_set_new(header, "program_digest", json_text(builder->digest));
}

/* The header of a file of rows. */
static uint64_t write_rows_header(struct builder *builder) {
    json_t *header =
        plan_row_header(builder->rewrite->plan, builder->report, builder->row_columns, builder->column_count);
    set_program(builder, header);
    return write_json(builder, header);
}

/* The header of a file of the rows of all times. */
static uint64_t write_series_header(struct builder *builder, const char *title) {
    json_t *header =
        plan_row_header(builder->rewrite->plan, builder->report, builder->row_columns, builder->column_count);
    plan_series_header(header, title);
    set_program(builder, header);
    return write_json(builder, header);
}

/* The headers for tables that C writes. */
static void write_tool_headers(struct builder *builder, struct atomc_image *image) {
    const struct plan *plan = builder->rewrite->plan;
    struct atomc_tool_header *tools = arena_allocate(builder->arena, (plan->tool_count + 1) * sizeof *tools);
    for (uint32_t i = 0; i < plan->tool_count; i++) {
        json_t *header = plan_tool_header(plan, plan->tools[i].name);
        set_program(builder, header);
        tools[i].tool = table_string(builder->rewrite, plan->tools[i].name);
        tools[i].header = write_json(builder, header);
    }
    image->tools = table_bytes(builder->rewrite, tools, plan->tool_count * sizeof *tools);
    image->tool_count = plan->tool_count;
}

static bool has_buckets(const struct plan_report *report) {
    for (uint32_t i = 0; i < report->loop_count; i++)
        if (report->loops[i].domain == PLAN_DOMAIN_BUCKETS)
            return true;
    return false;
}

static uint64_t report_flags(const struct plan_report *report) {
    bool text = report->key && plan_type_is_text(report->key->type);
    return (report->descending ? ATOMC_REPORT_DESCENDING : 0) | (report->total ? ATOMC_REPORT_TOTAL : 0) |
           (text ? ATOMC_REPORT_TEXT_KEY : 0) | (report->is_text ? ATOMC_REPORT_AS_TEXT : 0) |
           (report->joins ? ATOMC_REPORT_JOINS : 0) | (has_buckets(report) ? ATOMC_REPORT_IN_ORDER : 0);
}

static void start_report(struct builder *builder, const struct plan_report *report) {
    *builder = (struct builder){.selection = builder->selection,
                                .rewrite = builder->rewrite,
                                .arena = builder->arena,
                                .cell_bases = builder->cell_bases,
                                .digest = builder->digest,
                                .report = report,
                                .groups = {.arena = builder->arena}};
    builder->filter = make_node(builder, report->filter);
    builder->key = make_node(builder, without_percent(report->key));
    builder->row_columns =
        plan_row_columns(builder->rewrite->plan, report, builder->arena, &builder->column_count);
    if (report->is_text)
        builder->column_count = report->column_count;
    builder->columns = arena_allocate(builder->arena, (builder->column_count + 1) * sizeof(struct node *));
    for (uint32_t i = 0; i < builder->column_count; i++)
        builder->columns[i] = make_node(builder, without_percent(builder->row_columns[i].value));
}

static struct atomc_report write_report(struct builder *builder, const struct plan_report *report) {
    struct atomc_report written = {.flags = report_flags(report), .limit = report->limit};
    struct arena_mark mark = arena_mark(builder->arena);
    start_report(builder, report);
    written.tool = table_string(builder->rewrite, report->tool);
    written.path = table_string(builder->rewrite, report->path);
    static const enum atomc_every whens[] = {[PLAN_EVERY_END] = ATOMC_EVERY_END,
                                             [PLAN_EVERY_MILLISECONDS] = ATOMC_EVERY_MILLISECONDS,
                                             [PLAN_EVERY_EVENTS] = ATOMC_EVERY_EVENTS,
                                             [PLAN_EVERY_SIGNAL] = ATOMC_EVERY_SIGNAL};
    written.every = whens[report->every];
    written.every_count = (uint64_t)report->every_count;
    if (report->every) {
        const char *title = "Seconds";
        if (report->every == PLAN_EVERY_EVENTS) {
            title = builder->rewrite->plan->counters[report->every_counter].name;
            const char *tool = strrchr(title, '.'); /* a prefix, if several tools were combined */
            title = tool ? tool + 1 : title;
        }
        written.every_title = table_string(builder->rewrite, title);
        if (report->every == PLAN_EVERY_EVENTS) /* times in seconds differ from run to run */
            written.series_header = write_series_header(builder, title);
    }
    if (report->every == PLAN_EVERY_MILLISECONDS || report->every == PLAN_EVERY_EVENTS) {
        written.every_counter = builder->cell_bases[report->every_counter];
        written.every_due = builder->cell_bases[report->every_due];
    }
    written.filter = write_code(builder, builder->filter);
    written.key = write_code(builder, builder->key);
    written.columns = write_columns(builder);
    written.column_count = report->column_count;
    written.hidden_count = builder->column_count - report->column_count;
    written.header = report->is_text ? 0 : write_rows_header(builder);
    written.depth = builder->deepest;
    if (!builder->selection.failed)
        add_report_rows(builder);
    written.slots = write_slots(builder, &written.group);
    written.group_count = builder->groups.count;
    written.key_merge =
        report->key
            ? merge_of_together(plan_rows_together(builder->rewrite->plan, PLAN_COLUMN_DECIMAL, report->key))
            : ATOMC_REPORT_FIRST;
    written.slot_count = builder->slot_count;
    if (report->loop_count && report->loops[0].domain == PLAN_DOMAIN_KEYS)
        written.keyed = table_of_counter(builder, report->loops[0].histogram);
    written.row_count = builder->row_count;
    arena_release(builder->arena, mark);
    return written;
}

static void write_reports(struct builder *builder, struct atomc_image *image) {
    const struct plan *plan = builder->rewrite->plan;
    struct atomc_report *reports = arena_allocate(builder->arena, plan->report_count * sizeof *reports);
    for (uint32_t i = 0; i < plan->report_count && !builder->selection.failed; i++)
        reports[i] = write_report(builder, &plan->reports[i]);
    if (!builder->rewrite->sites->told_of_stock_tool)
        tell_of_stock_tool(&builder->selection, &builder->noted);
    image->reports = table_bytes(builder->rewrite, reports, plan->report_count * sizeof *reports);
    image->report_count = plan->report_count;
}

/* ---- cells --------------------------------------------------------------------------------------------- */

/* Cells that do not start at 0: cells of max= and min= counters, and switches that are on. */
static void write_cell_ranges(struct builder *builder, struct atomc_image *image) {
    const struct plan *plan = builder->rewrite->plan;
    struct atomc_cell_range *ranges =
        arena_allocate(builder->arena, ((size_t)plan->counter_count + 1) * sizeof *ranges);
    uint64_t count = 0;
    for (uint32_t i = 0; i < plan->counter_count; i++) {
        struct atomc_cell_range *range = &ranges[count];
        range->first = builder->cell_bases[i];
        range->count = builder->cell_bases[i + 1] - range->first;
        range->initial = (uint64_t)plan_initial(&plan->counters[i]);
        count += range->initial != 0 && range->count > 0;
    }
    image->cells = builder->rewrite->machine->layout->cells;
    image->cell_ranges = table_bytes(builder->rewrite, ranges, count * sizeof *ranges);
    image->cell_range_count = count;
    image->cell_count = builder->cell_bases[plan->counter_count];
}

/* In a child of fork, sums and extremes start again. Counters that are set hold the state of the program,
   and keep it. */
static void write_fork_ranges(struct builder *builder, struct atomc_image *image) {
    const struct plan *plan = builder->rewrite->plan;
    struct atomc_fork_range *ranges =
        arena_allocate(builder->arena, ((size_t)plan->counter_count + 1) * sizeof *ranges);
    uint64_t count = 0;
    for (uint32_t i = 0; i < plan->counter_count; i++) {
        const struct plan_counter *counter = &plan->counters[i];
        struct atomc_fork_range range = {.first = builder->cell_bases[i],
                                         .count = builder->cell_bases[i + 1] - builder->cell_bases[i],
                                         .sums = counter->update == PLAN_UPDATE_ADD,
                                         .initial = (uint64_t)plan_initial(counter)};
        if (!counter->forks || (counter->kind != PLAN_COUNTER && counter->kind != PLAN_HISTOGRAM) ||
            counter->update == PLAN_UPDATE_SET || range.count == 0)
            continue;
        struct atomc_fork_range *last = &ranges[count - (count > 0)];
        if (count > 0 && range.sums && last->sums && last->first + last->count == range.first)
            last->count += range.count;
        else
            ranges[count++] = range;
    }
    image->fork_ranges = table_bytes(builder->rewrite, ranges, count * sizeof *ranges);
    image->fork_range_count = count;
}

bool reports_write(struct rewrite *rewrite, struct atomc_image *image) {
    const struct plan *plan = rewrite->plan;
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < plan->report_count; i++)
        if (plan->reports[i].loop_count > deepest)
            deepest = plan->reports[i].loop_count;
    struct builder builder = {
        .rewrite = rewrite,
        .arena = arena_create(),
        .selection = selection_make(plan, rewrite->program, rewrite->diagnostics, deepest),
    };
    char *digest = arena_allocate(builder.arena, SHA256_DIGEST_STRING_LENGTH);
    builder.digest = SHA256Data(rewrite->program->image, rewrite->program->image_size, digest);
    builder.cell_bases = lay_out_cells(&builder.selection, builder.arena);
    write_cell_ranges(&builder, image);
    write_fork_ranges(&builder, image);
    header_values_write(rewrite, &builder.selection, builder.cell_bases);
    write_reports(&builder, image);
    write_tool_headers(&builder, image);
    selection_release(&builder.selection);
    arena_destroy(builder.arena);
    return !builder.selection.failed;
}
