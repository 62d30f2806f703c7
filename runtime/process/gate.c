/* gate.c: the gates of system calls: each call that plan/system_calls.def marks for the runtime goes to its
   handler, by number: atomc_call_NAME for the program's, atomc_private_NAME for the analysis side's. A call
   without its handler does not link. Compiled without floating-point registers. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>

#include "runtime/process/process.h"
#include "runtime/threads/threads.h"

typedef long handler(long *);

/* True if a word of the columns `gate` and `private` requires a handler. */
#define IF_NONE(use)
#define IF_OPENS(use)
#define IF_TAKES(use)
#define IF_WAITS(use)
#define IF_HANDLED(use)   use
#define IF_ALL(use)       use
#define IF_ALL_WAITS(use) use
#define IF_OBJECTS(use)   use
#define IF_NAMES(use)     use

#define SYSTEM_CALL(number, name, gate, private)                                                             \
    IF_##gate(handler atomc_call_##name;) IF_##private(handler atomc_private_##name;)
#include SYSTEM_CALLS
#undef SYSTEM_CALL

/* ---- of the analysis side ---- */

struct private_call {
    uint8_t kind; /* GATE_ */
    handler *handler;
};
static const struct private_call private_calls[] = {
#define SYSTEM_CALL(number, name, gate, private)                                                             \
    [number] = {GATE_##private, IF_##private(atomc_private_##name)},
#include SYSTEM_CALLS
#undef SYSTEM_CALL
};
static const struct private_call *find_private_call(unsigned long number) {
    static const struct private_call none = {GATE_NONE, 0};
    return number < sizeof private_calls / sizeof *private_calls ? &private_calls[number] : &none;
}

/* True if the result is a descriptor. */
static int opens_descriptor(long number, long command) {
    return find_private_call((unsigned long)number)->kind == GATE_OPENS &&
           (number != CALL_fcntl || command == F_DUPFD || command == F_DUPFD_CLOEXEC);
}

long atomc_private_close(long *a) {
    long result = RAW(CALL_close, atomc_real_descriptor(a[0]), 0, 0, 0, 0, 0);
    atomc_forget_descriptor(a[0]);
    return result;
}

long atomc_private_pipe2(long *a) {
    return atomc_open_own(CALL_pipe2, a[0], a[1], 0, 0, 0, 0);
}

/* The program's own C library registers these two for the thread. */
long atomc_private_set_tid_address(long *a) {
    (void)a;
    return RAW(CALL_gettid, 0, 0, 0, 0, 0, 0);
}

long atomc_private_set_robust_list(long *a) {
    (void)a;
    return 0;
}

/* Under a seeded emulator the program must receive the same bytes as without atomc. */
long atomc_private_getrandom(long *a) {
    (void)a;
    return -ENOSYS;
}

long atomc_private_rseq(long *a) {
    (void)a;
    return -ENOSYS;
}

void atomc_private_system_call(struct atomc_private_call *call) {
    long *a = call->a, number = call->number, result;
    handler *handler = find_private_call((unsigned long)number)->handler;
    if (handler)
        result = handler(a);
    else if (opens_descriptor(number, a[1]))
        result = atomc_open_own(number, atomc_real_descriptor(a[0]), a[1], a[2], a[3], a[4], a[5]);
    else
        result = RAW(number, atomc_real_descriptor(a[0]), a[1], a[2], a[3], a[4], a[5]);
    set_private_result(call, result);
}

/* ---- of the program ---- */

/* registers: $0-$31 of the program at its callsys. 1 if the call has been made, 0 if the copy must make it,
   -1 if the copy must make it and call atomc_call_failed after a failure, 2 if it must call atomc_call_ends
   when the call ends. */
long atomc_gate_call(long *registers) {
    static const struct {
        uint8_t gate;
        handler *handler;
    } calls[] = {
#define SYSTEM_CALL(number, name, gate, private) [number] = {GATE_##gate, IF_##gate(atomc_call_##name)},
#include SYSTEM_CALLS
#undef SYSTEM_CALL
    };
    unsigned long number = (unsigned long)registers[NUMBER_REGISTER];
    if (number >= sizeof calls / sizeof *calls)
        return 0;
    int gate = calls[number].gate;
    int handled = GATE_ALL | GATE_NAMES | (atomc_image.interpreter ? GATE_OBJECTS : 0);
    long made = gate & handled ? calls[number].handler(registers) : 0;
    if (made != 0 || !atomc_waits || !(gate & GATE_WAITS))
        return made;
    atomc_begin_call();
    return 2;
}
