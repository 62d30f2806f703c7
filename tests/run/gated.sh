# gated: a system call that gets a gate in plan/system_calls.def, and nothing that handles it, does not compile. (It once changed
# a signal handler, and reported success.)
# size: quick
mkdir tree
cp -r "$top/runtime" "$top/plan" tree
compiles() { # as runtime/rules.mk does
    (cd tree &&
        alpha-linux-gnu-gcc -std=gnu11 -O2 -Wall -Wextra -Werror -mno-fp-regs -I. -I"$top" -I"$BUILD/generated" -c \
        runtime/process/gate.c -o /dev/null)
}
# In the line of umask, which has neither.
with() { # GATE PRIVATE
    sed "s/, umask, NONE, NONE)/, umask, $1, $2)/" "$top/plan/system_calls.def" >tree/plan/system_calls.def
    grep -q -F "umask, $1, $2)" tree/plan/system_calls.def
}
with NONE NONE
check as-it-is compiles
for gate in ALL OBJECTS NAMES ALL_WAITS; do
    with "$gate" NONE
    check "without-a-case/$gate" "! compiles 2>errors && grep -q 'PROGRAM_umask.* not handled in switch' errors" errors
done
with NONE HANDLED
check without-a-case/HANDLED "! compiles 2>errors && grep -q 'PRIVATE_umask.* not handled in switch' errors" errors
with WAITS NONE
check goes-to-the-kernel/WAITS compiles
for kind in OPENS TAKES; do
    with NONE $kind
    check "goes-to-the-kernel/$kind" compiles
done
# A case without a gate is as wrong.
sed 's/, chroot, ALL, NONE)/, chroot, NONE, NONE)/' "$top/plan/system_calls.def" >tree/plan/system_calls.def
check without-a-gate "! compiles 2>errors && grep -q PROGRAM_chroot errors" errors
