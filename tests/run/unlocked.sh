# unlocked: routines that read only `atomc_unlocked` variables take no lock for it, and find the same results as under
# the lock.
alpha plain "$tests/data/inlined_threads.c" -g -pthread

# A child has the results up to the fork; other threads of its parent may have been between two lookups of a place, each
# at one line.
lines_agree() { # STATUS
    awk -v expected="$1" '
        function differ(a, b) { return a > b ? a - b : b - a }
        /^lines:/ { n++; far = far || $2 < 100 || differ($2, $3) > 8 || differ($2, $4) > 8 || differ($2, $5) > 8
            same = $2 == $3 && $2 == $4 && $2 == $5 }
        /^exit status/ { status = $3 }
        END { exit far || !same || !n || status != expected }' found
}
while read -r how modes options; do
    instrument tool -v -D one_in=$(pick 16 1) $options "$tests/data/unlocked.atd" plain
    if [ $how != wrapper ]; then
        instrument alone -v -D one_in=$(pick 16 1) -D locked=false $options "$tests/data/unlocked.atd" plain
        count=$(statistic alone.log 'calls inlined')
        check $how/all "[ $count -gt 1000 ] && [ $(statistic alone.log 'without the lock') = $count ]" alone.log
        check $how/some \
            "[ $(statistic tool.log 'without the lock') = $count ] && [ $(statistic tool.log 'calls inlined') -gt $count ]" \
            tool.log
    fi
    for mode in ${modes//,/ }; do
        ending found tool "${mode%:*}"
        check "${mode%:*}-$how" "lines_agree ${mode#*:}" found
    done
done <<'LIST'
default joined:0,fork:0
no-branches joined:0 --without=branches
no-liveness joined:0 --without=liveness
qemu joined:0 --for=qemu
wrapper joined:0 --call=wrapper
LIST
