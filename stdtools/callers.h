/* callers.h: by which calls a place was reached, from the calls in callers.inc. */
#ifndef ATOMC_CALLERS_H
#define ATOMC_CALLERS_H

/* Return addresses, the innermost first: there are no two lists with the same ones. */
struct callers {
    struct callers *next;
    void *item; /* the tool's own */
    int count;
    long ras[];
};

/* What has called the procedure that the address is in, where control is now; or, in which the call was made
 * that returns to the address. NULL: calls are not followed. */
struct callers *callers_of(long pc, long thread);
struct callers *callers_of_call(long ra, long thread);

/* The number of the procedure that the address is in, and whether callers_of() gives this list of a place in
 * it: that is told sooner. */
int procedure_at(long pc);
int are_callers(const struct callers *list, int procedure, long thread);

/* The same after the return address itself; a 0 is the last one where there are more calls than the list
 * has. */
struct callers *context_of_call(long ra, long thread);

/* The same of a place in a procedure (its number in callers.inc), whose innermost activation is there; the
 * address is only what the list begins with. context_leaving: the procedure is left there, with this stack
 * pointer, and may have been seen to return. */
struct callers *context_in(int procedure, long pc, long thread);
struct callers *context_leaving(int procedure, long pc, long sp, long thread);

#endif
