/* test_compiler_tool.c: the compiler's interface: tools in memory, analysis files, plans without prototypes,
   size. Requires cmocka. The language itself is tested by tests/atd. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/compiler.h"

/* A parsed and checked tool, or the number of its errors. */
struct attempt {
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct tool *tool;
    struct plan *plan;
};

static struct attempt attempt(const char *text, size_t length) {
    struct attempt result = {arena_create(), diagnostics_create(), NULL, NULL};
    result.tool = tool_parse_text("t.atd", text, length, result.arena, result.diagnostics);
    if (result.tool)
        result.plan = tool_compile(result.tool, NULL, result.diagnostics);
    return result;
}

static void finish(struct attempt *result) {
    plan_destroy(result->plan);
    diagnostics_destroy(result->diagnostics);
    arena_destroy(result->arena);
}

static void a_plan_from_text(void **state) {
    (void)state;
    const char *text = "tool t \"text\"\nset s = inst i where i.class == condbr\n"
                       "for b in s { before b call F(index(b), $taken) after program call G(b.pc) }\n";
    struct attempt result = attempt(text, strlen(text));
    assert_non_null(result.plan);
    const struct plan *plan = result.plan;
    assert_string_equal(plan->name, "t");
    assert_string_equal(plan->description, "text");
    assert_int_equal(plan->set_count, 1);
    assert_int_equal(plan->sets[0].kind, PLAN_INSTRUCTION);
    assert_int_equal(plan->routine_count, 2);
    assert_false(plan->routines[0].prototyped);
    assert_int_equal(plan->action_count, 2);
    assert_int_equal(plan->actions[0].place, PLAN_INSTRUCTION);
    assert_int_equal(plan->actions[0].when, PLAN_BEFORE);
    assert_int_equal(plan->actions[0].loops[0].domain, PLAN_DOMAIN_SET);
    assert_int_equal(plan->actions[0].arguments[0]->op, PLAN_OP_INDEX);
    assert_false(plan->actions[0].arguments[0]->dynamic);
    assert_int_equal(plan->actions[0].arguments[1]->value, PLAN_VALUE_TAKEN);
    assert_true(plan->actions[0].arguments[1]->dynamic);
    assert_int_equal(plan->actions[1].place, PLAN_PROGRAM);
    assert_int_equal(plan->actions[1].when, PLAN_AFTER);
    finish(&result);
}

static void guards_and_updates(void **state) {
    (void)state;
    const char *text = "tool t set s = inst i where i.class == condbr counter taken[s], total, most\n"
                       "for b in s { before b when $taken taken[b]++, total -= b.size, most max= $a0 * 2\n"
                       "             before b when b.size > 4 taken[$a1 & 3] += 5 }\n";
    struct attempt result = attempt(text, strlen(text));
    assert_non_null(result.plan);
    const struct plan *plan = result.plan;
    assert_int_equal(plan->counter_count, 3);
    assert_int_equal(plan->counters[0].set, 0);
    assert_int_equal(plan->counters[1].set, PLAN_SINGLE_CELL);
    assert_int_equal(plan->counters[1].update, PLAN_UPDATE_ADD);
    assert_int_equal(plan->counters[2].update, PLAN_UPDATE_MAXIMUM);
    assert_int_equal(plan->action_count, 4);
    const struct plan_action *actions = plan->actions;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(actions[i].kind, PLAN_ACTION_UPDATE);
        assert_int_equal(actions[i].guard->type, PLAN_TYPE_BOOLEAN);
        assert_int_equal(actions[i].guard->dynamic, i < 3);
        assert_int_equal(actions[i].counter, i % 3);
    }
    assert_int_equal(actions[0].cell->op, PLAN_OP_INDEX);
    assert_int_equal(actions[0].cell->set, 0);
    assert_int_equal(actions[0].amount->integer, 1);
    assert_null(actions[1].cell);
    assert_int_equal(actions[1].amount->op, PLAN_OP_NEGATE);
    assert_false(actions[1].amount->dynamic);
    assert_true(actions[2].amount->dynamic);
    assert_int_equal(actions[2].amount->op, PLAN_OP_MULTIPLY);
    assert_true(actions[3].cell->dynamic);
    finish(&result);
}

static void reports(void **state) {
    (void)state;
    const char *text = "tool t counter n[procs], all for p in procs { before p n[p]++, all++ }\n"
                       "report \"stderr\" for p in procs where p.size > 8 and n[p] > 1 and p.is_leaf\n"
                       "sorted by n[p] descending \"Name\" p.name, \"N\" percent n[p], \"PC\" hex p.pc\n"
                       "top 5 total report \"-\" \"All\" all + 1\n";
    struct attempt result = attempt(text, strlen(text));
    assert_non_null(result.plan);
    assert_int_equal(result.plan->report_count, 2);
    const struct plan_report *report = &result.plan->reports[0];
    assert_string_equal(report->path, "!");
    assert_int_equal(report->loops->kind, PLAN_PROCEDURE);
    assert_int_equal(report->loops->condition->op, PLAN_OP_AND);
    assert_int_equal(report->filter->op, PLAN_OP_GREATER);
    assert_int_equal(report->filter->operand[0]->op, PLAN_OP_CELL);
    assert_int_equal(report->key->operand[0]->op, PLAN_OP_INDEX);
    assert_true(report->descending && report->total);
    assert_int_equal(report->limit, 5);
    assert_int_equal(report->column_count, 3);
    assert_int_equal(report->columns[0].format, PLAN_COLUMN_TEXT);
    assert_int_equal(report->columns[1].value->op, PLAN_OP_PERCENT);
    assert_int_equal(report->columns[2].format, PLAN_COLUMN_HEXADECIMAL);
    report = &result.plan->reports[1];
    assert_int_equal(report->loop_count, 0);
    assert_null(report->filter);
    assert_int_equal(report->columns[0].value->operand[0]->counter, 1);
    assert_int_equal(report->columns[0].value->operand[0]->operand[0]->integer, 0);
    finish(&result);
}

static void parameters(void **state) {
    (void)state;
    static const struct parameter_definition definitions[] = {
        {"lines", "12"}, {"file", "x.out"}, {"lines", "-0x10"}, {"all", "true"}};
    const char *text =
        "tool t param int lines = 4 \"of the cache\" check lines < 8 param string file = \"a\"\n"
        "param boolean all = 1 == 2 before program when all call F(lines + 1, file)\n";
    struct arena *arena = arena_create();
    struct diagnostics *diagnostics = diagnostics_create();
    struct tool *tool = tool_parse_text("t.atd", text, strlen(text), arena, diagnostics);
    assert_non_null(tool);
    uint32_t count;
    const struct parameter_help *help = tool_parameters(tool, &count);
    assert_int_equal(count, 3);
    assert_string_equal(help[0].help, "of the cache");
    assert_string_equal(help[2].value, "1 == 2");
    tool_define(tool, definitions, 4);
    struct plan *plan = tool_compile(tool, NULL, diagnostics);
    assert_non_null(plan);
    assert_int_equal(plan->actions[0].guard->integer, 1);
    assert_int_equal(plan->actions[0].arguments[0]->integer, -15);
    assert_string_equal(plan->actions[0].arguments[1]->string, "x.out");
    plan_destroy(plan);
    tool_define(tool, definitions, 1);
    assert_null(tool_compile(tool, NULL, diagnostics));
    diagnostics_destroy(diagnostics);
    arena_destroy(arena);
}

static void errors_give_no_plan(void **state) {
    (void)state;
    const char *syntax = "tool t\nset", *meaning = "tool t\nbefore nothing call F()";
    struct attempt result = attempt(syntax, strlen(syntax));
    assert_null(result.tool);
    assert_int_equal(diagnostics_errors(result.diagnostics), 1);
    finish(&result);
    result = attempt(meaning, strlen(meaning));
    assert_non_null(result.tool);
    assert_null(result.plan);
    assert_int_equal(diagnostics_errors(result.diagnostics), 1);
    finish(&result);
}

static void analysis_files_lie_beside_the_tool(void **state) {
    (void)state;
    struct arena *arena = arena_create();
    struct diagnostics *diagnostics = diagnostics_create();
    const char *text = "tool t analysis \"null\", \"../dev/zero\" analysis \"/dev/null\"";
    struct tool *tool = tool_parse_text("/dev/t.atd", text, strlen(text), arena, diagnostics);
    assert_non_null(tool);
    uint32_t count = 0;
    const struct analysis_file *files = tool_analysis_files(tool, &count);
    assert_int_equal(count, 3);
    assert_string_equal(files[0].path, "/dev/null");
    assert_string_equal(files[1].path, "/dev/../dev/zero");
    assert_string_equal(files[2].path, "/dev/null");
    diagnostics_destroy(diagnostics);
    arena_destroy(arena);
}

static void unreadable_files_are_reported(void **state) {
    (void)state;
    struct arena *arena = arena_create();
    struct diagnostics *diagnostics = diagnostics_create();
    assert_null(tool_parse("/nonexistent.atd", arena, diagnostics));
    assert_int_equal(diagnostics_errors(diagnostics), 1);
    diagnostics_destroy(diagnostics);
    arena_destroy(arena);
}

/* Any bytes are a tool or an error, never a crash: a valid tool with one byte changed, cut or doubled. */
static void damaged_tools(void **state) {
    (void)state;
    const char *text =
        "tool t \"x\\n\" set s = inst i where i.pc & 7 == 'a' and not (i in r ? 1 : $(sp));"
        "for p in procs { for b in p.blocks where b.proc.name like \"m*\" {"
        "before b call F(index(b), $arg(1), -0x10 << 2) after p call G(\"s\", $ret) } }"
        "param int n = 4 \"h\" check n > 1 counter x[s], y for i in s { before i when $addr % n "
        "x[i]++, y max= 3 } report \"-\" for i in s where x[i] > n sorted by x[i] top n "
        "\"A\" hex x[i], \"B\" i.class total # end";
    size_t length = strlen(text);
    char *damaged = allocate(2 * length + 1);
    for (size_t at = 0; at < length; at++) {
        static const char bytes[] = "\0{}()\"'$.=x9 \n\377#";
        for (size_t i = 0; i < sizeof bytes - 1; i++) {
            memcpy(damaged, text, length);
            damaged[at] = bytes[i];
            struct attempt result = attempt(damaged, length);
            finish(&result);
        }
        struct attempt cut = attempt(text, at);
        finish(&cut);
        memcpy(damaged, text, at);
        memcpy(damaged + at, text, length);
        struct attempt doubled = attempt(damaged, at + length);
        finish(&doubled);
    }
    free(damaged);
}

static void deep_and_long_tools(void **state) {
    (void)state;
    char *text = allocate(400100);
    memcpy(text, "tool t before program call F(", 29);
    memset(text + 29, '(', 200000);
    struct attempt deep = attempt(text, 200029);
    assert_null(deep.plan);
    finish(&deep);
    for (size_t i = 0; i < 100000; i++)
        memcpy(text + 29 + 2 * i, i ? "+1" : " 1", 2);
    memcpy(text + 29 + 200000, ")", 1);
    struct attempt chain = attempt(text, 200030); /* a tree as deep as the chain is long */
    assert_null(chain.plan);
    assert_int_equal(diagnostics_errors(chain.diagnostics), 1);
    finish(&chain);
    for (size_t i = 0; i < 100000; i++)
        memcpy(text + 29 + 2 * i, i ? ",1" : " 1", 2);
    struct attempt wide = attempt(text, 200030);
    assert_non_null(wide.plan);
    assert_int_equal(wide.plan->actions[0].argument_count, 100000);
    finish(&wide);
    free(text);
}

static void thousand_sets(void **state) {
    (void)state;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    fprintf(stream, "tool large\n");
    for (int i = 0; i < 1000; i++)
        fprintf(
            stream,
            "set s%d = inst i where i.size > %d\nfor x in s%d {\n  before x call F%d(index(x), $addr)\n}\n",
            i, i, i, i);
    fclose(stream);
    struct attempt result = attempt(text, length);
    assert_non_null(result.plan);
    assert_int_equal(result.plan->set_count, 1000);
    assert_int_equal(result.plan->routine_count, 1000);
    finish(&result);
    free(text);
}

/* 1,000 counters with their updates and reports: each name is found in constant time. */
static void thousand_counters(void **state) {
    (void)state;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    fprintf(stream, "tool large\n");
    for (int i = 0; i < 1000; i++)
        fprintf(
            stream,
            "counter c%d[insts], d%d\nfor x in insts where x.size > %d {\n  before x when $addr %% 8 == %d\n"
            "    c%d[x]++,\n    d%d max= $addr\n}\nreport \"-\" for x in insts where c%d[x] > 0 \"A\" "
            "c%d[x]\n",
            i, i, i, i, i, i, i, i);
    fclose(stream);
    struct attempt result = attempt(text, length);
    assert_non_null(result.plan);
    assert_int_equal(result.plan->counter_count, 2000);
    assert_int_equal(result.plan->action_count, 2000);
    assert_int_equal(result.plan->report_count, 1000);
    finish(&result);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_from_text),
        cmocka_unit_test(guards_and_updates),
        cmocka_unit_test(reports),
        cmocka_unit_test(parameters),
        cmocka_unit_test(errors_give_no_plan),
        cmocka_unit_test(analysis_files_lie_beside_the_tool),
        cmocka_unit_test(unreadable_files_are_reported),
        cmocka_unit_test(damaged_tools),
        cmocka_unit_test(deep_and_long_tools),
        cmocka_unit_test(thousand_sets),
        cmocka_unit_test(thousand_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
