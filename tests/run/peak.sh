# peak: what atomc takes of memory, by what a larger program takes more than a smaller one: so many bytes for each byte of text. Bounds are
# a fifth above what was measured. Copies of all sites, kept for a case that is rare, made it half as much again, and sites of 112 bytes half, too.
peak_of() { # PROGRAM WORD...: kilobytes. Of two runs the lower one: some take four megabytes more, by where the kernel puts pages
    for _ in 1 2; do
        "$ATOMC" -v -t "${@:2}" "$1" -o "$1.instrumented" >"$1.log" 2>&1 || failed "$1/${*:2}" "atomc failed" "$1.log"
        awk '/peak memory/ { print $NF }' "$1.log"
    done | sort -n | head -1
}
text_of() { # PROGRAM: kilobytes
    alpha-linux-gnu-size -A "$1" | awk '$1 == ".text" { print int($2 / 1024) }'
}
# Tables grow in steps of about a megabyte, and below half a megabyte of text something else takes most: both must be small in the difference.
"$top/bench/generate.sh" 500 small
"$top/bench/generate.sh" "$(pick 3000 10000)" large
more=$(($(text_of large) - $(text_of small)))
check sizes "[ $more -gt 2000 ]"
while read -r bound words; do
    # shellcheck disable=SC2086 # several words
    "$ATOMC" -t $words small -o warm 2>/dev/null # from then on the analysis code is kept: to make it takes more than the small program
    for program in small large; do peak_of $program $words >$program.peak; done
    check "${words%% *}" "[ -s small.peak ] && [ \$((\$(cat large.peak) - \$(cat small.peak))) -gt 0 ] &&
        [ \$((\$(cat large.peak) - \$(cat small.peak))) -lt $((bound * more)) ]" large.log
    echo "$words: $((($(cat large.peak) - $(cat small.peak)) * 10 / more)) tenths of a byte for each byte of text, at most $((bound * 10))"
done <<'END'
14 prof
17 cache
24 cache -D lines=true
30 third
END

# With libraries, all of them count.
for n in 2 6; do "$top/bench/generate.sh" 800 libraries$n $n; done
more=$(($(text_of libraries2.0.so) * 4))
few=$(peak_of libraries2 prof --objects=all) many=$(peak_of libraries6 prof --objects=all)
check libraries "[ $more -gt 2000 ] && [ $((many - few)) -gt 0 ] && [ $((many - few)) -lt $((15 * more)) ]" libraries6.log
echo "libraries: $(((many - few) * 10 / more)) tenths of a byte for each byte of text, at most 150"
