# snoop: pages of the cookbook against what the program says of itself: files that it opens, programs that it starts, threads
# that it makes; and pages used in windows against a trace of all accesses.
examples=$top/docs/examples/cookbook
cp "$tests"/snoop/* "$examples"/{opensnoop,execsnoop,threadsnoop,workingset}.atd .
alpha program program.c -O1 -g -pthread
shared dynamic program.c -O1 -g -pthread
alpha words "$examples/words.c" -O1 -g
echo given >given
for kind in static dynamic; do
    program=program objects=
    [ $kind = static ] || program=dynamic objects=--objects=all
    [ -e $program ] || continue
    [ $kind = static ] || { mkdir library && mv dynamic library/program && program=library/program; }
    # shellcheck disable=SC2086
    instrument instrumented $objects opensnoop.atd -D file=opens execsnoop.atd -D file=execs threadsnoop.atd -D file=threads $program
    rm -f made opens execs threads
    qemu -L /usr/alpha-linux-gnu instrumented >log 2>&1
    # The dynamic linker opens libraries before the program runs.
    [ $kind = static ] || { sed -n '/said.opens/,$p' opens >own && mv own opens; }
    for what in opens execs threads; do
        same "$kind/$what" said.$what $what
    done
    check "$kind/number" "[ \$(wc -l <opens) = 10 ] && [ \$(wc -l <threads) = 3 ] && [ \$(wc -l <execs) = 2 ]" opens
done
instrument traced workingset.atd -D window=100 -D 'file=*words.c' trace.atd words
qemu traced >log
awk '{ w = int((NR - 1) / 100); if (!((w, $1) in seen)) { seen[w, $1]; n[w]++ } }
    END { for (w = 0; w in n; w++) print w "\t" n[w] }' trace >expected
sed 1d workingset.out >found
same workingset expected found
check windows "[ \$(wc -l <found) -gt 10 ]" found
