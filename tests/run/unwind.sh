# unwind: each `before p` has one `after p` or `on unwind p`, and each `before signal` one of its ends: counts against the
# program's own, and lines that must nest like a stack, with equal depths; longjmp, exceptions, handlers on both stacks,
# threads that end in their calls, children, and a program that ends in its calls.
cp "$tests"/unwind/* .
alpha static program.cc -O2 -g -std=c++17 -pthread
shared dynamic program.cc -O2 -g -std=c++17 -pthread
nested() { # FILE: the calls that are open at the end, and the number of events of each kind
    awk '$2 == ">" { n[$1]++; name[$1, n[$1]] = $3 " " $4; if ($3 ~ /^signal/) signals++; next }
        name[$1, n[$1]] != $3 " " $4 { print "wrong: " $0 ", not " name[$1, n[$1]]; exit }
        { n[$1]--; kinds[$2 ($3 ~ /^signal/ ? "s" : "")]++ }
        END { for (t in n) for (i = 1; i <= n[t]; i++) { split(name[t, i], part, " "); print "open", part[1] }
            if (!kinds["<"] || !kinds["!"] || !kinds["<s"] || !kinds["!s"] ||
                signals != kinds["<s"] + kinds["!s"]) print "kinds" }' "$1"
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
check all "! awk -F'\\t' '\$2 ~ /^[0-9]+\$/ { print \$1 }' found |
    grep -vx -e _start -e '__libc_start.*' -e __run_exit_handlers -e exit -e _exit -e main -e leaves -e thread_start" found
check all/some "awk 'NR == 2 { exit \$1 < 1000 }' out/unwound" out/unwound
# Several tools: each has the counts that it has alone, also if other threads run between the actions of two tools. One of
# them follows the calls: every other action that does would follow some of them twice.
followers() { # TOOL...
    "$ATOMC" --dump=sites "$@" static 2>&1 | grep -v atomc_stack_left | grep -c atomc_stack_
}
# depths.atd: $depth and $stack alone.
cat >depths.atd <<'END'
tool depths "depths and stacks"
counter times[int], stacks[string]
for p in procs where p.name in ("calls", "throws", "nests") { before p times[$depth]++, stacks[$stack]++ }
report "depths" for row in times sorted by row.key "Depth" row.key, "Times" row.count
report "of stacks" for row in stacks sorted by row.key "Stack" row.key, "Times" row.count
END
instrument instrumented depths.atd static
rm -rf out
ATOMC_OUT=out qemu instrumented other >found
mv out/depths alone.depths
mv "out/of stacks" alone.stacks
followers unwind.atd >one
for tools in "unwind.atd all.atd" "all.atd unwind.atd" "depths.atd unwind.atd all.atd" "unwind.atd depths.atd"; do
    # shellcheck disable=SC2086
    followers $tools >several
    same "$tools/followers" one several
    # shellcheck disable=SC2086
    instrument instrumented $tools static || continue
    for run in 1 2 3; do
        rm -rf out
        ATOMC_OUT=out qemu instrumented other | sed '/^[a-z_.]*\t[0-9]*$/d; /^Procedure\tOpen/d' >found
        sort found >expected
        sort out/pairs >pairs
        same "$tools/$run/pairs" expected pairs
        nested out/trace >opened
        check "$tools/$run/nested" "[ ! -s opened ]" opened
        case $tools in
        *depths*)
            same "$tools/$run/depths" alone.depths out/depths
            same "$tools/$run/stacks" alone.stacks "out/of stacks"
            ;;
        esac
    done
done
# A tool whose events print, and which follows no calls: the other's events are executed, too.
grep -v print unwind.atd >quiet.atd
cat >signals.atd <<'END'
tool signals "signals"
before signal print to "signals" "%d\n", $signal
END
for tools in "quiet.atd signals.atd" "signals.atd quiet.atd"; do
    # shellcheck disable=SC2086
    instrument instrumented $tools static || continue
    rm -rf out
    ATOMC_OUT=out qemu instrumented other >found
    sort found >expected
    sort out/pairs >pairs
    same "$tools/pairs" expected pairs
    check "$tools/signals" "[ \$(wc -l <out/signals) = 24 ]" out/signals
done
# Calls are followed as long as one of the tools is attached.
alpha left left.c -O1 -g
for tool in one two never; do
    stop='param int at = 1 "the call of step"'
    [ $tool != never ] || stop=
    cat >$tool.atd <<END
tool $tool "until a call"
$stop
counter steps, entered, left, unwound, depths
for p in procs where p.name == "step" {
    before p steps++
    ${stop:+before p when \$steps == at detach}
}
for p in procs where p.name == "leaves" {
    before p    entered++, depths += \$depth
    after p     left++
    on unwind p unwound++
}
report "$tool" "Entered" entered, "Left" left, "Unwound" unwound, "Depths" depths
END
done
alone() { # TOOL EXPECTED WORD...
    instrument instrumented "${@:3}" left
    rm -rf out
    ATOMC_OUT=out qemu instrumented
    cp "out/$1" "alone.$1"
    check "detach/$1" "[ \"\$(sed 1d alone.$1 | cut -f 1-3 | tr '\t' ' ')\" = '$2' ]" "alone.$1"
}
alone one "21 10 10" one.atd -D at=31
alone two "51 25 25" two.atd -D at=77
alone never "100 50 50" never.atd
for tools in "one.atd -D at=31 two.atd -D at=77" "two.atd -D at=77 one.atd -D at=31" "one.atd -D at=31 never.atd" \
    "never.atd two.atd -D at=77" "one.atd -D at=31 two.atd -D at=77 never.atd"; do
    # shellcheck disable=SC2086
    instrument instrumented $tools left || continue
    rm -rf out
    ATOMC_OUT=out qemu instrumented
    for tool in one two never; do
        case $tools in *$tool.atd*) same "detach/$tools/$tool" alone.$tool out/$tool ;; esac
    done
done
