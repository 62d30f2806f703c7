# targets: the gallery's tool for calls by a pointer, against what the callees of a program with threads note themselves: virtual
# calls, and calls of procedures.
cp "$tests/targets/program.cc" "$top/packages/gallery/targets/targets.atd" .
link() { # KIND
    if [ "$1" = static ]; then alpha program program.cc -g -pthread; else shared program program.cc -g -pthread; fi
}
for kind in static dynamic; do
    link "$kind"
    instrument instrumented targets.atd -D 'file=*program.cc' program || continue
    qemu -L /usr/alpha-linux-gnu instrumented | sort >expected
    tail -n +2 targets.out | cut -f 2- | grep -E '5visit|first|second' | sort >found
    same $kind expected found
    check $kind/lines "[ \$(wc -l <expected) = 5 ]" expected
done
