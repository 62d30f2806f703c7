/* stacks.c: `$stack`, the calling context, and `on unwind`: statements that follow calls are added to a tool
   that uses them. Requires that all of the tool has been checked. */
#include "compiler/internal.h"

#include <stdlib.h>
#include <string.h>

bool follows_stacks(const char *routine) {
    return strncmp(routine, "atomc_stack_", strlen("atomc_stack_")) == 0;
}

const struct statement *parsed_statement(struct compilation *compilation, const char *text) {
    struct source *source = arena_allocate(compilation->arena, sizeof *source);
    *source = (struct source){.path = "$stack", .text = text, .length = strlen(text)};
    return parse_file(source, compilation->arena, compilation->diagnostics);
}

void move_last_actions(struct compilation *compilation, uint32_t first) {
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

/* ---- `on unwind` ---- */

/* The cell that the runtime sets while some procedures have been unwound for which the actions are not done.
 */
static struct plan_expression *flag_expression(struct compilation *compilation, enum plan_operator op,
                                               uint32_t flag) {
    const struct source_span *where = &compilation->tool->statements->where;
    struct plan_expression *result =
        make_expression(compilation, op, op == PLAN_OP_CELL ? PLAN_TYPE_INTEGER : PLAN_TYPE_ARRAY, where);
    result->counter = flag;
    result->dynamic = op == PLAN_OP_CELL;
    if (op == PLAN_OP_CELL)
        result->operand[0] = make_expression(compilation, PLAN_OP_INTEGER, PLAN_TYPE_INTEGER, where);
    return result;
}

static bool is_routine_called(const struct compilation *compilation, const struct plan_action *action,
                              const char *name) {
    return action->kind == PLAN_ACTION_CALL &&
           strcmp(compilation->routines[action->routine].routine.name, name) == 0;
}

/* The calls of atomc_stack_unwind are made only where the flag is set, by the routine that the commands need.
 */
static void guard_unwinding(struct compilation *compilation, uint32_t flag) {
    uint32_t routine = own_routine(compilation, plan_unwind_routine(compilation->prints_events));
    for (uint32_t i = 0; i < compilation->action_count; i++) {
        struct plan_action *action = &compilation->actions[i];
        if (!is_routine_called(compilation, action, "atomc_stack_unwind"))
            continue;
        const struct plan_expression *set =
            to_boolean(compilation, flag_expression(compilation, PLAN_OP_CELL, flag), "");
        action->guard = action->guard ? both(compilation, both(compilation, NULL, action->guard), set) : set;
        action->routine = routine;
    }
}

static void add_watches(struct compilation *compilation) {
    for (uint32_t i = 0; i < compilation->watch_count; i++) {
        VECTOR_RESERVE(compilation->actions, compilation->action_count, compilation->action_capacity);
        compilation->actions[compilation->action_count] = compilation->watches[i];
        compilation->actions[compilation->action_count++].statement = compilation->action_statements++;
    }
}

/* Adds the flag, and gives it to the runtime. */
static uint32_t add_flag(struct compilation *compilation) {
    uint32_t flag =
        add_counter(compilation, (struct plan_counter){.name = "unwound",
                                                       .where = compilation->tool->statements->where,
                                                       .kind = PLAN_SAMPLE,
                                                       .set = PLAN_SINGLE_CELL,
                                                       .live = true});
    const struct plan_expression **argument = arena_allocate(compilation->arena, sizeof *argument);
    *argument = flag_expression(compilation, PLAN_OP_CELLS, flag);
    const struct plan_action action = {.where = compilation->tool->statements->where,
                                       .statement = compilation->action_statements++,
                                       .place = PLAN_PROGRAM,
                                       .when = PLAN_BEFORE,
                                       .kind = PLAN_ACTION_CALL,
                                       .follower = PLAN_FOLLOWER_FIRST,
                                       .routine = own_routine(compilation, "atomc_stack_flag"),
                                       .argument_count = 1,
                                       .arguments = argument};
    VECTOR_RESERVE(compilation->actions, compilation->action_count, compilation->action_capacity);
    compilation->actions[compilation->action_count++] = action;
    return flag;
}

/* ---- the calls ---- */

/* Adds the statements of a text to the actions that follow calls. */
static void add_followers(struct compilation *compilation, enum plan_follower follower, const char *text) {
    uint32_t first = compilation->action_count;
    check_statements(compilation, parsed_statement(compilation, text));
    for (uint32_t i = first; i < compilation->action_count; i++)
        compilation->actions[i].follower = follower;
}

/* The same calls as in stdtools/calls.inc for tools in C, without blocks: where `$stack` is used, the place
   gives the active procedure. With `on unwind`, the routines note procedures that are unwound. */
static void add_entries(struct compilation *compilation, bool unwinds) {
    add_followers(
        compilation, PLAN_FOLLOWER_FIRST,
        arena_format(
            compilation->arena,
            "before program call atomc_stack_begin(count(procs), program.is_dynamic)\n"
            "for atomc_p in procs {\n"
            "    before program call atomc_stack_procedure(index(atomc_p), atomc_p.pc, atomc_p.size,\n"
            "        atomc_p.name, \"\", 0)\n"
            "    before atomc_p when $pc <= atomc_p.pc + 8 call %s(index(atomc_p),\n"
            "        program.machine == \"AArch64\" ? $static($(lr)) : atomc_p.name like \"__div[lq]*\" or "
            "atomc_p.name like \"__rem[lq]*\" or\n"
            "        atomc_p.name like \"__stx*\" ? $static($(t9)) :\n"
            "        atomc_p.name == \"__getcontext_x\" ? $static($(v0)) : $static($(ra)), $(sp), $thread)\n"
            "%s"
            "}\n",
            unwinds ? "atomc_stack_enter_watched" : "atomc_stack_enter",
            unwinds ? "    before atomc_p when $pc <= atomc_p.pc + 8 call atomc_stack_unwind($thread)\n"
                      "    before atomc_p when $pc > atomc_p.pc + 8\n"
                      "        call atomc_stack_inside(index(atomc_p), $(sp), $thread)\n"
                    : ""));
}

/* Control continues after a longjmp where setjmp returns a second time, after an exception at a landing pad:
   the procedures that have been left are found there, also if the code between is not instrumented. */
static void add_continuations(struct compilation *compilation) {
    add_followers(
        compilation, PLAN_FOLLOWER_FIRST,
        "for atomc_p in procs {\n"
        "    for atomc_b in atomc_p.blocks where atomc_b.is_landing_pad {\n"
        "        before atomc_b call atomc_stack_land(atomc_b.pc, $(sp), $thread)\n"
        "        before atomc_b call atomc_stack_unwind($thread)\n"
        "    }\n"
        "    for atomc_c in atomc_p.callsites where atomc_c.callee ~ \"setjmp|getcontext|vfork\" {\n"
        "        after atomc_c call atomc_stack_land(atomc_c.pc, $(sp), $thread)\n"
        "        after atomc_c call atomc_stack_unwind($thread)\n"
        "    }\n"
        "}\n");
}

/* The system calls that end a handler: Alpha's sigreturn, whose argument is a context, its rt_sigreturn, with
   the address of a frame, and rt_sigreturn of AArch64, which takes the frame at the stack pointer. */
#define RESUMES_BY_CONTEXT "program.machine == \"Alpha\" and atomc_i.system_call_number == 103"
#define RESUMES_BY_FRAME   "program.machine == \"Alpha\" and atomc_i.system_call_number == 351"
#define RESUMES_AARCH64    "program.machine == \"AArch64\" and atomc_i.system_call_number == 139"

/* Control continues after a handler in the code that the handler has interrupted. */
static void add_resumptions(struct compilation *compilation, bool unwinds) {
    add_followers(
        compilation, PLAN_FOLLOWER_FIRST,
        arena_format(
            compilation->arena,
            "for atomc_p in procs {\n"
            "    for atomc_i in atomc_p.insts {\n"
            "        before program when " RESUMES_BY_CONTEXT " or " RESUMES_BY_FRAME " or " RESUMES_AARCH64
            "\n"
            "            call atomc_stack_resumes(index(atomc_p))\n"
            "        before atomc_i when " RESUMES_BY_CONTEXT "\n"
            "            call atomc_stack_resume($static($memory($a0 + 16, 8)), $memory($a0 + 272, 8),\n"
            "                $static($memory($a0 + 240, 8)), $thread)\n"
            "        before atomc_i when " RESUMES_BY_FRAME "\n"
            "            call atomc_stack_resume($static($memory($a0 + 192, 8)), $memory($a0 + 448, 8),\n"
            "                $static($memory($a0 + 416, 8)), $thread)\n"
            "        before atomc_i when " RESUMES_AARCH64 "\n"
            "            call atomc_stack_resume($static($memory($sp + 568, 8)), $memory($sp + 560, 8),\n"
            "                $static($memory($sp + 552, 8)), $thread)\n"
            "%s"
            "    }\n"
            "}\n",
            unwinds ? "        before atomc_i when " RESUMES_BY_CONTEXT " or " RESUMES_BY_FRAME
                      " or " RESUMES_AARCH64 "\n            call atomc_stack_unwind($thread)\n"
                    : ""));
}

static void add_returns(struct compilation *compilation, bool unwinds) {
    add_followers(
        compilation, PLAN_FOLLOWER_LAST,
        arena_format(compilation->arena,
                     "for atomc_p in procs {\n"
                     "    for atomc_i in atomc_p.insts {\n"
                     "        after atomc_i when atomc_i.is_return\n"
                     "            call %s(index(atomc_p), $static($(atomc_i.rb)), $(sp), $thread)\n"
                     "%s"
                     "    }\n"
                     "}\n",
                     unwinds ? "atomc_stack_return_watched" : "atomc_stack_return",
                     unwinds
                         ? "        after atomc_i when atomc_i.is_return call atomc_stack_unwind($thread)\n"
                         : ""));
}

/* ---- the whole ---- */

bool unwinds_stacks(const struct compilation *compilation) {
    return compilation->watch_count > 0 || compilation->unwinds_signals;
}

/* A procedure becomes active before the tool's actions at its entry, and remains active until the actions at
   its return are done. */
void follow_stacks(struct compilation *compilation) {
    uint32_t first = compilation->action_count, flag = NO_COUNTER;
    bool unwinds = unwinds_stacks(compilation);
    if (unwinds)
        flag = add_flag(compilation);
    add_entries(compilation, unwinds);
    if (unwinds)
        add_continuations(compilation);
    add_resumptions(compilation, unwinds);
    add_watches(compilation);
    move_last_actions(compilation, first);
    add_returns(compilation, unwinds);
    if (unwinds)
        guard_unwinding(compilation, flag);
}
