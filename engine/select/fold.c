/* fold.c: evaluates the static expressions and sets of a plan for one program. Requires an analysed
   program; a set is computed on its first use. */
#include <fnmatch.h>
#include <inttypes.h>
#include <regex.h>
#include <string.h>

#include "codegen/machines.h"
#include "engine/object/object.h"
#include "engine/select/internal.h"
#include "support/search.h"

/* ---- sets ----------------------------------------------------------------------------------------- */

bool is_member(const struct member_map *map, uint32_t place) {
    return place < map->place_count && map->bits[place / 64] >> place % 64 & 1;
}

static uint32_t member_number(const struct member_map *map, uint32_t place) {
    uint64_t before = map->bits[place / 64] & ((UINT64_C(1) << place % 64) - 1);
    return map->ranks[place / 64] + __builtin_popcountll(before);
}

/* The loops of a set, entered up to `depth`. */
struct set_loops {
    const struct plan_set *set;
    struct member_map *map;
    uint32_t depth;
};

static void add_members(struct selection *selection, void *context) {
    struct set_loops *loops = context;
    if (loops->depth == loops->set->loop_count) {
        uint32_t place = selection->variables[loops->depth - 1];
        loops->map->bits[place / 64] |= UINT64_C(1) << place % 64;
        return;
    }
    uint32_t depth = loops->depth++;
    each_place(selection, loops->set->loops, depth, add_members, loops);
    loops->depth--;
}

static void select_members(struct selection *selection, const struct plan_set *set, struct member_map *map) {
    struct set_loops loops = {.set = set, .map = map};
    uint32_t *outer = selection->variables;
    selection->variables = arena_allocate(selection->arena, set->loop_count * sizeof *selection->variables);
    add_members(selection, &loops);
    selection->variables = outer;
}

static void combine_members(struct selection *selection, const struct plan_set *set, struct member_map *map,
                            size_t words) {
    const uint64_t *left = selection_set(selection, set->left)->bits;
    const uint64_t *right = selection_set(selection, set->right)->bits;
    for (size_t i = 0; i < words; i++)
        map->bits[i] = set->form == PLAN_SET_UNION          ? left[i] | right[i]
                       : set->form == PLAN_SET_INTERSECTION ? left[i] & right[i]
                                                            : left[i] & ~right[i];
}

struct member_map *selection_set(struct selection *selection, uint32_t index) {
    struct member_map *map = &selection->sets[index];
    const struct plan_set *set = &selection->plan->sets[index];
    if (map->bits)
        return map;
    map->place_count = place_count(selection->program, set->kind);
    size_t words = (size_t)map->place_count / 64 + 1;
    map->bits = arena_allocate(selection->arena, words * sizeof *map->bits);
    map->ranks = arena_allocate(selection->arena, words * sizeof *map->ranks);
    if (set->form == PLAN_SET_SELECTION)
        select_members(selection, set, map);
    else
        combine_members(selection, set, map, words);
    for (size_t i = 0; i < words; i++) {
        map->ranks[i] = map->member_count;
        map->member_count += __builtin_popcountll(map->bits[i]);
    }
    return map;
}

/* The number of the counter's cells, without buckets. The value may be known, and checked, only here. */
static uint64_t count_counter_cells(struct selection *selection, const struct plan_counter *counter) {
    if (counter->set != PLAN_SINGLE_CELL)
        return selection_set(selection, counter->set)->member_count;
    if (!counter->size)
        return 1;
    int64_t count = fold(selection, counter->size).integer;
    if (count > 0 && count <= PLAN_MOST_CELLS)
        return (uint64_t)count;
    if (!selection->failed)
        diagnose(selection->diagnostics, &counter->size->where, MESSAGE_CELLS_COUNT,
                 counter->kind == PLAN_HISTOGRAM ? "histogram" : "counter", counter->name, (long long)count,
                 PLAN_MOST_CELLS);
    selection->failed = true;
    return 1;
}

uint64_t *lay_out_cells(struct selection *selection, struct arena *arena) {
    const struct plan *plan = selection->plan;
    uint64_t *bases = arena_allocate(arena, ((size_t)plan->counter_count + 1) * sizeof *bases);
    for (uint32_t i = 0; i < plan->counter_count; i++) {
        const struct plan_counter *counter = &plan->counters[i];
        uint64_t cells = plan_is_keyed(counter) ? 0 : count_counter_cells(selection, counter);
        bases[i + 1] = bases[i] + cells * (counter->kind == PLAN_HISTOGRAM ? counter->buckets.count : 1);
    }
    return bases;
}

/* Sets the loop's variable to a place that fulfils the condition. */
static void visit_place(struct selection *selection, const struct plan_loop *loop, uint32_t depth,
                        uint32_t place, void (*visit)(struct selection *selection, void *context),
                        void *context) {
    selection->variables[depth] = place;
    if (!loop->condition || fold(selection, loop->condition).integer)
        visit(selection, context);
}

static void each_member(struct selection *selection, const struct plan_loop *loop, uint32_t depth,
                        void (*visit)(struct selection *selection, void *context), void *context) {
    const struct member_map *members = selection_set(selection, loop->set);
    for (uint32_t word = 0; word <= members->place_count / 64; word++)
        for (uint64_t bits = members->bits[word]; bits && !selection->failed; bits &= bits - 1)
            visit_place(selection, loop, depth, 64 * word + (uint32_t)__builtin_ctzll(bits), visit, context);
}

static void each_neighbour(struct selection *selection, const struct plan_loop *loop, uint32_t depth,
                           void (*visit)(struct selection *selection, void *context), void *context) {
    struct arena *scratch = selection->program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    uint32_t count, *blocks = block_neighbours(selection->program, selection->variables[loop->container],
                                               loop->domain == PLAN_DOMAIN_SUCCESSORS, &count, scratch);
    for (uint32_t i = 0; i < count && !selection->failed; i++)
        visit_place(selection, loop, depth, blocks[i], visit, context);
    arena_release(scratch, mark);
}

/* Registers by their numbers. */
enum { MOST_REGISTERS = 64 };

static void each_register(struct selection *selection, const struct plan_loop *loop, uint32_t depth,
                          void (*visit)(struct selection *selection, void *context), void *context) {
    enum plan_attribute uses =
        loop->domain == PLAN_DOMAIN_READ ? PLAN_ATTRIBUTE_INST_READS : PLAN_ATTRIBUTE_INST_WRITES;
    uint32_t instruction = selection->variables[loop->container];
    for (int reg = 0; reg < MOST_REGISTERS && !selection->failed; reg++)
        if (attribute_value(selection->program, uses, instruction, reg).integer)
            visit_place(selection, loop, depth, (uint32_t)reg, visit, context);
}

/* For a report's loop: a histogram's buckets, or a counter's cells. */
static uint64_t count_loop_rows(struct selection *selection, const struct plan_counter *counter) {
    return counter->kind == PLAN_HISTOGRAM ? counter->buckets.count : count_counter_cells(selection, counter);
}

void each_place(struct selection *selection, const struct plan_loop *loops, uint32_t depth,
                void (*visit)(struct selection *selection, void *context), void *context) {
    const struct plan_loop *loop = &loops[depth];
    const struct program *program = selection->program;
    uint32_t first = 0, count = place_count(program, loop->kind), container = 0;
    enum plan_place outer = PLAN_PROGRAM;
    switch (loop->domain) {
    case PLAN_DOMAIN_SET:
        each_member(selection, loop, depth, visit, context);
        return;
    case PLAN_DOMAIN_SUCCESSORS:
    case PLAN_DOMAIN_PREDECESSORS:
        each_neighbour(selection, loop, depth, visit, context);
        return;
    case PLAN_DOMAIN_READ:
    case PLAN_DOMAIN_WRITTEN:
        each_register(selection, loop, depth, visit, context);
        return;
    case PLAN_DOMAIN_CONTAINED:
        outer = loops[loop->container].kind;
        container = selection->variables[loop->container];
        places_inside(program, outer, container, loop->kind, &first, &count);
        break;
    case PLAN_DOMAIN_ONE:
        first = loop->set;
        count = 1;
        break;
    case PLAN_DOMAIN_KEYS: /* one for all: the runtime has them */
        count = 1;
        break;
    case PLAN_DOMAIN_BUCKETS:
        count = (uint32_t)count_loop_rows(selection, &selection->plan->counters[loop->histogram]);
        break;
    case PLAN_DOMAIN_ALL:
        break;
    }
    for (uint32_t place = first; place < first + count && !selection->failed; place++)
        if (place_is_inside(program, outer, container, loop->kind, place))
            visit_place(selection, loop, depth, place, visit, context);
}

/* A pattern of the plan, compiled on its first use. */
struct pattern {
    const char *text;
    regex_t compiled;
    struct pattern *next;
};

struct register_number {
    const char *name;
    int64_t number;
    struct register_number *next;
};

struct selection selection_make(const struct plan *plan, struct program *program,
                                struct diagnostics *diagnostics, uint32_t loops) {
    struct arena *arena = arena_create();
    return (struct selection){
        .arena = arena,
        .plan = plan,
        .program = program,
        .diagnostics = diagnostics,
        .sets = arena_allocate(arena, ((size_t)plan->set_count + 1) * sizeof(struct member_map)),
        .variables = arena_allocate(arena, ((size_t)loops + 1) * sizeof(uint32_t)),
    };
}

void selection_release(struct selection *selection) {
    for (struct pattern *pattern = selection->patterns; pattern; pattern = pattern->next)
        regfree(&pattern->compiled);
    arena_destroy(selection->arena);
}

/* ---- regular expressions --------------------------------------------------------------------------- */

static bool text_matches(struct selection *selection, const char *string, const char *text) {
    struct pattern *pattern = selection->patterns;
    while (pattern && pattern->text != text)
        pattern = pattern->next;
    if (!pattern) {
        pattern = arena_allocate(selection->arena, sizeof *pattern);
        *pattern = (struct pattern){.text = text, .next = selection->patterns};
        if (regcomp(&pattern->compiled, text, REG_EXTENDED | REG_NOSUB) != 0) {
            selection->failed = true; /* the compiler has checked it */
            return false;
        }
        selection->patterns = pattern;
    }
    return regexec(&pattern->compiled, string, 0, NULL, 0) == 0;
}

/* ---- lists of files --------------------------------------------------------------------------------- */

static bool is_in_list(const struct plan_list *list, struct attribute_value value) {
    const char *string = value.string ? value.string : "";
    uint32_t low = FIRST_NOT(0, list->count, at,
                             list->integers ? list->integers[at] < value.integer
                                            : strcmp(list->strings[at], string) < 0);
    if (low == list->count)
        return false;
    return list->integers ? list->integers[low] == value.integer
                          : value.string && strcmp(list->strings[low], value.string) == 0;
}

/* A list may contain C++ names of procedures. */
static bool is_named_in(struct selection *selection, const struct plan_list *list,
                        const struct plan_expression *expression) {
    struct attribute_value value = fold(selection, expression);
    if (is_in_list(list, value))
        return true;
    if (!value.string || !is_name(expression))
        return false;
    const char *shown = shown_name(selection, value.string);
    return shown != value.string && is_in_list(list, (struct attribute_value){shown, 0});
}

/* ---- data by name ------------------------------------------------------------------------------------ */

static const char *nearest_datum(const struct program *program, const char *name) {
    struct arena *scratch = program->scratch;
    struct arena_mark mark = arena_mark(scratch);
    const char **names = arena_allocate(scratch, ((size_t)program->data_name_count + 1) * sizeof *names);
    for (uint32_t i = 0; i < program->data_name_count; i++)
        names[i] = program->data_names[i].name;
    const char *nearest = nearest_name(name, names, program->data_name_count);
    arena_release(scratch, mark);
    return nearest;
}

/* Explains why there is no data object of that name. */
static void explain_no_datum(struct selection *selection, const char *name, const struct datum *others,
                             uint32_t count, bool chosen) {
    const struct program *program = selection->program;
    const char *nearest = name ? nearest_datum(program, name) : NULL;
    for (uint32_t p = 0; p < program->procedure_count && count == 0; p++)
        if (name && strcmp(program->procedures[p].name, name) == 0) {
            diagnose_hint(selection->diagnostics, "it is a procedure: p.pc and p.size");
            return;
        }
    if (count > 0 && others->is_of_threads)
        diagnose_hint(selection->diagnostics, "each thread has its own: it has no fixed address");
    else if (count > 0 && others->is_elsewhere)
        diagnose_hint(selection->diagnostics,
                      "it is in a library that is not instrumented: name that with --objects");
    else if (count > 0 && chosen)
        diagnose_hint(selection->diagnostics, "there is one in %s",
                      *others->unit ? others->unit : object_file_name(program, others->object));
    else if (program->data_name_count == 0)
        diagnose_hint(selection->diagnostics, "the program has no symbols");
    else if (nearest)
        diagnose_hint(selection->diagnostics, "did you mean '%s'?", nearest);
}

/* A pattern without a directory also matches the file's name without its directory. */
static bool is_file_like(const char *file, const char *pattern) {
    const char *slash = strchr(pattern, '/') ? NULL : strrchr(file, '/');
    return fnmatch(pattern, file, 0) == 0 || (slash && fnmatch(pattern, slash + 1, 0) == 0);
}

static bool is_datum_in(struct program *program, const struct datum *datum, const char *pattern) {
    const char *file;
    uint32_t line;
    data_position(program, datum, &file, &line);
    return is_file_like(file, pattern) || fnmatch(pattern, object_file_name(program, datum->object), 0) == 0;
}

/* The only data object of that name, in the first of the objects that has one; several names of one address
   count once.
 */
static const struct datum *find_datum(struct selection *selection, const struct plan_expression *expression) {
    struct program *program = selection->program;
    const char *name = fold(selection, expression->operand[0]).string;
    const char *pattern = expression->operand[1] ? fold(selection, expression->operand[1]).string : NULL;
    uint32_t count, first = data_named(program, name ? name : "", &count);
    const struct datum *names = &program->data_names[first], *found = NULL, *other = NULL;
    if (selection->failed)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct datum *datum = &names[i];
        if (datum->is_elsewhere || datum->is_of_threads || (pattern && !is_datum_in(program, datum, pattern)))
            continue;
        if (!found)
            found = datum;
        else if (datum->object == found->object && datum->address != found->address && !other)
            other = datum;
    }
    if (found && !other)
        return found;
    selection->failed = true;
    if (!found) {
        diagnose(selection->diagnostics, &expression->where, MESSAGE_NO_DATA, program->path, name);
        explain_no_datum(selection, name, names, count, pattern != NULL);
        return NULL;
    }
    const char *file, *other_file;
    uint32_t line, other_line;
    data_position(program, found, &file, &line);
    data_position(program, other, &other_file, &other_line);
    diagnose(selection->diagnostics, &expression->where, MESSAGE_SEVERAL_DATA, program->path, name);
    diagnose_hint(selection->diagnostics,
                  "at 0x%llx (%s) and 0x%llx (%s): say of which file, for instance %s(\"%s\", \"*.c\")",
                  (unsigned long long)found->address, *file ? file : "file unknown",
                  (unsigned long long)other->address, *other_file ? other_file : "file unknown",
                  expression->op == PLAN_OP_DATA_ADDRESS ? "address" : "size", name);
    return NULL;
}

/* ---- expressions ---------------------------------------------------------------------------------- */

static int64_t fold_index(struct selection *selection, const struct plan_expression *expression) {
    uint32_t place = fold(selection, expression->operand[0]).integer;
    const struct member_map *map = selection_set(selection, expression->set);
    if (is_member(map, place))
        return member_number(map, place);
    uint64_t address =
        place_address(selection->program, plan_type_place(expression->operand[0]->type), place);
    if (!selection->failed)
        diagnose(selection->diagnostics, &expression->where, MESSAGE_NOT_A_MEMBER,
                 (unsigned long long)address, selection->plan->sets[expression->set].name);
    selection->failed = true;
    return 0;
}

static int64_t fold_register(struct selection *selection, const struct plan_expression *expression) {
    const struct architecture *architecture = selection->program->architecture;
    int64_t number = -1;
    /* Comparing with each name of a register at each site takes a twentieth of the time of third. */
    for (const struct register_number *found = selection->registers; found; found = found->next)
        if (found->name == expression->string)
            return found->number;
    if (register_named(architecture, expression->string, &number)) {
        struct register_number *found = arena_allocate(selection->arena, sizeof *found);
        *found = (struct register_number){expression->string, number, selection->registers};
        selection->registers = found;
        return number;
    }
    if (selection->failed)
        return number;
    diagnose(selection->diagnostics, &expression->where, MESSAGE_NO_REGISTER_CALLED,
             machine_called(architecture->machine)->name, expression->string);
    diagnose_hint(selection->diagnostics, "the names of its registers: atomc info machines");
    selection->failed = true;
    return number;
}

static struct attribute_value fold_attribute(struct selection *selection,
                                             const struct plan_expression *expression) {
    uint32_t place = fold(selection, expression->operand[0]).integer;
    int64_t reg = expression->operand[1] ? fold(selection, expression->operand[1]).integer : -1;
    struct attribute_value value =
        attribute_value(selection->program, expression->attribute, place, (int)reg);
    if (expression->type < PLAN_TYPE_PROGRAM || (uint32_t)value.integer != NO_INDEX)
        return value;
    if (!selection->failed) {
        const struct plan_attribute_info *info = &plan_attributes[expression->attribute];
        diagnose(selection->diagnostics, &expression->where, MESSAGE_NO_SUCH_PLACE,
                 plan_place_words[info->place],
                 (unsigned long long)place_address(selection->program, info->place, place), info->word);
        diagnose_hint(selection->diagnostics, "ask first: %s",
                      info->place == PLAN_LOOP    ? "l.depth > 1 and ..."
                      : info->place == PLAN_BLOCK ? "b.loop_depth > 0 and ..."
                                                  : "i.target_pc != 0 and ...");
    }
    selection->failed = true;
    return integer_value(0);
}

static bool operator_holds(struct selection *selection, enum plan_operator op, const char *string,
                           const char *text) {
    return op == PLAN_OP_MATCH  ? text_matches(selection, string, text)
           : op == PLAN_OP_LIKE ? fnmatch(text, string, 0) == 0
                                : strcmp(string, text) == 0;
}

/* True if the text is meant for C++ names. Symbols contain none of these characters. In a regular
   expression most of them are operators. */
static bool is_of_cplusplus(enum plan_operator op, const char *text) {
    return strstr(text, "::") || (op != PLAN_OP_MATCH && strpbrk(text, "(<~ "));
}

/* For ==, !=, ~ and like: a C++ symbol is also compared by its C++ name, and a file by its name. */
static bool strings_match(struct selection *selection, const struct plan_expression *expression,
                          struct attribute_value a, struct attribute_value b) {
    const struct plan_expression *const *operand = (const struct plan_expression *const *)expression->operand;
    enum plan_operator op = expression->op;
    if (!a.string || !b.string)
        return false;
    if (operator_holds(selection, op, a.string, b.string))
        return true;
    if (op == PLAN_OP_LIKE && is_file(operand[0]))
        return is_file_like(a.string, b.string);
    if (is_name(operand[0]) && is_of_cplusplus(op, b.string))
        return operator_holds(selection, op, shown_name(selection, a.string), b.string);
    return op != PLAN_OP_MATCH && op != PLAN_OP_LIKE && is_name(operand[1]) &&
           is_of_cplusplus(op, a.string) && strcmp(a.string, shown_name(selection, b.string)) == 0;
}

/* The first loop variable in the expression; NULL if it has none. */
static const struct plan_expression *find_variable(const struct plan_expression *expression) {
    if (!expression || expression->op == PLAN_OP_VARIABLE)
        return expression;
    const struct plan_expression *found = NULL;
    for (size_t i = 0; !found && i < sizeof expression->operand / sizeof *expression->operand; i++)
        found = find_variable(expression->operand[i]);
    return found;
}

/* Reports the place at which an operand has this value. */
static void explain_place(struct selection *selection, const struct plan_expression *operand) {
    const struct plan_expression *variable = find_variable(operand);
    if (!variable || variable->type <= PLAN_TYPE_PROGRAM || variable->type > PLAN_TYPE_POSITION)
        return;
    const enum plan_place kind = plan_type_place(variable->type);
    const uint32_t place = selection->variables[variable->variable];
    if (place < place_count(selection->program, kind))
        diagnose_hint(selection->diagnostics, "so it is for the %s at 0x%llx", plan_place_words[kind],
                      (unsigned long long)place_address(selection->program, kind, place));
}

static int64_t fold_operator(struct selection *selection, const struct plan_expression *expression) {
    const struct plan_operator_info *info = &plan_operators[expression->op];
    struct attribute_value a = fold(selection, expression->operand[0]), b = {0};
    /* If the first operand decides, the second may have no value here. */
    if (info->kind == PLAN_LOGIC && plan_decides(expression->op, a.integer))
        return plan_operate(expression->op, a.integer, 0);
    if (info->operands == 2)
        b = fold(selection, expression->operand[1]);
    if (info->kind == PLAN_STRINGS)
        return strings_match(selection, expression, a, b);
    if (info->kind == PLAN_EQUALITY && a.string && b.string) /* equal strings have difference 0 */
        return plan_operate(expression->op, !strings_match(selection, expression, a, b), 0);
    enum message complaint;
    if (plan_operand_fits(expression->op, b.integer, &complaint))
        return plan_operate(expression->op, a.integer, b.integer);
    if (!selection->failed) {
        diagnose(selection->diagnostics, &expression->where, complaint, (long long)b.integer);
        explain_place(selection, expression->operand[1]);
    }
    selection->failed = true;
    return 0;
}

static struct attribute_value fold_function(struct selection *selection,
                                            const struct plan_expression *expression) {
    const struct plan_function *function = &selection->plan->functions[expression->function];
    struct plan_argument arguments[PLAN_FUNCTION_PARAMETERS];
    uint32_t count = 0;
    for (const struct plan_expression *at = expression->operand[0]; at; at = at->operand[1]) {
        struct attribute_value value = fold(selection, at->operand[0]);
        arguments[count++] = (struct plan_argument){value.string, value.integer};
    }
    if (selection->failed)
        return integer_value(0);
    struct plan_argument result = function->call(function, arguments);
    return (struct attribute_value){result.string, result.integer};
}

struct attribute_value fold(struct selection *selection, const struct plan_expression *expression) {
    const struct plan_expression *const *operand = expression->operand;
    struct attribute_value a;
    switch (expression->op) {
    case PLAN_OP_INTEGER:
        return integer_value(expression->integer);
    case PLAN_OP_STRING:
        return (struct attribute_value){expression->string, 0};
    case PLAN_OP_REGISTER:
        return integer_value(fold_register(selection, expression));
    case PLAN_OP_VARIABLE:
        return integer_value(selection->variables[expression->variable]);
    case PLAN_OP_ATTRIBUTE:
        return fold_attribute(selection, expression);
    case PLAN_OP_INDEX:
        return integer_value(fold_index(selection, expression));
    case PLAN_OP_COUNT:
        return integer_value(selection_set(selection, expression->set)->member_count);
    case PLAN_OP_MEMBER:
        a = fold(selection, operand[0]);
        return integer_value(is_member(selection_set(selection, expression->set), a.integer));
    case PLAN_OP_DATA_ADDRESS:
    case PLAN_OP_DATA_SIZE: {
        const struct datum *datum = find_datum(selection, expression);
        return integer_value(!datum                                   ? 0
                             : expression->op == PLAN_OP_DATA_ADDRESS ? (int64_t)datum->address
                                                                      : (int64_t)datum->size);
    }
    case PLAN_OP_LISTED:
        return integer_value(is_named_in(selection, expression->list, operand[0]));
    case PLAN_OP_BUCKET_LOW:
    case PLAN_OP_BUCKET_HIGH: {
        const struct plan_buckets *buckets = &selection->plan->counters[expression->counter].buckets;
        uint32_t bucket = (uint32_t)fold(selection, operand[0]).integer;
        return integer_value(expression->op == PLAN_OP_BUCKET_LOW ? plan_bucket_low(buckets, bucket)
                                                                  : plan_bucket_high(buckets, bucket));
    }
    case PLAN_OP_SYSTEM_CALL: {
        int64_t number = fold(selection, operand[0]).integer;
        const char *name = system_call_name(selection->program->architecture, number);
        return (struct attribute_value){
            name ? name : arena_format(selection->program->arena, "%" PRId64, number), 0};
    }
    case PLAN_OP_REGISTER_NAME: {
        int64_t number = fold(selection, operand[0]).integer;
        const char *name = selection->program->architecture->register_name(number);
        return string_value(name ? name : arena_format(selection->program->arena, "%" PRId64, number));
    }
    case PLAN_OP_CONDITIONAL:
        return fold(selection, fold(selection, operand[0]).integer ? operand[1] : operand[2]);
    case PLAN_OP_FOREIGN:
        return fold_function(selection, expression);
    case PLAN_OP_VALUE:
        return integer_value(0); /* dynamic: never folded */
    default:
        return integer_value(fold_operator(selection, expression));
    }
}
