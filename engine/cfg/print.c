/* print.c: the printed forms of the program model (--dump=cfg) and of the selected sites (--dump=sites).
   Requires an analysed program; liveness is printed as it stands. */
#include <string.h>

#include "engine/select/sites.h"

static const char *const end_words[] = {
    [END_FALLTHROUGH] = "falls through",
    [END_COND_BRANCH] = "conditional branch",
    [END_BRANCH] = "branch",
    [END_TAIL_BRANCH] = "tail branch",
    [END_CALL] = "call",
    [END_RETURN] = "return",
    [END_JUMP_TABLE] = "jump table",
    [END_JUMP_UNKNOWN] = "jump",
    [END_SYSTEM_CALL] = "system call",
    [END_TRAP] = "trap",
};
static const char *const leader_words[] = {"entry",       "alternate-entry", "return-point", "address-taken",
                                           "landing-pad", "branch-target",   "table-target", "unknown-jump"};
static const char *const edge_words[] = {
    [EDGE_FALLTHROUGH] = "", [EDGE_TAKEN] = " taken", [EDGE_TABLE] = " table"};

static void print_registers(alpha_register_set set, FILE *stream) {
    for (unsigned half = 0; half < 2; half++)
        for (unsigned first = 0; first < 32; first++) {
            if (!(set >> (32 * half + first) & 1))
                continue;
            unsigned last = first;
            while (last + 1 < 32 && set >> (32 * half + last + 1) & 1)
                last++;
            const char *prefix = half ? "$f" : "$";
            fprintf(stream, " %s%u", prefix, first);
            if (last > first)
                fprintf(stream, "-%s%u", prefix, last);
            first = last;
        }
}

static void print_block(const struct program *program, uint32_t index, FILE *stream) {
    const struct basic_block *block = &program->blocks[index];
    uint32_t last = block->first + block->count - 1;
    fprintf(stream, "  block %u 0x%llx %u:", index,
            (unsigned long long)instruction_address(program, block->first), block->count);
    for (unsigned i = 0; i < sizeof leader_words / sizeof *leader_words; i++)
        if (block->leaders >> i & 1)
            fprintf(stream, " %s", leader_words[i]);
    fprintf(stream, "; %s", end_words[block->end]);
    if (block->end == END_CALL || block->end == END_TAIL_BRANCH || block->end == END_JUMP_UNKNOWN) {
        uint32_t offset, callee = call_target(program, last, &offset);
        if (callee != NO_INDEX)
            fprintf(stream, " of %s", program->procedures[callee].name);
        if (callee != NO_INDEX && offset)
            fprintf(stream, "+0x%x", 4 * offset);
    }
    for (uint32_t i = 0; i < block->successor_count; i++) {
        const struct edge *edge = &program->edges[block->first_successor + i];
        fprintf(stream, "%s %u%s", i ? "," : " ->", edge->to, edge_words[edge->kind]);
    }
    fputs("\n    live:", stream);
    print_registers(block->live_in, stream);
    fputc('\n', stream);
}

static void print_loop(const struct program *program, uint32_t index, FILE *stream) {
    const struct loop *loop = &program->loops[index];
    fprintf(stream, "  loop %u: block %u, depth %u", index, loop->header, loop->depth);
    if (loop->parent != NO_INDEX)
        fprintf(stream, " in loop %u", loop->parent);
    fprintf(stream, ", %u blocks; back from", loop->block_count);
    for (uint32_t i = 0; i < loop->back_edge_count; i++)
        fprintf(stream, "%s %u", i ? "," : "",
                program->edges[program->back_edges[loop->first_back_edge + i]].from);
    fputc('\n', stream);
}

void program_print_cfg(const struct program *program, FILE *stream) {
    static const char *const origins[] = {"symbol", "eh_frame", "reached", "gap"};
    uint32_t loop = 0;
    for (uint32_t i = 0; i < program->procedure_count; i++) {
        const struct procedure *procedure = &program->procedures[i];
        fprintf(stream, "procedure %u %s 0x%llx: %u instructions, %u blocks, from %s", i, procedure->name,
                (unsigned long long)instruction_address(program, procedure->first), procedure->count,
                procedure->block_count, origins[procedure->origin]);
        if (procedure->gp)
            fprintf(stream, ", gp 0x%llx", (unsigned long long)procedure->gp);
        if (procedure->frame_size)
            fprintf(stream, ", frame %u", procedure->frame_size);
        fprintf(stream, "%s%s%s\n", procedure->has_ldgp ? ", ldgp" : "",
                procedure->address_taken ? ", address taken" : "", procedure->is_leaf ? ", leaf" : "");
        for (uint32_t k = 0; k < procedure->block_count; k++)
            print_block(program, procedure->first_block + k, stream);
        for (; loop < program->loop_count && program->loops[loop].procedure == i; loop++)
            print_loop(program, loop, stream);
    }
}

/* ---- sites --------------------------------------------------------------------------------------------- */

static void print_string(const char *string, FILE *stream) {
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

static void print_expression(const struct site_expression *expression, const struct plan *plan, FILE *stream);

static void print_argument(const struct site_argument *argument, const struct plan *plan, FILE *stream) {
    if (argument->kind == SITE_BUFFER) {
        fprintf(stream, "buffer %lld", (long long)argument->constant);
    } else if (argument->kind == SITE_REPLACED) {
        fputs(argument->constant == PLAN_REPLACED_ARGUMENTS ? "its arguments" : "its address", stream);
    } else if (argument->kind == SITE_STRING) {
        print_string(argument->string, stream);
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
        print_expression(argument->computed, plan, stream);
    } else {
        fputs(plan_values[argument->value].word, stream);
    }
}

/* Inner operators in parentheses. */
static void print_operand(const struct site_expression *expression, const struct plan *plan, FILE *stream) {
    bool leaf = !plan_operator_word(expression->op) && expression->op != PLAN_OP_CONDITIONAL;
    fputs(leaf ? "" : "(", stream);
    print_expression(expression, plan, stream);
    fputs(leaf ? "" : ")", stream);
}

static void print_expression(const struct site_expression *expression, const struct plan *plan,
                             FILE *stream) {
    const struct site_expression *const *operand = expression->operand;
    const char *word = plan_operator_word(expression->op);
    if (word && operand[1]) {
        print_operand(operand[0], plan, stream);
        fprintf(stream, " %s ", word);
        print_operand(operand[1], plan, stream);
    } else if (word) {
        fputs(word, stream);
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
        print_expression(operand[0], plan, stream);
        fputc(']', stream);
    } else if (expression->op == PLAN_OP_MEMORY) {
        fprintf(stream, "%s(", plan_values[PLAN_VALUE_MEMORY].word);
        print_expression(operand[0], plan, stream);
        fprintf(stream, ", %lld)", (long long)expression->leaf.constant);
    } else if (expression->op == PLAN_OP_STATIC) {
        fprintf(stream, "%s(", plan_values[PLAN_VALUE_STATIC].word);
        print_expression(operand[0], plan, stream);
        fputc(')', stream);
    } else {
        print_argument(&expression->leaf, plan, stream);
    }
}

static void print_call(const struct site *site, const struct plan *plan, FILE *stream) {
    fprintf(stream, " %s(", plan->routines[site->routine].name);
    for (uint32_t i = 0; i < site->argument_count; i++) {
        if (i)
            fputs(", ", stream);
        print_argument(&site->arguments[i], plan, stream);
    }
    fputs(")\n", stream);
}

static void print_update(const struct sites *sites, const struct site *site, const struct plan *plan,
                         FILE *stream) {
    fprintf(stream, " %s", plan->counters[site->counter].name);
    if (site->cell) {
        fputc('[', stream);
        print_expression(site->cell, plan, stream);
        fputc(']', stream);
    } else if (plan_has_cells(&plan->counters[site->counter])) {
        uint64_t number = site->cell_base - sites->cell_bases[site->counter];
        fprintf(stream, "[%llu]",
                (unsigned long long)(site->buckets ? number / site->buckets->count : number));
    }
    if (site->buckets) {
        fputs(" << ", stream);
        print_operand(site->value, plan, stream);
        fputs(" weight ", stream);
    } else {
        fprintf(stream, " %s ", plan_update_word(site->update));
    }
    print_expression(site->amount, plan, stream);
    fputc('\n', stream);
}

static void print_effect(const struct sites *sites, const struct site *site, const struct plan *plan,
                         FILE *stream) {
    if (site->guard) {
        fputs(" when ", stream);
        print_expression(site->guard, plan, stream);
    }
    if (site->sample)
        fprintf(stream, " sample %lld", (long long)site->sample);
    if (site->kind == PLAN_ACTION_UPDATE)
        print_update(sites, site, plan, stream);
    else
        print_call(site, plan, stream);
}

static void print_moment(const struct sites *sites, const struct site_list *moment, const char *when,
                         const char *name, const struct plan *plan, FILE *stream) {
    for (uint32_t i = 0; i < moment->count; i++) {
        fprintf(stream, "%s %s", when, name);
        print_effect(sites, &moment->list[i], plan, stream);
    }
}

void sites_print(const struct sites *sites, const struct plan *plan, const struct program *program,
                 FILE *stream) {
    static const char *const points[] = {"entry", "arrive", "before", "after", "taken", "fallthrough"};
    print_moment(sites, &sites->program.before, "before", "program", plan, stream);
    for (uint32_t k = 0; k < sites->library_count; k++)
        print_moment(sites, &sites->libraries[k].before, "before", object_file_name(program, k + 1), plan,
                     stream);
    for (uint32_t i = 0; i < sites->replacement_count; i++) {
        const struct procedure *procedure = &program->procedures[sites->replacements[i].procedure];
        const struct site_replacement *replacement = &sites->replacements[i];
        uint32_t entry = replacement->entry == NO_INDEX ? procedure->first : replacement->entry;
        fprintf(stream, "replace %s0x%llx %s with", replacement->retains ? "and retain " : "",
                (unsigned long long)instruction_address(program, entry), procedure->name);
        if (replacement->has_arguments)
            print_call(&(struct site){.routine = replacement->routine,
                                      .argument_count = replacement->argument_count,
                                      .arguments = replacement->arguments},
                       plan, stream);
        else
            fprintf(stream, " %s\n", plan->routines[replacement->routine].name);
    }
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct site *site = &sites->sites[i];
        const struct procedure *procedure = &program->procedures[procedure_at(program, site->instruction)];
        fprintf(stream, "%s 0x%llx %s+0x%x %s:", points[site->point],
                (unsigned long long)instruction_address(program, site->instruction), procedure->name,
                4 * (site->instruction - procedure->first), plan_place_words[site->scope]);
        print_effect(sites, site, plan, stream);
    }
    for (uint32_t k = 0; k < sites->library_count; k++)
        print_moment(sites, &sites->libraries[k].after, "after", object_file_name(program, k + 1), plan,
                     stream);
    print_moment(sites, &sites->program.after, "after", "program", plan, stream);
}
