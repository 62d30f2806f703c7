/* refused.c: features that atomc does not have yet for a machine whose code only counts
   (machine->only_counts): it is refused by name. Requires sites. */
#include <string.h>

#include "codegen/machines.h"
#include "engine/rewrite.h"
#include "engine/select/select.h"

/* An indirect transfer with a kind of its own: its target is no address. */
static bool authenticates(const struct program *program) {
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct facts *facts = facts_of(program, i);
        const char *name =
            facts->flags & FACT_INDIRECT ? program->architecture->mnemonic(facts->opcode) : "BR";
        if (strcmp(name, "BR") != 0 && strcmp(name, "BLR") != 0 && strcmp(name, "RET") != 0)
            return true;
    }
    return false;
}

static const char *refused_program(const struct program *program) {
    return authenticates(program) ? "transfers that authenticate their target" : NULL;
}

/* Values that a routine of the analysis side computes, and values that only routines take. */
static bool is_refused(const struct site_expression *expression, void *context) {
    (void)context;
    if (expression->op != PLAN_OP_VALUE)
        return expression->op == PLAN_OP_STATIC;
    switch (expression->leaf.value) {
    case PLAN_VALUE_ADDRESS:
    case PLAN_VALUE_ARGUMENT:
    case PLAN_VALUE_OLD:
    case PLAN_VALUE_PC:
    case PLAN_VALUE_REGISTER:
    case PLAN_VALUE_RETURN:
    case PLAN_VALUE_TAKEN:
    case PLAN_VALUE_TARGET:
    case PLAN_VALUE_THREAD:
    case PLAN_VALUE_VALUE:
        return false;
    default:
        return true;
    }
}

static const char *refused_site(const struct sites *sites) {
    if (sites->replacement_count > 0)
        return "replacements of procedures";
    for (uint32_t i = 0; i < sites->count; i++)
        if (sites->sites[i].kind != PLAN_ACTION_UPDATE && sites->sites[i].kind != PLAN_ACTION_CALL)
            return "statements that change registers or skip instructions";
    for (uint32_t i = 0; i < sites->count; i++)
        if (site_any(&sites->sites[i], is_refused, NULL))
            return "values that the analysis side computes";
    return NULL;
}

static const char *refused_option(const struct rewrite_options *options) {
    return options->copy == COPY_SPARSE ? "sparse copies" : NULL;
}

bool refuse_unfinished(struct rewrite *rewrite) {
    const struct program *program = rewrite->program;
    if (!rewrite->machine->only_counts)
        return false;
    const char *what = refused_option(rewrite->options);
    what = what ? what : refused_program(program);
    what = what ? what : refused_site(rewrite->sites);
    what = what ? what : program->unknown_attribute;
    if (what)
        diagnose(rewrite->diagnostics, NULL, MESSAGE_NOT_YET, program->path, what,
                 machine_called(program->architecture->machine)->name);
    if (what && what == program->unknown_attribute && program->unknown_hint)
        diagnose_hint(rewrite->diagnostics, "%s", program->unknown_hint);
    return what;
}
