/* callers.h: by which calls a place was reached, from the calls in callers.inc. */
#ifndef ATOMC_CALLERS_H
#define ATOMC_CALLERS_H

/* Return addresses, innermost first: no two lists have the same addresses. */
struct callers {
    struct callers *next;
    void *item; /* the tool's own */
    int count;
    long ras[];
};

/* The calls that led to the procedure with the address, in which control is now; or to the procedure with the
 * call that returns to the address. NULL: calls are not followed. */
struct callers *callers_of(long pc, long thread);
struct callers *callers_of_call(long ra, long thread);

/* The number of the procedure that contains the address, and a faster test of whether callers_of() would
   give this list for a place in it. */
int procedure_at(long pc);
int are_callers(const struct callers *list, int procedure, long thread);

/* The same after the return address itself. A 0 at the end means that there are more calls than the list can
   have. */
struct callers *context_of_call(long ra, long thread);

/* The same for a place in a procedure (by its number in callers.inc), whose innermost activation is there;
   the address only becomes the first element of the list. context_leaving: the procedure is left there,
   with this stack pointer, and its return may have been noticed. */
struct callers *context_in(int procedure, long pc, long thread);
struct callers *context_leaving(int procedure, long pc, long sp, long thread);

#endif
