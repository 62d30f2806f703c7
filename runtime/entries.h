/* entries.h: sizes that start.S and the C of the runtime share. */
#ifndef ATOMC_RUNTIME_ENTRIES_H
#define ATOMC_RUNTIME_ENTRIES_H

#define CONTEXT_BYTES      656 /* of struct sigcontext, a multiple of 16 */
#define ATOMC_DEFERRALS    512 /* threads in which a signal waits, at a time */
#define SIGNAL_STACKS      512 /* for signals, of so many threads: a power of 2 */
#define SIGNAL_STACK_SHIFT 13  /* of 8 KB each */

#endif
