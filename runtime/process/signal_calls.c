/* signal_calls.c: the program's system calls about signals. Compiled without floating-point registers. */
#include "runtime/process/process.h"
#include "runtime/signals/signals.h"

long atomc_call_rt_sigaction(long *registers) {
    atomc_change_handler(registers);
    return 1;
}
SAME_CALL(sigaction, rt_sigaction);

long atomc_call_rt_sigreturn(long *registers) {
    atomc_leave_handler(registers);
    return 0;
}
SAME_CALL(sigreturn, rt_sigreturn);

long atomc_call_rt_sigprocmask(long *registers) {
    return atomc_change_mask(registers);
}
SAME_CALL(osf_sigprocmask, rt_sigprocmask);

long atomc_call_rt_sigpending(long *registers) {
    return atomc_pending_call(registers);
}
SAME_CALL(sigpending, rt_sigpending);

long atomc_call_rt_sigtimedwait(long *registers) {
    return atomc_wait_call(registers);
}

long atomc_call_sigaltstack(long *registers) {
    return atomc_change_signal_stack(registers, atomc_stack_pointer_of(registers));
}

/* These calls wait with a mask that is an argument. */
long atomc_call_rt_sigsuspend(long *registers) {
    atomc_wait_with_mask(registers, atomc_place_of_call(registers));
    return 0;
}
SAME_CALL(sigsuspend, rt_sigsuspend);
SAME_CALL(ppoll, rt_sigsuspend);
SAME_CALL(pselect6, rt_sigsuspend);
SAME_CALL(epoll_pwait, rt_sigsuspend);
SAME_CALL(epoll_pwait2, rt_sigsuspend);
