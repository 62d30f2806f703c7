# shortcuts: guards that only read are evaluated together, ahead of their instructions (engine/copy/shortcuts.c). The
# results equal those of guards at the instructions, even if a fault or a signal arrives between them whose handler
# changes the values that they read.
cp "$tests"/shortcuts/* .
alpha plain program.c # names of one length: they are on the stack
cp plain plain000
instrument together -t cache -D lines=true plain
instrument separate --without=shortcuts -t cache -D lines=true plain
check "there are some" "'$ATOMC' -v -t cache plain -o other | grep -q 'asked together *[1-9]'"
check "or none" "! '$ATOMC' -v --without=shortcuts -t cache plain -o other | grep -q 'asked together'"

# Faults in the middle: the page is mapped again, the instruction is skipped, the handler jumps away, or the program
# ends.
for way in r s j d; do
    for how in plain000 together separate; do
        mkdir -p $how-$way
        (cd $how-$way && qemu -0 plain ../$how $way >printed 2>&1 && echo "status 0" >>printed || echo "status $?" >>printed)
    done
    same "$way/printed" plain000-$way/printed together-$way/printed
    same "$way" separate-$way/cache.out together-$way/cache.out
    same "$way/lines" separate-$way/cache.out.lines together-$way/cache.out.lines
done

# Signals at random moments: the number of additional misses equals the program's number. A signal before or after the
# loop may change the results for its own lines, or the C library's: up to four in a run. At a wrong place, this would
# happen for one of fifty signals.
misses() { # FOLDER
    awk 'NR == FNR { made = $1; next } $1 == "L1" { print $3 - made }' "$1/printed" "$1/cache.out"
}
for how in separate together; do
    for microseconds in 997 1511 $(pick "" "701 1103 1301 1709 1907"); do
        mkdir -p $how-$microseconds
        (cd $how-$microseconds && qemu -0 plain ../$how t $microseconds >printed) || true
        check "$how/$microseconds" \
            "awk -v a='$(misses separate-997)' -v b='$(misses \
            $how-$microseconds)' '{ exit \$2 < 20 || a - b > 4 || b - a > 4 }' $how-$microseconds/printed" \
            $how-$microseconds/printed
    done
done
