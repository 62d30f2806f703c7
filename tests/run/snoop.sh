# snoop: pages of the cookbook against what the program says of itself: files that it opens, programs that it starts, threads
# that it makes.
examples=$top/docs/examples/cookbook
cp "$tests"/snoop/* "$examples"/{opensnoop,execsnoop,threadsnoop}.atd .
alpha program program.c -O1 -g -pthread
shared dynamic program.c -O1 -g -pthread
echo given >given
for kind in static dynamic; do
    program=program objects=
    [ $kind = static ] || program=dynamic objects=--objects=all
    [ -e $program ] || continue
    [ $kind = static ] || { mkdir library && mv dynamic library/program && program=library/program; }
    # shellcheck disable=SC2086
    instrument instrumented $objects opensnoop.atd -D file=opens \
        execsnoop.atd -D file=execs threadsnoop.atd -D file=threads $program
    rm -f made opens execs threads
    qemu -L /usr/alpha-linux-gnu instrumented >log 2>&1
    # The dynamic linker opens libraries before the program runs.
    [ $kind = static ] || { sed -n '/said.opens/,$p' opens >own && mv own opens; }
    for what in opens execs threads; do
        same "$kind/$what" said.$what $what
    done
    check "$kind/number" "[ \$(wc -l <opens) = 10 ] && [ \$(wc -l <threads) = 3 ] && [ \$(wc -l <execs) = 2 ]" opens
done
