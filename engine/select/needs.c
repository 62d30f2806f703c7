/* needs.c: tests whether the program has the places that tools need for their reports: otherwise these would
   be empty. Requires sets. */
#include "engine/cfg/cfg.h"
#include "engine/object/object.h"
#include "engine/select/internal.h"

static bool leaves_libraries_out(const struct program *program) {
    return program->interpreter && program->library_count < program->loaded_count;
}

/* A program is accepted if all its names are known, and it has no place of that kind. */
static bool check_plan_need(struct selection *selection, const struct plan_need *need) {
    const struct program *program = selection->program;
    bool unnamed = !has_symbols(program), elsewhere = leaves_libraries_out(program);
    if (selection_set(selection, need->set)->member_count > 0 || !(unnamed || elsewhere))
        return true;
    diagnose(selection->diagnostics, need->is_stock ? NULL : &need->where, MESSAGE_NEED_UNMET, program->path,
             need->what, need->tool);
    if (elsewhere)
        diagnose_hint(selection->diagnostics,
                      "it may be in a library that is left out: --objects=all instruments all");
    else
        diagnose_hint(selection->diagnostics, "the program has no symbols, so its procedures have no names: "
                                              "take it as it is before 'strip'");
    return false;
}

bool needs_are_met(struct selection *selection) {
    bool good = true;
    for (uint32_t i = 0; i < selection->plan->need_count; i++)
        good &= check_plan_need(selection, &selection->plan->needs[i]);
    return good;
}
