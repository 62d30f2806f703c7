# unwind: each `before p` has one `after p` or `on unwind p`, and each `before signal` one of its ends: counts against the
# program's own, and lines that must nest like a stack, with equal depths; longjmp, exceptions, handlers on both stacks,
# threads that end in their calls, children, and a program that ends in its calls.
cp "$tests"/unwind/* .
alpha static program.cc -O2 -g -std=c++17 -pthread
shared dynamic program.cc -O2 -g -std=c++17 -pthread
nested() { # FILE: what is open at the end, and how many events of each kind
    awk '$2 == ">" { n[$1]++; name[$1, n[$1]] = $3 " " $4; if ($3 ~ /^signal/) signals++; next }
        name[$1, n[$1]] != $3 " " $4 { print "wrong: " $0 ", not " name[$1, n[$1]]; exit }
        { n[$1]--; kinds[$2 ($3 ~ /^signal/ ? "s" : "")]++ }
        END { for (t in n) for (i = 1; i <= n[t]; i++) { split(name[t, i], part, " "); print "open", part[1] }
            if (!kinds["<"] || !kinds["!"] || !kinds["<s"] || !kinds["!s"] || signals != kinds["<s"] + kinds["!s"]) print "kinds" }' "$1"
}
follows() { # NAME WAY STATUS OPENED
    rm -rf out
    ATOMC_OUT=out qemu -L /usr/alpha-linux-gnu instrumented "$2" >found || echo "$?" >status
    check "$1/$2/status" "[ \"\$(cat status 2>/dev/null)\" = '$3' ]" found
    rm -f status
    sort found >expected
    sort out/pairs >pairs
    same "$1/$2/pairs" expected pairs
    nested out/trace >opened
    check "$1/$2/nested" "[ \"\$(paste -s -d ' ' opened)\" = '$4' ]" opened
    check "$1/$2/open" "[ \"\$(sed 1d out/open | paste -s -d ' ')\" = '$5' ]" out/open
    check "$1/$2/stacks" "[ \$(wc -l <out/stacks) = 1 ]" out/stacks
}
for kind in static dynamic alone; do
    case $kind in dynamic) objects=--objects=all ;; *) objects= ;; esac
    file=$kind
    [ $kind != alone ] || file=dynamic
    # shellcheck disable=SC2086
    instrument instrumented $objects unwind.atd $file || continue
    follows $kind plain "" "" ""
    follows $kind other "" "" ""
    follows $kind exits 3 "open main open leaves open leaves open leaves" 4
    # The child has its own counts, and no `before` of the calls that were active at the fork.
    rm -rf out
    ATOMC_OUT=out qemu -L /usr/alpha-linux-gnu instrumented forks >found || true
    sort found >expected
    sort out/pairs.1 >pairs
    same "$kind/forks/pairs" expected pairs
done
# All procedures of the C library, too: the others are only open when the program ends. thread_start frees its arguments on
# the stack, so that its stack pointer is above that of its entry.
cat >all.atd <<'END'
# all.atd: entries that have no end.
tool all "entries without an end"
counter open[procs], unwound
for p in procs {
    before p    open[p]++
    after p     open[p]--
    on unwind p open[p]--, unwound++
}
report "-" for p in procs where open[p] > 0 sorted by p.name "Procedure" p.name, "Open" open[p]
report "unwound" "Unwound" unwound
END
instrument instrumented all.atd static
ATOMC_OUT=out qemu instrumented exits | sed '/^[a-z]*\t[0-9]*\t/d' >found || true
check all "! awk -F'\\t' '\$2 ~ /^[0-9]+\$/ { print \$1 }' found | grep -vx -e _start -e '__libc_start.*' -e __run_exit_handlers -e exit -e _exit -e main -e leaves -e thread_start" found
check all/some "awk 'NR == 2 { exit \$1 < 1000 }' out/unwound" out/unwound
