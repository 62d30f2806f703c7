# relaxed: static programs that the linker has relaxed crash at their start, or do not, depending on their C library:
# atomc warns of programs that crash.
# size: quick
for flags in "" -s; do
    alpha-linux-gnu-gcc -O2 $flags -static "$tests/cli/prog.c" -o "relaxed$flags"
    status=0
    qemu "relaxed$flags" >log 2>&1 || status=$?
    "$ATOMC" -t empty "relaxed$flags" -o out >said 2>&1
    if [ "$status" -ge 128 ]; then
        prints "warned$flags" cat said <<END
atomc: warning: relaxed$flags: a static program that was linked with relaxation: with glibc 2.36 and others it crashes as it starts, also without instrumentation
hint: link it with -static -Wl,--no-relax, or without -static
END
    else
        check "runs$flags" "[ ! -s said ] && qemu out" said
    fi
done
# A C library without tunables is one that takes the program headers from the kernel.
perl -pe 's/GLIBC_TUNABLES/GLIBC_TUNABLEX/g' relaxed >older
"$ATOMC" -t empty older -o out >said 2>&1
check older '[ ! -s said ]' said
