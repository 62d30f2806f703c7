/* arrays.c: arrays that calls pass to C: their elements, folded, and written into the tables. Requires a
   checked plan; the elements have the type of the parameter. */
#include <string.h>

#include "engine/select/internal.h"
#include "engine/rewrite.h"

/* An array in progress. */
struct filling {
    struct arena *arena; /* holds the elements, until they are packed */
    const struct plan_array *array;
    const struct plan_parameter *parameter; /* NULL: there is no declaration */
    struct site_array *filled;
    int64_t *numbers;
    const char **strings;
    uint32_t number_capacity, string_capacity;
};

static void check_fits(struct selection *selection, const struct filling *filling, int64_t value) {
    unsigned bits = c_type_bits(filling->filled->element);
    if (bits == 64 || selection->failed)
        return;
    int64_t least = filling->parameter->element_unsigned ? 0 : -(INT64_C(1) << (bits - 1));
    int64_t most = (INT64_C(1) << (filling->parameter->element_unsigned ? bits : bits - 1)) - 1;
    if (value >= least && value <= most)
        return;
    diagnose(selection->diagnostics, &filling->array->value->where, MESSAGE_ELEMENT_RANGE,
             (unsigned long long)filling->filled->count, filling->array->name, (long long)value, bits,
             filling->parameter->spelled);
    selection->failed = true;
}

static void add_element(struct selection *selection, void *context) {
    struct filling *filling = context;
    struct site_array *filled = filling->filled;
    struct attribute_value value = fold_shown(selection, filling->array->value);
    if (filled->element == PLAN_C_STRING) {
        ARENA_RESERVE(filling->arena, filling->strings, filled->count, filling->string_capacity);
        filling->strings[filled->count] = value.string ? value.string : "";
    } else {
        ARENA_RESERVE(filling->arena, filling->numbers, filled->count, filling->number_capacity);
        filling->numbers[filled->count] = value.integer;
        check_fits(selection, filling, value.integer);
    }
    filled->count++;
}

/* Packs the numbers in elements of their size; little-endian, like the host. */
static void pack_elements(struct arena *arena, const struct filling *filling) {
    struct site_array *filled = filling->filled;
    size_t size = c_type_bits(filled->element) / 8;
    char *bytes = arena_allocate(arena, filled->count * size + 1);
    for (uint32_t i = 0; i < filled->count; i++)
        memcpy(bytes + i * size, &filling->numbers[i], size);
    filled->bytes = bytes;
}

struct site_array *fill_array(struct selection *selection, struct sites *sites, uint32_t array,
                              const struct plan_parameter *parameter) {
    const struct plan_array *plan_array = &selection->plan->arrays[array];
    enum plan_c_type element = plan_array->value->type == PLAN_TYPE_STRING ? PLAN_C_STRING
                               : parameter                                 ? parameter->element
                                                                           : PLAN_C_LONG;
    for (struct site_array *at = sites->arrays; at; at = at->next)
        if (at->array == array && at->element == element)
            return at;
    struct site_array *filled = arena_allocate(sites->arena, sizeof *filled);
    *filled = (struct site_array){.array = array, .element = element, .next = sites->arrays};
    struct filling filling = {
        .arena = arena_create(), .array = plan_array, .parameter = parameter, .filled = filled};
    uint32_t variable, *outer = selection->variables;
    selection->variables = &variable;
    each_place(selection, &plan_array->loop, 0, add_element, &filling);
    selection->variables = outer;
    if (element == PLAN_C_STRING) {
        const char **strings = arena_allocate(sites->arena, filled->count * sizeof *strings);
        if (filled->count)
            memcpy(strings, filling.strings, filled->count * sizeof *strings);
        filled->strings = strings;
    } else {
        pack_elements(sites->arena, &filling);
    }
    arena_destroy(filling.arena);
    sites->arrays = filled;
    return filled;
}
