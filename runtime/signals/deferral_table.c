/* deferral_table.c: the signals that are deferred until the analysis side returns: at most one in each
   thread. Compiled without floating-point registers. */
#include "runtime/signals/internal.h"
#include "runtime/threads/threads.h"

struct atomc_deferral atomc_deferrals[ATOMC_DEFERRALS + 1];

static struct atomc_deferral *own_deferral(void) {
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    for (int i = 0; i < ATOMC_DEFERRALS; i++)
        if (atomc_deferrals[i].thread == thread)
            return &atomc_deferrals[i];
    return 0;
}

/* A deferral whose thread left the analysis side in another way is still in the table, and is reused. */
struct atomc_deferral *atomc_take_deferral(void) {
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    struct atomc_deferral *own = own_deferral();
    for (int i = 0; i < ATOMC_DEFERRALS && !own; i++)
        if (__sync_bool_compare_and_swap(&atomc_deferrals[i].thread, 0, thread))
            own = &atomc_deferrals[i];
    return own;
}

void atomc_forget_deferral(void) {
    long thread = RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
    for (int i = 0; i < ATOMC_DEFERRALS; i++)
        if (atomc_deferrals[i].thread == thread)
            atomc_deferrals[i].thread = 0;
}

long atomc_entry_of(const struct atomc_deferral *deferral) {
    return (long)atomc_entries.returns + (deferral - atomc_deferrals) * RETURN_ENTRY_BYTES;
}

struct atomc_deferral *atomc_deferral_of(unsigned long entry) {
    return &atomc_deferrals[(entry - (unsigned long)atomc_entries.returns) / RETURN_ENTRY_BYTES];
}

unsigned long atomc_return_address(unsigned long link) {
    return atomc_is_delivery(link) ? atomc_deferral_of(link)->target : link;
}

long atomc_deferral_mask(void) {
    return ~FAULT_SIGNALS & ~(atomc_image.stops ? STOP_BIT : 0);
}

long *atomc_deferred_mask(void) {
    struct atomc_deferral *own = own_deferral();
    return own ? &own->mask : 0;
}
