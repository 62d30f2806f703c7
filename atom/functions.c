/* functions.c: C functions of the user that expressions of .atd files call while instrumenting. Requires
   libraries whose prototypes the compiler has checked; all arguments are passed as 64-bit integers, which
   the hosts' calling conventions allow for integers and pointers. */
#include "atom/internal.h"

#include <stdlib.h>
#include <string.h>

typedef long foreign(long, long, long, long, long, long);

static long handle_of(enum plan_type type, const struct plan_argument *argument) {
    uint32_t place = (uint32_t)argument->integer;
    switch (type) {
    case PLAN_TYPE_ENTRY:
        return (long)(intptr_t)entry_handle(place);
    case PLAN_TYPE_PROCEDURE:
        return (long)(intptr_t)proc_handle(place);
    case PLAN_TYPE_BLOCK:
        return (long)(intptr_t)block_handle(place);
    case PLAN_TYPE_INSTRUCTION:
        return (long)(intptr_t)inst_handle(place);
    case PLAN_TYPE_STRING:
        return (long)(intptr_t)argument->string;
    default:
        return argument->integer;
    }
}

/* Strings are copied: the user's buffer may be used again. */
static struct plan_argument call(const struct plan_function *function,
                                 const struct plan_argument *arguments) {
    long values[PLAN_FUNCTION_PARAMETERS] = {0};
    for (uint32_t i = 0; i < function->parameter_count; i++)
        values[i] = handle_of(function->parameters[i], &arguments[i]);
    foreign *address;
    memcpy(&address, &function->address, sizeof address);
    user_code_begin(function->library);
    long result = address(values[0], values[1], values[2], values[3], values[4], values[5]);
    if (function->result != PLAN_TYPE_STRING) {
        user_code_end();
        return (struct plan_argument){NULL, function->result_c == PLAN_C_INT    ? (int)result
                                            : function->result_c == PLAN_C_CHAR ? (result & 0xff) != 0
                                                                                : result};
    }
    const char *text = (const char *)(intptr_t)result;
    text = text ? arena_string(session.arena, text, strlen(text)) : "";
    user_code_end();
    return (struct plan_argument){text, 0};
}

void atom_bind(struct plan *plan, struct atom_library *const *libraries) {
    for (uint32_t i = 0; i < plan->function_count; i++) {
        struct plan_function *function = (struct plan_function *)&plan->functions[i];
        function->library = libraries[function->file];
        function->address = atom_symbol(function->library, function->name);
        function->call = call;
    }
}
