/* refused.c: features that atomc does not have yet for a machine whose code only counts
   (machine->only_counts): it is refused by name. Requires sites. */
#include <string.h>

#include "codegen/machines.h"
#include "engine/rewrite.h"
#include "engine/select/select.h"

/* Transfers whose target is made in other ways than from a register, or by the register that becomes the
 * link. */
static bool is_refused_transfer(const struct program *program, const struct facts *facts) {
    const char *name = program->architecture->mnemonic(facts->opcode);
    if (facts->flags & FACT_AUTHENTICATES)
        return facts->read & set_of(facts->link);
    return strcmp(name, "BR") != 0 && strcmp(name, "BLR") != 0 && strcmp(name, "RET") != 0;
}

static const char *refused_program(const struct program *program) {
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct facts *facts = facts_of(program, i);
        if (facts->flags & FACT_INDIRECT && is_refused_transfer(program, facts))
            return "transfers that authenticate a target of this kind";
    }
    return NULL;
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

static bool is_target(const struct site_expression *expression, void *context) {
    (void)context;
    return expression->op == PLAN_OP_VALUE && expression->leaf.value == PLAN_VALUE_TARGET;
}

static const char *refused_site(const struct program *program, const struct sites *sites) {
    if (sites->replacement_count > 0)
        return "replacements of procedures";
    for (uint32_t i = 0; i < sites->count; i++)
        if (sites->sites[i].kind != PLAN_ACTION_UPDATE && sites->sites[i].kind != PLAN_ACTION_CALL)
            return "statements that change registers or skip instructions";
    for (uint32_t i = 0; i < sites->count; i++)
        if (site_any(&sites->sites[i], is_refused, NULL))
            return "values that the analysis side computes";
    for (uint32_t i = 0; i < sites->count; i++)
        if (facts_of(program, sites->sites[i].instruction)->flags & FACT_AUTHENTICATES &&
            site_any(&sites->sites[i], is_target, NULL))
            return "targets ($target) of transfers that authenticate them";
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
    what = what ? what : refused_site(program, rewrite->sites);
    what = what ? what : program->unknown_attribute;
    if (what)
        diagnose(rewrite->diagnostics, NULL, MESSAGE_NOT_YET, program->path, what,
                 machine_called(program->architecture->machine)->name);
    if (what && what == program->unknown_attribute && program->unknown_hint)
        diagnose_hint(rewrite->diagnostics, "%s", program->unknown_hint);
    return what;
}
