# atom_contract: promises of ATOM's manual page: order and scopes, returns and ends without return, fork, copies of
# arguments, the cycle counter. The numbers were worked out by hand from tests/atom/contract/contract.c.
cp "$tests"/atom/contract/* .
alpha contract contract.c
lines() {
    printf '%s\n' "$@"
}
begins=$(for place in program object proc block inst; do lines "$place 1" "$place 2"; done)
own=$(lines "sum 45" "the program's last words")
ends() { # LEAVES OF EXIT
    lines "object after" "program after" "First first later main nine constant" "bbc 2 2 3 -1 0 70 7 42 wxyz" \
        "x 255 -1 2147483647 -1 1099511627776" \
        "several returns 9, leaves $1 of $2, longjmp 1 and 0, exit $3 and 0, cycles go on"
}
for options in "" --call=wrapper --copy=all --copy=sparse; do
    # shellcheck disable=SC2086
    instrument contract.atom contract contract.inst.c contract.anal.c $options
    check "silent$options" "[ ! -s contract.atom.log ]" contract.atom.log
    prints "return$options" ending /dev/stdout contract.atom return < <(lines "$begins" "$own" "$(ends 1 2 0)" "exit status 0")
    prints "exit$options" ending /dev/stdout contract.atom exit < <(lines "$begins" "$own" "$(ends 1 3 1)" "exit status 5")
    # The child, whose main returns, then the parent.
    prints "fork$options" ending /dev/stdout contract.atom fork \
        < <(lines "$begins" "$(ends 1 2 0)" "$own" "$(ends 1 2 0)" "exit status 0")
done

# 12 notes, 9 returns of several, 2 calls and 1 return of leaves, 1 call of longjmp.
instrument local.atom contract contract.inst.c local.anal.c
check local '[ "$(qemu local.atom | tail -n 1)" = "25 30" ]'
# Constant memory cannot be written: the analysis code crashes.
for word in "" array; do
    instrument const.atom contract const.inst.c const.anal.c -toolargs="$word"
    ending found const.atom
    check "const-$word" 'grep "the analysis code crashed with signal 11 in Write" found && grep -x "exit status 139" found' found
done
