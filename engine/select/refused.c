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

struct asked {
    const struct program *program;
    const struct site *site;
};

/* Values of memory, addresses of which the register may have changed, and what a routine of the analysis side
 * computes. */
static bool is_refused(const struct site_expression *expression, void *context) {
    const struct asked *asked = context;
    const struct site_argument *leaf = &expression->leaf;
    switch (expression->op) {
    case PLAN_OP_VALUE:
        switch (leaf->value) {
        case PLAN_VALUE_TAKEN:
        case PLAN_VALUE_TARGET:
        case PLAN_VALUE_PC:
        case PLAN_VALUE_RETURN:
            return false;
        case PLAN_VALUE_ADDRESS:
            return asked->site->point > SITE_BEFORE;
        case PLAN_VALUE_REGISTER:
        case PLAN_VALUE_VALUE:
        case PLAN_VALUE_OLD:
            return false;
        default:
            return true;
        }
    case PLAN_OP_MEMORY:
    case PLAN_OP_STATIC:
        return true;
    default:
        return false;
    }
}

static const char *refused_site(const struct program *program, const struct sites *sites) {
    if (sites->replacement_count > 0)
        return "replacements of procedures";
    for (uint32_t i = 0; i < sites->count; i++)
        if (sites->sites[i].kind == PLAN_ACTION_CALL)
            return "calls of routines";
    for (uint32_t i = 0; i < sites->count; i++)
        if (sites->sites[i].kind != PLAN_ACTION_UPDATE)
            return "statements that change registers or skip instructions";
    for (uint32_t i = 0; i < sites->count; i++)
        if (site_any(&sites->sites[i], is_refused, &(struct asked){program, &sites->sites[i]}))
            return "values of memory, and addresses after an instruction,";
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
    return what;
}
