/* stacks.c: `$stack`, the calling context: statements that follow calls are added to a tool that uses it.
   Requires that all of the tool has been checked. */
#include "compiler/internal.h"

#include <stdlib.h>
#include <string.h>

/* The same calls as in stdtools/calls.inc for tools in C, without blocks: where `$stack` is used, the place
   gives the active procedure. */
static const char on_the_way[] =
    "before program call atomc_stack_begin(count(procs), program.is_dynamic)\n"
    "for atomc_p in procs {\n"
    "    before program call atomc_stack_procedure(index(atomc_p), atomc_p.pc, atomc_p.size, atomc_p.name, "
    "\"\", 0)\n"
    "    before atomc_p when $pc <= atomc_p.pc + 8\n"
    "        call atomc_stack_enter(index(atomc_p), atomc_p.name like \"__div[lq]*\" or atomc_p.name like "
    "\"__rem[lq]*\" or\n"
    "            atomc_p.name like \"__stx*\" ? $static($(t9)) : atomc_p.name == \"__getcontext_x\" ? "
    "$static($(v0)) : $static($(ra)), $(sp), $thread)\n"
    "    for atomc_i in atomc_p.insts {\n"
    "        before program when atomc_i.system_call_number == 103 or atomc_i.system_call_number == 351\n"
    "            call atomc_stack_resumes(index(atomc_p))\n"
    "        before atomc_i when atomc_i.system_call_number == 103\n"
    "            call atomc_stack_resume($static($memory($a0 + 16, 8)), $memory($a0 + 272, 8), "
    "$static($memory($a0 + 240, 8)), $thread)\n"
    "        before atomc_i when atomc_i.system_call_number == 351\n"
    "            call atomc_stack_resume($static($memory($a0 + 192, 8)), $memory($a0 + 448, 8), "
    "$static($memory($a0 + 416, 8)), $thread)\n"
    "    }\n"
    "}\n";
static const char at_its_end[] =
    "for atomc_p in procs {\n"
    "    for atomc_i in atomc_p.insts {\n"
    "        after atomc_i when atomc_i.is_return\n"
    "            call atomc_stack_return(index(atomc_p), $static($(atomc_i.rb)), $(sp), $thread)\n"
    "    }\n"
    "}\n";

bool follows_stacks(const char *routine) {
    return strncmp(routine, "atomc_stack_", strlen("atomc_stack_")) == 0;
}

static const struct statement *parsed_statement(struct compilation *compilation, const char *text) {
    struct source *source = arena_allocate(compilation->arena, sizeof *source);
    *source = (struct source){.path = "$stack", .text = text, .length = strlen(text)};
    return parse_file(source, compilation->arena, compilation->diagnostics);
}

/* Changes the numbers of the statements, too; they order the effects at one point. */
static void move_last_actions(struct compilation *compilation, uint32_t first) {
    uint32_t count = compilation->action_count - first;
    if (count == 0)
        return;
    uint32_t before = compilation->actions[first].statement, moving = compilation->action_statements - before;
    for (uint32_t i = 0; i < first; i++)
        compilation->actions[i].statement += moving;
    for (uint32_t i = first; i < compilation->action_count; i++)
        compilation->actions[i].statement -= before;
    struct plan_action *moved = allocate((count + 1) * sizeof *moved);
    memcpy(moved, compilation->actions + first, count * sizeof *moved);
    memmove(compilation->actions + count, compilation->actions, first * sizeof *moved);
    memcpy(compilation->actions, moved, count * sizeof *moved);
    free(moved);
}

/* A procedure becomes active before the tool's actions at its entry, and remains active until the actions at
   its return are done. */
void follow_stacks(struct compilation *compilation) {
    uint32_t first = compilation->action_count;
    check_statements(compilation, parsed_statement(compilation, on_the_way));
    move_last_actions(compilation, first);
    check_statements(compilation, parsed_statement(compilation, at_its_end));
}
