/* requeue.h: signals that cannot be delivered yet come again. */
#ifndef ATOMC_RUNTIME_AGAIN_H
#define ATOMC_RUNTIME_AGAIN_H

/* A timer that sends a signal: one each, because a process may only make so many. A child of fork has none.
 */
struct atomc_timer {
    int signal, number; /* signal 0: it has not been made */
    long process;       /* in another one, the number is nobody's, or a timer of the program's */
};
/* `thread` 0: to the process. False: it could not be. */
int atomc_make_timer(struct atomc_timer *timer, long signal, long thread, const void *value);
/* `when`: seconds and nanoseconds between signals, then up to the first. False: there is no such timer. */
int atomc_set_timer(const struct atomc_timer *timer, const long when[4]);

/* All of these are about the calling thread, and called with all signals blocked unless something else is
   said. `info`: siginfo_t, or 0 where the kernel has told none. */

/* A signal comes again when this thread lets it in. */
void atomc_send_again(long signal, const void *info);
/* As atomc_send_again; a queued one before all others of its number. */
void atomc_send_first(long signal, const void *info);
/* As atomc_send_first, but in a millisecond. */
void atomc_come_again(long signal, const void *info);

/* The kernel has delivered a signal. `info` becomes that of the one that is delivered. 0: there is none. */
int atomc_find_info(long signal, void *info);
/* It can be delivered to the program. If others of its number have been waiting, they come again: of signals
   that are not queued, `info` becomes the older one's. */
void atomc_find_oldest(long signal, void *info);

/* The first of the set that is to come again, for a program that waits for it; 0: there is none. Signals need
   not be blocked. */
long atomc_take_waiting(long signals, void *info);
/* Those that are to come again. The kernel has none but the program's after this. Signals need not be
 * blocked. */
long atomc_waiting_signals(void);
/* The kernel gets all queued ones back, in their order: the program is about to become another one. */
void atomc_give_back(void);

/* The program ignores the signal from now on, in all threads: what waits is lost, as it is in the kernel. */
void atomc_ignore_waiting(long signal);
void atomc_forget_waiting(void);     /* the thread ends */
void atomc_waiting_after_fork(void); /* in the child, to which nothing was sent */

#endif
