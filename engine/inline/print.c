/* print.c: prints routines as graphs (--dump=templates). Requires inliner_create(). */
#include "engine/inline/internal.h"

static const char *form_name(uint16_t form) {
    return form == FORM_BYTE   ? "byte"
           : form == FORM_WORD ? "word"
           : form == FORM_INT  ? "int"
           : form == FORM_QUAD ? "quad"
                               : "rounded-quad";
}

static void print_node(const struct graph *graph, uint32_t index, FILE *stream) {
    const struct node *node = &graph->nodes[index];
    unsigned long long number = node->number;
    fprintf(stream, "  %u: ", index);
    switch ((enum node_kind)node->kind) {
    case NODE_CONSTANT:
        fprintf(stream, "0x%llx", number);
        break;
    case NODE_ARGUMENT:
        fprintf(stream, "argument %llu", number);
        break;
    case NODE_REGISTER:
        fprintf(stream, "register %llu", number);
        break;
    case NODE_VALUE:
        fputs("value", stream);
        break;
    case NODE_OPERATE:
        fprintf(stream, "%s %u %u", operator_name(node->operation), node->a, node->b);
        break;
    case NODE_SELECT:
        fprintf(stream, "%s %u ? %u : %u", condition_name(node->operation), node->a, node->b, node->c);
        break;
    case NODE_LOAD:
        fprintf(stream, "loaded %llu", number);
        break;
    case NODE_UNKNOWN:
        fprintf(stream, "unknown %llu", number);
        break;
    }
    fputc('\n', stream);
}

static void print_access(const struct access *access, FILE *stream) {
    switch ((enum access_kind)access->kind) {
    case ACCESS_LOAD:
        fprintf(stream, "  %u = %s (%u)\n", access->value, form_name(access->operation), access->address);
        break;
    case ACCESS_STORE:
        fprintf(stream, "  %s (%u) = %u\n", form_name(access->operation), access->address, access->value);
        break;
    case ACCESS_BAIL_OUT:
        fprintf(stream, "  call if %s %u\n", condition_name(access->operation), access->value);
        break;
    case ACCESS_SKIP:
        fprintf(stream, "  end if %s %u\n", condition_name(access->operation), access->value);
        break;
    }
}

void templates_print(const struct rewrite *rewrite, FILE *stream) {
    const struct inliner *inliner = rewrite->inliner;
    for (uint32_t r = 0; inliner && r < inliner->template_count; r++) {
        const struct template *template = &inliner->templates[r];
        fprintf(stream, "%s:%s%s\n", rewrite->plan->routines[r].name,
                template->reason == INLINE_NONE ? "" : " not inlined: ",
                template->reason == INLINE_NONE ? "" : inline_reasons[template->reason]);
        if (template->reason != INLINE_NONE)
            continue;
        for (uint32_t i = 0; i < template->graph.node_count; i++)
            print_node(&template->graph, i, stream);
        for (uint32_t i = 0; i < template->graph.access_count; i++)
            print_access(&template->graph.accesses[i], stream);
    }
}

const char *templates_verify(const struct rewrite *rewrite) {
    const struct inliner *inliner = rewrite->inliner;
    for (uint32_t r = 0; inliner && r < inliner->template_count; r++) {
        const struct graph *graph = &inliner->templates[r].graph;
        for (uint32_t i = 0; i < graph->node_count && inliner->templates[r].reason == INLINE_NONE; i++) {
            const struct node *node = &graph->nodes[i];
            bool operands = node->kind == NODE_OPERATE || node->kind == NODE_SELECT;
            if (operands && (node->a >= i || node->b >= i || (node->kind == NODE_SELECT && node->c >= i)))
                return "an operand comes after its user";
            if (node->low > node->high)
                return "a node has an empty range";
        }
    }
    return NULL;
}
