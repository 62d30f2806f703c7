# gated: a system call that gets a gate in plan/system_calls.def, and no handler, does not link; and each handler has a gate.
# (A call without a handler once changed a signal handler, and reported success.)
# size: quick
cp -r "$top/runtime" "$top/plan" .

# Links the runtime with a gate that is compiled from ./plan: prints the missing functions.
links() {
    alpha-linux-gnu-gcc -std=gnu11 -O2 -Wall -Wextra -Werror -mno-fp-regs -I. -I"$top" -I"$BUILD/generated" \
        -c runtime/process/gate.c -o gate.o &&
        find "$BUILD/runtime" -mindepth 2 -name '*.o' ! -name gate.o -print0 |
        xargs -0 alpha-linux-gnu-gcc -static -Wl,--no-relax -Wl,-e,atomc_start gate.o -lm -o image
}
# The line of umask, which has neither.
with() { # GATE PRIVATE
    sed "s/, umask, NONE, NONE)/, umask, $1, $2)/" "$top/plan/system_calls.def" >plan/system_calls.def
    grep -q -F "umask, $1, $2)" plan/system_calls.def
}
with NONE NONE
check unchanged links
for gate in ALL OBJECTS NAMES ALL_WAITS; do
    with "$gate" NONE
    check "without-a-handler/$gate" "! links 2>errors && grep -q 'undefined reference to .atomc_call_umask' errors" errors
done
with NONE HANDLED
check without-a-handler/HANDLED "! links 2>errors && grep -q 'undefined reference to .atomc_private_umask' errors" errors
with WAITS NONE
check goes-to-the-kernel/WAITS links
for kind in OPENS TAKES; do
    with NONE $kind
    check "goes-to-the-kernel/$kind" links
done

# Handlers that gate.o does not call: none, and chroot's if it has no gate.
unused_handlers() { # GATE.O
    find "$BUILD/runtime" -mindepth 2 -name '*.o' -print0 | xargs -0 alpha-linux-gnu-nm --defined-only |
        grep -oE 'atomc_(call|private)_[a-z0-9_]+$' | sort -u >handlers
    alpha-linux-gnu-nm "$1" | grep -oE 'atomc_(call|private)_[a-z0-9_]+$' | sort -u >called
    grep -vxF -f called handlers |
        grep -vxE 'atomc_call_(ends|failed|lock|waits)|atomc_private_(gate|stack|system_call|thread_pointer)' || true
}
check handlers/used "! unused_handlers '$BUILD/runtime/process/gate.o' | grep ."
sed 's/, chroot, ALL, NONE)/, chroot, NONE, NONE)/' "$top/plan/system_calls.def" >plan/system_calls.def
links
check handlers/unused "[ \"\$(unused_handlers gate.o)\" = atomc_call_chroot ]"
