/* members.c: `in`: a place in sets, a value in a list, and values that a user's file lists. Requires the
   scopes and sets in force; a file is read when the tool is checked. */
#include "compiler/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- what files list ------------------------------------------------------------------------ */

/* One line of a list that is being read. */
struct list_line {
    const char *begin, *end; /* without blanks around it, and without a comment */
};

/* The next line that is not empty; false at the end. */
static bool next_list_line(const char **at, const char *end, struct list_line *line) {
    while (*at < end) {
        const char *stop = memchr(*at, '\n', (size_t)(end - *at)), *mark;
        line->begin = *at;
        line->end = stop ? stop : end;
        *at = stop ? stop + 1 : end;
        mark = memchr(line->begin, '#', (size_t)(line->end - line->begin));
        if (mark)
            line->end = mark;
        while (line->begin < line->end && strchr(" \t\r", *line->begin))
            line->begin++;
        while (line->begin < line->end && strchr(" \t\r", line->end[-1]))
            line->end--;
        if (line->begin < line->end)
            return true;
    }
    return false;
}

static int compare_integers(const void *left, const void *right) {
    const int64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static int compare_strings(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The number that the line begins with. */
static int64_t line_number(struct compilation *compilation, const struct source *source,
                           const struct list_line *line) {
    const char *stop = line->begin, *digits = line->begin + (*line->begin == '-');
    int64_t number;
    while (stop < line->end && !strchr(" \t,", *stop))
        stop++;
    enum number_error error = read_number(digits, stop, &number);
    bool negative = digits > line->begin;
    if (error == NUMBER_GOOD || (error == NUMBER_IF_NEGATED && negative))
        return negative ? (int64_t)(0 - (uint64_t)number) : number;
    struct source_span span = {source, (uint32_t)(line->begin - source->text),
                               (uint32_t)(stop - source->text)};
    if (error != NUMBER_BAD) {
        diagnose(compilation->diagnostics, &span, MESSAGE_NUMBER_TOO_LARGE,
                 arena_string(compilation->scratch, line->begin, (size_t)(stop - line->begin)));
    } else {
        diagnose(compilation->diagnostics, &span, MESSAGE_BAD_NUMBER,
                 arena_string(compilation->scratch, line->begin, (size_t)(stop - line->begin)));
        diagnose_hint(compilation->diagnostics,
                      "each line begins with a number, such as 0x120000460; '#' begins a comment");
    }
    return 0;
}

static void read_list(struct compilation *compilation, const struct source *source, bool integers,
                      struct plan_list *list) {
    const char *at = source->text, *end = source->text + source->length;
    uint32_t most = 1, errors = diagnostics_errors(compilation->diagnostics);
    for (const char *mark = at; (mark = memchr(mark, '\n', (size_t)(end - mark))); mark++)
        most++;
    int64_t *numbers = arena_allocate(compilation->arena, most * sizeof *numbers);
    const char **strings = arena_allocate(compilation->arena, most * sizeof *strings);
    struct list_line line;
    while (diagnostics_errors(compilation->diagnostics) == errors && next_list_line(&at, end, &line)) {
        if (integers)
            numbers[list->count++] = line_number(compilation, source, &line);
        else
            strings[list->count++] =
                arena_string(compilation->arena, line.begin, (size_t)(line.end - line.begin));
    }
    if (integers)
        qsort(numbers, list->count, sizeof *numbers, compare_integers);
    else
        qsort(strings, list->count, sizeof *strings, compare_strings);
    list->integers = integers ? numbers : NULL;
    list->strings = strings;
}

/* value in file("NAME"): one that the tool names is beside it, one of the command line where that is. */
static struct plan_expression *check_listed(struct compilation *compilation,
                                            const struct expression *expression,
                                            const struct plan_expression *value,
                                            const struct expression *file) {
    struct plan_expression *result = error_expression(compilation, expression);
    if (!require_arguments(compilation, file, 1, 1,
                           "value in file(\"NAME\"): the file lists a value per line"))
        return result;
    const struct plan_expression *name = check_expression(compilation, file->arguments);
    if (name->type == PLAN_TYPE_ERROR)
        return result;
    if (name->op != PLAN_OP_STRING) {
        diagnose(compilation->diagnostics, &name->where, MESSAGE_LIST_NAME, type_phrase(name->type));
        diagnose_hint(compilation->diagnostics, "a string in quotes or a parameter");
        return result;
    }
    bool dynamic = value->dynamic || has_cells(value);
    if (dynamic || (value->type != PLAN_TYPE_INTEGER && value->type != PLAN_TYPE_STRING)) {
        diagnose(compilation->diagnostics, &value->where, MESSAGE_LIST_VALUE,
                 dynamic ? "known only when the program runs" : type_phrase(value->type));
        diagnose_hint(compilation->diagnostics,
                      dynamic ? "look static values up, for instance i.pc in file(\"NAME\")"
                              : "use one of its attributes, for instance its pc or its name");
        return result;
    }
    bool beside = file->arguments->kind == EXPRESSION_STRING;
    struct arena *arena = compilation->tool->arena; /* diagnostics quote it when the compilation is over */
    const char *path = beside ? path_beside(arena, expression->where.source->path, name->string)
                              : arena_format(arena, "%s", name->string);
    struct source *source = arena_allocate(arena, sizeof *source);
    source->path = path;
    source->text = arena_read_file(arena, path, &source->length);
    if (!source->text) {
        diagnose(compilation->diagnostics, &name->where, MESSAGE_LIST_READ, path, strerror(errno));
        return result;
    }
    struct plan_list *list = arena_allocate(compilation->arena, sizeof *list);
    list->path = path;
    read_list(compilation, source, value->type == PLAN_TYPE_INTEGER, list);
    result->op = PLAN_OP_LISTED;
    result->type = PLAN_TYPE_BOOLEAN;
    result->list = list;
    result->operand[0] = value;
    return result;
}

/* ---- data ----------------------------------------------------------------------------------- */

/* first <= value and value < first + size; a dynamic value is an address in memory. */
static struct plan_expression *check_range(struct compilation *compilation,
                                           const struct expression *expression,
                                           const struct plan_expression *value,
                                           const struct plan_expression *first,
                                           const struct plan_expression *size) {
    const struct source_span *where = &expression->where;
    if (value->type != PLAN_TYPE_INTEGER) {
        diagnose(compilation->diagnostics, &value->where, MESSAGE_DATA_VALUE, type_phrase(value->type));
        return error_expression(compilation, expression);
    }
    bool moved = value->dynamic && value->op != PLAN_OP_STATIC;
    if (moved) {
        struct plan_expression *made = make_expression(compilation, PLAN_OP_STATIC, PLAN_TYPE_INTEGER, where);
        made->operand[0] = value;
        made->dynamic = true;
        value = made;
    }
    struct plan_expression *end =
        make_operator(compilation, PLAN_OP_ADD, PLAN_TYPE_INTEGER, where, first, size);
    return make_operator(
        compilation, PLAN_OP_AND, PLAN_TYPE_BOOLEAN, where,
        make_operator(compilation, PLAN_OP_GREATER_EQUAL, PLAN_TYPE_BOOLEAN, where, value, first),
        make_operator(compilation, PLAN_OP_LESS, PLAN_TYPE_BOOLEAN, where, value, end));
}

/* value in data("NAME") */
static struct plan_expression *check_in_data(struct compilation *compilation,
                                             const struct expression *expression,
                                             const struct plan_expression *value,
                                             const struct expression *data) {
    const struct plan_expression *operand[2];
    if (!check_data_name(compilation, data, operand))
        return error_expression(compilation, expression);
    return check_range(compilation, expression, value,
                       data_value(compilation, PLAN_OP_DATA_ADDRESS, &data->where, operand[0], operand[1]),
                       data_value(compilation, PLAN_OP_DATA_SIZE, &data->where, operand[0], operand[1]));
}

/* value in d, the variable of a loop over data */
static struct plan_expression *check_in_place(struct compilation *compilation,
                                              const struct expression *expression,
                                              const struct plan_expression *value,
                                              const struct expression *place) {
    struct plan_expression *bounds[2];
    for (int i = 0; i < 2; i++) {
        bounds[i] = make_expression(compilation, PLAN_OP_ATTRIBUTE, PLAN_TYPE_INTEGER, &place->where);
        bounds[i]->attribute = i == 0 ? PLAN_ATTRIBUTE_DATA_ADDRESS : PLAN_ATTRIBUTE_DATA_SIZE;
        bounds[i]->operand[0] = check_expression(compilation, place);
    }
    return check_range(compilation, expression, value, bounds[0], bounds[1]);
}

/* True if it is the variable of a loop over data. */
static bool is_data_variable(const struct compilation *compilation, const struct expression *expression) {
    uint32_t variable;
    return expression->kind == EXPRESSION_NAME && find_scope(compilation, expression->name.text, &variable) &&
           compilation->scopes[variable].loop.kind == PLAN_DATA && !compilation->scopes[variable].broken;
}

/* ---- sets and values ------------------------------------------------------------------------ */

static struct plan_expression *check_in_set(struct compilation *compilation,
                                            const struct expression *expression,
                                            const struct plan_expression *place,
                                            const struct expression *member) {
    struct plan_expression *result = error_expression(compilation, expression);
    uint32_t set = check_set(compilation, member);
    if (set == NO_SET || !require_member_kind(compilation, place, set))
        return result;
    result->op = PLAN_OP_MEMBER;
    result->type = PLAN_TYPE_BOOLEAN;
    result->set = set;
    result->operand[0] = place;
    return result;
}

/* value == member */
static struct plan_expression *check_equal(struct compilation *compilation, struct expression *value,
                                           struct expression *member) {
    struct expression equal = {.kind = EXPRESSION_OPERATOR,
                               .op = PLAN_OP_EQUAL,
                               .where = member->where,
                               .operator_where = member->where,
                               .operand = {value, member}};
    return check_expression(compilation, &equal);
}

static struct plan_expression *check_one(struct compilation *compilation, const struct expression *expression,
                                         const struct plan_expression *value, struct expression *member) {
    if (value->type >= PLAN_TYPE_PROGRAM)
        return check_in_set(compilation, expression, value, member);
    if (member->kind == EXPRESSION_FUNCTION && strcmp(member->name.text, "file") == 0)
        return check_listed(compilation, expression, value, member);
    if (member->kind == EXPRESSION_FUNCTION && strcmp(member->name.text, plan_place_words[PLAN_DATA]) == 0)
        return check_in_data(compilation, expression, value, member);
    if (is_data_variable(compilation, member))
        return check_in_place(compilation, expression, value, member);
    if (!expression->has_parentheses) {
        uint32_t set = check_set(compilation, member);
        if (set != NO_SET)
            require_member_kind(compilation, value, set);
        bool data = set != NO_SET && compilation->sets[set].set.kind == PLAN_DATA;
        diagnose_hint(
            compilation->diagnostics,
            data ? "data(\"NAME\") is one object of data; of a set: for d in SET { ... $addr in d ... }"
                 : "values are listed in parentheses, files by file(\"NAME\")");
        return error_expression(compilation, expression);
    }
    return check_equal(compilation, expression->operand[0], member);
}

/* Compares with one of `count` members; both halves are separate, so that the tree of a long list is not
   deep. */
static struct plan_expression *check_any(struct compilation *compilation, const struct expression *expression,
                                         const struct plan_expression *value, struct expression **member,
                                         uint32_t count) {
    if (count == 1) {
        struct expression *one = *member;
        *member = one->next;
        return check_one(compilation, expression, value, one);
    }
    struct plan_expression *left = check_any(compilation, expression, value, member, count / 2);
    struct plan_expression *right = check_any(compilation, expression, value, member, count - count / 2);
    struct expression either = {.kind = EXPRESSION_OPERATOR,
                                .op = PLAN_OP_OR,
                                .where = expression->where,
                                .operator_where = expression->where};
    struct plan_expression *const sides[3] = {left, right, NULL};
    return check_operator(compilation, &either, sides);
}

struct plan_expression *check_member(struct compilation *compilation, const struct expression *expression) {
    struct expression *member = expression->arguments;
    const struct plan_expression *value = check_expression(compilation, expression->operand[0]);
    if (value->type == PLAN_TYPE_ERROR)
        return error_expression(compilation, expression);
    return check_any(compilation, expression, value, &member, expression->argument_count);
}
