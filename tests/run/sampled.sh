# sampled: profilers inside of a program sample the program, not inserted code. gprof's (-pg): samples where the time is
# spent, and exact numbers of calls. backtrace() in a timer's handler: every frame is the program's.
flat() { # PROGRAM FILE: the flat profile of gmon.out
    alpha-linux-gnu-gprof -b -p "$1" gmon.out >"$2"
}
numbers() { # FILE: procedures with calls, and their numbers
    awk 'NF >= 7 && $4 ~ /^[0-9]+$/ { print $NF, $4 }' "$1" | sort
}
for linkage in static dynamic; do
    link=-static
    [ $linkage = static ] || link=
    alpha-linux-gnu-gcc -O1 -g -pg -fno-toplevel-reorder $link -Wl,--no-relax "$tests/data/sampled.c" -o "sampled-$linkage"
    alpha-linux-gnu-gcc -O1 -g -fno-toplevel-reorder $link -Wl,--no-relax "$tests/data/sampled.c" -o "frames-$linkage"
    ending said -L /usr/alpha-linux-gnu "sampled-$linkage"
    flat "sampled-$linkage" plain.flat
    ending framed -L /usr/alpha-linux-gnu "frames-$linkage" frames
    check "$linkage/plain" "grep -q '^50 of 50 whole' framed && grep -q '^often 10$' <(numbers plain.flat)" framed plain.flat
    for tool in $(pick "prof $([ $linkage = static ] || echo third)" "prof cache audit third"); do
        rm -f gmon.out
        instrument tool -t $tool "sampled-$linkage"
        ending found -L /usr/alpha-linux-gnu tool
        flat "sampled-$linkage" found.flat
        # Most samples are in `often`, as without the tool.
        check "$linkage/$tool/gprof" "diff said found && diff <(numbers plain.flat) <(numbers found.flat) &&
            awk '\$NF == \"often\" { often = \$1 } END { exit !(often > 50) }' found.flat" found found.flat
        instrument tool -t $tool "frames-$linkage"
        for k in $(seq "$(pick 1 200)"); do
            ending found -L /usr/alpha-linux-gnu tool frames
            cmp -s framed found || break
        done
        check "$linkage/$tool/frames" "diff framed found" found
    done
done
