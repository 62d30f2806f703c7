/* print.c: prints the selected sites (--dump=sites). Requires sites, with their plan and program. */
#include <string.h>

#include "engine/select/internal.h"
#include "engine/object/object.h"
#include "engine/cfg/cfg.h"

const char *const site_point_words[] = {"entry", "arrive", "before", "after", "taken", "fallthrough"};

static void print_site_expression(const struct site_expression *expression, const struct plan *plan,
                                  FILE *stream);

static void print_argument_string(const char *string, FILE *stream) {
    fputc('"', stream);
    for (; *string; string++)
        if (*string == '"' || *string == '\\')
            fprintf(stream, "\\%c", *string);
        else if ((unsigned char)*string < ' ')
            fprintf(stream, "\\x%02x", *string);
        else
            fputc(*string, stream);
    fputc('"', stream);
}

static void print_argument(const struct site_argument *argument, const struct plan *plan, FILE *stream) {
    if (argument->kind == SITE_BUFFER) {
        fprintf(stream, "buffer %lld", (long long)argument->constant);
    } else if (argument->kind == SITE_ROUTINE) {
        fputs(plan->routines[argument->constant].name, stream);
    } else if (argument->kind == SITE_REPLACED) {
        fputs(argument->constant == PLAN_REPLACED_ARGUMENTS ? "its arguments" : "its address", stream);
    } else if (argument->kind == SITE_STRING) {
        print_argument_string(argument->string, stream);
    } else if (argument->kind == SITE_ARRAY) {
        fputs(plan->arrays[argument->array->array].name, stream);
    } else if (argument->kind == SITE_CONSTANT) {
        bool small = argument->constant > -65536 && argument->constant < 65536;
        fprintf(stream, small ? "%lld" : "0x%llx", (long long)argument->constant);
    } else if (argument->kind == SITE_VALUE &&
               (argument->value == PLAN_VALUE_REGISTER || argument->value == PLAN_VALUE_OLD)) {
        fprintf(stream, "%s(%s%u)", plan_values[argument->value].word, argument->operand >= 32 ? "f" : "",
                argument->operand & 31u);
    } else if (argument->kind == SITE_COMPUTED) {
        print_site_expression(argument->computed, plan, stream);
    } else {
        fputs(plan_values[argument->value].word, stream);
    }
}

/* Encloses inner operators in parentheses. */
static void print_operand(const struct site_expression *expression, const struct plan *plan, FILE *stream) {
    bool leaf = !plan_operators[expression->op].word && expression->op != PLAN_OP_CONDITIONAL;
    fputs(leaf ? "" : "(", stream);
    print_site_expression(expression, plan, stream);
    fputs(leaf ? "" : ")", stream);
}

static void print_site_expression(const struct site_expression *expression, const struct plan *plan,
                                  FILE *stream) {
    const struct site_expression *const *operand = expression->operand;
    const char *word = plan_operators[expression->op].word;
    if (word && operand[1]) {
        print_operand(operand[0], plan, stream);
        fprintf(stream, " %s ", word);
        print_operand(operand[1], plan, stream);
    } else if (word) {
        plan_print_prefix(expression->op, stream);
        print_operand(operand[0], plan, stream);
    } else if (expression->op == PLAN_OP_CONDITIONAL) {
        print_operand(operand[0], plan, stream);
        fputs(" ? ", stream);
        print_operand(operand[1], plan, stream);
        fputs(" : ", stream);
        print_operand(operand[2], plan, stream);
    } else if (expression->op == PLAN_OP_CELL) {
        const struct plan_counter *counter = &plan->counters[expression->cell->counter];
        fprintf(stream, "$%s", counter->name);
        if (!plan_has_cells(counter))
            return;
        fputc('[', stream);
        print_site_expression(operand[0], plan, stream);
        fputc(']', stream);
    } else if (expression->op == PLAN_OP_MEMORY) {
        fprintf(stream, "%s(", plan_values[PLAN_VALUE_MEMORY].word);
        print_site_expression(operand[0], plan, stream);
        fprintf(stream, ", %lld)", (long long)expression->leaf.constant);
    } else if (expression->op == PLAN_OP_ELEMENT) {
        fprintf(stream, "table of %u[", expression->leaf.array->count);
        print_site_expression(operand[0], plan, stream);
        fputc(']', stream);
    } else if (expression->op == PLAN_OP_STATIC) {
        fprintf(stream, "%s(", plan_values[PLAN_VALUE_STATIC].word);
        print_site_expression(operand[0], plan, stream);
        fputc(')', stream);
    } else {
        print_argument(&expression->leaf, plan, stream);
    }
}

static void print_site_call(const struct site *site, const struct plan *plan, FILE *stream) {
    fprintf(stream, " %s(", plan->routines[site->action->routine].name);
    for (uint32_t i = 0; i < site->action->argument_count; i++) {
        if (i)
            fputs(", ", stream);
        print_argument(&site->arguments[i], plan, stream);
    }
    fputs(")\n", stream);
}

static void print_site_update(const struct sites *sites, const struct site *site, const struct plan *plan,
                              FILE *stream) {
    fprintf(stream, " %s", plan->counters[site->action->counter].name);
    if (site->action->cell) {
        fputc('[', stream);
        print_site_expression(site->action->cell, plan, stream);
        fputc(']', stream);
    } else if (plan_has_cells(&plan->counters[site->action->counter])) {
        uint64_t number = site->cell_base - sites->cell_bases[site->action->counter];
        fprintf(stream, "[%llu]",
                (unsigned long long)(site->action->buckets ? number / site->action->buckets->count : number));
    }
    if (site->action->buckets) {
        fputs(" << ", stream);
        print_operand(site->action->value, plan, stream);
        fputs(" weight ", stream);
    } else {
        fprintf(stream, " %s ", plan_update_word(site->update));
    }
    print_site_expression(site->action->amount, plan, stream);
    fputc('\n', stream);
}

static void print_note(const struct site *site, const struct plan *plan, FILE *stream) {
    fprintf(stream, " record %u = ", site->record - 1u);
    print_site_expression(site->action->amount, plan, stream);
    fputc('\n', stream);
}

static void print_site_set(const struct site *site, const struct plan *plan, FILE *stream) {
    fputs(": set ", stream);
    print_site_expression(site->action->value, plan, stream);
    fputs(" = ", stream);
    print_site_expression(site->action->amount, plan, stream);
    fputc('\n', stream);
}

void site_print_effect(const struct sites *sites, const struct site *site, const struct plan *plan,
                       FILE *stream) {
    if (site->action->guard) {
        fputs(" when ", stream);
        print_site_expression(site->action->guard, plan, stream);
    }
    if (site->action->sample)
        fprintf(stream, " sample %lld", (long long)site->action->sample);
    if (site->notes)
        print_note(site, plan, stream);
    else if (site->kind == PLAN_ACTION_UPDATE)
        print_site_update(sites, site, plan, stream);
    else if (site->kind == PLAN_ACTION_SET)
        print_site_set(site, plan, stream);
    else if (site->kind == PLAN_ACTION_SKIP)
        fputs(": skip\n", stream);
    else
        print_site_call(site, plan, stream);
}

static void print_object_events(const struct sites *sites, const struct site_list *events, const char *when,
                                const char *name, const struct plan *plan, FILE *stream) {
    for (uint32_t i = 0; i < events->count; i++) {
        fprintf(stream, "%s %s", when, name);
        site_print_effect(sites, &events->list[i], plan, stream);
    }
}

void sites_print(const struct sites *sites, const struct plan *plan, const struct program *program,
                 const bool *wanted, FILE *stream) {
    if (!wanted)
        print_object_events(sites, &sites->program.before, "before", "program", plan, stream);
    for (uint32_t k = 0; k < sites->library_count && !wanted; k++)
        print_object_events(sites, &sites->libraries[k].before, "before", object_file_name(program, k + 1),
                            plan, stream);
    for (uint32_t i = 0; i < sites->replacement_count; i++) {
        const struct procedure *procedure = &program->procedures[sites->replacements[i].procedure];
        if (wanted && !wanted[sites->replacements[i].procedure])
            continue;
        const struct site_replacement *replacement = &sites->replacements[i];
        uint32_t entry = replacement->entry == NO_INDEX ? procedure->first : replacement->entry;
        fprintf(stream, "replace %s0x%llx %s with", replacement->retains ? "and retain " : "",
                (unsigned long long)instruction_address(program, entry), procedure->name);
        if (replacement->has_arguments)
            print_site_call(
                &(struct site){.action = &(struct site_action){.routine = replacement->routine,
                                                               .argument_count = replacement->argument_count},
                               .arguments = replacement->arguments},
                plan, stream);
        else
            fprintf(stream, " %s\n", plan->routines[replacement->routine].name);
    }
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct site *site = &sites->sites[i];
        uint32_t number = procedure_at(program, site->instruction);
        const struct procedure *procedure = &program->procedures[number];
        if (wanted && !wanted[number])
            continue;
        fprintf(stream, "%s 0x%llx %s+0x%x %s:", site_point_words[site->point],
                (unsigned long long)instruction_address(program, site->instruction), procedure->name,
                4 * (site->instruction - procedure->first), plan_place_words[site->scope]);
        site_print_effect(sites, site, plan, stream);
    }
    for (uint32_t k = 0; k < sites->library_count && !wanted; k++)
        print_object_events(sites, &sites->libraries[k].after, "after", object_file_name(program, k + 1),
                            plan, stream);
    if (!wanted)
        print_object_events(sites, &sites->program.forked, "on", "fork", plan, stream);
    if (!wanted)
        print_object_events(sites, &sites->program.after, "after", "program", plan, stream);
}
