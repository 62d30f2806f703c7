# depth: $depth against the program's own count: deep recursion, longjmp, exceptions, handlers on both stacks, threads;
# and against the names in $stack.
cp "$tests"/depth/* .
alpha static program.cc -g -std=c++17 -pthread
shared dynamic program.cc -g -std=c++17 -pthread
for kind in static dynamic; do
    objects=
    [ $kind = static ] || objects=--objects=all
    instrument instrumented $objects depth.atd $kind || continue
    ATOMC_OUT=out qemu -L /usr/alpha-linux-gnu instrumented
    check "$kind/kinds" "[ \$(grep -c '^[0-3]' out/differs) = 4 ]" out/differs
    check "$kind/calls" "awk 'NR == 2 { print \$1 } /^total/ { print \$2 }' out/all out/differs | uniq | wc -l |
        grep -qx 1" out/all
    prints "$kind/all" cat out/all <<'END2'
Calls	Lower
1066	204
END2
done
