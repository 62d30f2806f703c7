/* structures.c: the kernel's structures as the runtime has them (runtime/machine/aarch64/calls.h), compared
   with the kernel's headers and the C library's: compiled only. */
#define _GNU_SOURCE
#include <asm/sigcontext.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>
#include <ucontext.h>

#include "runtime/kernel/kernel.h"

#define SAME(mine, member, theirs)                                                                           \
    _Static_assert(offsetof(struct saved_context, mine) == offsetof(ucontext_t, theirs), #member)
SAME(flags, flags, uc_flags);
SAME(link, link, uc_link);
SAME(stack, stack, uc_stack.ss_sp);
SAME(stack_flags, stack_flags, uc_stack.ss_flags);
SAME(stack_size, stack_size, uc_stack.ss_size);
SAME(mask, mask, uc_sigmask);
SAME(fault_address, fault_address, uc_mcontext.fault_address);
SAME(registers, registers, uc_mcontext.regs);
SAME(registers[STACK_REGISTER], sp, uc_mcontext.sp);
SAME(pc, pc, uc_mcontext.pc);
SAME(ps, ps, uc_mcontext.pstate);
SAME(floating, floating, uc_mcontext.__reserved);
_Static_assert(sizeof(struct saved_context) == sizeof(ucontext_t), "the whole");
_Static_assert(FRAME_UCONTEXT == sizeof(siginfo_t), "what is before it in a frame");

#define VECTORS(mine, theirs)                                                                                \
    _Static_assert(offsetof(struct saved_context, floating.mine) -                                           \
                           offsetof(struct saved_context, floating) ==                                       \
                       offsetof(struct fpsimd_context, theirs),                                              \
                   #mine)
VECTORS(magic, head.magic);
VECTORS(size, head.size);
VECTORS(status, fpsr);
VECTORS(control, fpcr);
VECTORS(vectors, vregs);
_Static_assert(offsetof(struct saved_context, records) - offsetof(struct saved_context, floating) ==
                   sizeof(struct fpsimd_context),
               "the next record");
_Static_assert(FLOATING_MAGIC == FPSIMD_MAGIC, "the record's mark");

_Static_assert(FLAG_ONSTACK == SA_ONSTACK && FLAG_RESTART == SA_RESTART &&
                   FLAG_RESETHAND == (int)SA_RESETHAND && FLAG_SIGINFO == SA_SIGINFO,
               "flags of actions");
_Static_assert(ADD_MASK == SIG_BLOCK && CLEAR_MASK == SIG_UNBLOCK && SET_MASK == SIG_SETMASK, "masks");
_Static_assert(offsetof(siginfo_t, si_code) == 8 && offsetof(siginfo_t, si_addr) == 16 &&
                   offsetof(siginfo_t, si_value) == 24,
               "signals/requeue.c and signals.c use these");

#define STATUS(mine, theirs)                                                                                 \
    _Static_assert(offsetof(struct file_status, mine) == offsetof(struct stat, theirs), #mine)
STATUS(device, st_dev);
STATUS(number, st_ino);
STATUS(mode, st_mode);
STATUS(size, st_size);
STATUS(modified, st_mtim.tv_sec);
STATUS(modified_nanoseconds, st_mtim.tv_nsec);
_Static_assert(sizeof(struct file_status) == sizeof(struct stat), "the whole");
