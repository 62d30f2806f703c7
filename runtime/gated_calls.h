/* gated_calls.h: the numbers of the program's system calls that the runtime handles; all others go past its
   gate. exit, fork, vfork, sigreturn, sigaction, sigaltstack, clone, rt_sigreturn, rt_sigaction, exit_group
   (arch/alpha/kernel/syscalls/syscall.tbl). Read by the assembler, too. */
#define ATOMC_GATED_CALLS 1, 2, 66, 103, 156, 235, 312, 351, 352, 405
/* And those of a dynamic program's libraries: mmap, munmap, mprotect, by which objects come and go. */
#define ATOMC_OBJECT_CALLS 71, 73, 74
/* And those of a program with threads that may be stopped: sigprocmask, rt_sigprocmask, rt_sigtimedwait. */
#define ATOMC_MASK_CALLS 48, 353, 355
