# handler_stacks: a handler on a separate stack begins at the same distance below its top as without atomc, for all
# sizes of the kernel's frames.
alpha plain "$tests/data/handler_stacks.c"
ending expected plain
for tool in empty cache; do
    instrument instrumented -t $tool plain && ending found instrumented && same $tool expected found
done

# hiprof: the stack of a handler may be above the frames that it interrupts, to which it returns. The instructions of
# each procedure itself equal those of prof.
alpha above "$tests/data/handler_above.c"
qemu above >expected
instrument instrumented -t prof above && prints prof qemu instrumented <expected
instrument instrumented -t hiprof -D least=0 -D folded=true above && prints hiprof qemu instrumented <expected
self() {
    sed 's/.*;//' hiprof.out.folded | awk '{ sum[$1] += $2 } END { for (name in sum) print name, sum[name] }' | sort
}
check self \
    "diff <(self) <(awk -F'\t' '/^0x/ { sum[\$4] += \$2 } END { for (name in sum) print name, sum[name] }' prof.out | sort)"
check tree "grep '__libc_start_call_main;main;work;handle ' hiprof.out.folded && ! grep 'sigreturn;' hiprof.out.folded"
