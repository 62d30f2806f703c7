/* stacks.c: `$stack`, the calling context: statements that follow calls are added to a tool that uses it.
   Requires that all of the tool has been checked. */
#include "compiler/internal.h"

#include <stdlib.h>
#include <string.h>

/* As stdtools/calls.inc has it for tools in C, without blocks: where `$stack` is asked for, the place tells
 * what is active. */
static const char statements[] =
    "before program call atomc_stack_begin(count(procs), program.is_dynamic)\n"
    "for atomc_p in procs {\n"
    "    before program call atomc_stack_procedure(index(atomc_p), atomc_p.pc, atomc_p.size, atomc_p.name, "
    "\"\", 0)\n"
    "    before atomc_p when $pc <= atomc_p.pc + 8\n"
    "        call atomc_stack_enter(index(atomc_p), atomc_p.name like \"__div[lq]*\" or atomc_p.name like "
    "\"__rem[lq]*\" or\n"
    "            atomc_p.name like \"__stx*\" ? $static($(t9)) : $static($(ra)), $(sp), $thread)\n"
    "    for atomc_i in atomc_p.insts {\n"
    "        before program when atomc_i.system_call_number == 103 or atomc_i.system_call_number == 351\n"
    "            call atomc_stack_resumes(index(atomc_p))\n"
    "        before atomc_i when atomc_i.is_return or atomc_i.system_call_number == 103 or "
    "atomc_i.system_call_number == 351\n"
    "            call atomc_stack_return(index(atomc_p), $(sp), $thread)\n"
    "    }\n"
    "}\n";

bool follows_stacks(const char *routine) {
    return strncmp(routine, "atomc_stack_", strlen("atomc_stack_")) == 0;
}

const struct statement *stack_statements(struct compilation *compilation) {
    struct source *source = arena_allocate(compilation->arena, sizeof *source);
    *source = (struct source){.path = "$stack", .text = statements, .length = strlen(statements)};
    return parse_file(source, compilation->arena, compilation->diagnostics);
}

/* What is done on the way comes first. */
void move_last_actions(struct compilation *compilation, uint32_t first) {
    uint32_t count = compilation->action_count - first;
    struct plan_action *moved = allocate((count + 1) * sizeof *moved);
    memcpy(moved, compilation->actions + first, count * sizeof *moved);
    memmove(compilation->actions + count, compilation->actions, first * sizeof *moved);
    memcpy(compilation->actions, moved, count * sizeof *moved);
    free(moved);
}
