/* refused.c: what atomc cannot do yet for a machine whose code only counts (machine->only_counts): it is
   refused by name. Requires sites. */
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
    if (program->threads)
        return "programs that may make threads";
    return authenticates(program) ? "transfers that authenticate their target" : NULL;
}

static bool is_constant_count(const struct site *site) {
    const struct site_action *action = site->action;
    return site->kind == PLAN_ACTION_UPDATE && site->update == PLAN_UPDATE_ADD && !action->guard &&
           !action->sample && !action->cell && !action->buckets && action->amount->op == PLAN_OP_INTEGER;
}

static const char *refused_site(const struct sites *sites) {
    if (sites->replacement_count > 0)
        return "replacements of procedures";
    for (uint32_t i = 0; i < sites->count; i++)
        if (!is_constant_count(&sites->sites[i]))
            return sites->sites[i].kind == PLAN_ACTION_CALL
                       ? "calls of routines"
                       : "statements that do more than add constants to counters";
    return NULL;
}

static const char *refused_option(const struct rewrite_options *options) {
    if (options->copy == COPY_SPARSE)
        return "sparse copies";
    if (options->run)
        return "runs by atomc run";
    return options->poison ? "poisoned registers" : NULL;
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
    return what;
}
