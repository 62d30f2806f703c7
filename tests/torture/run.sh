#!/bin/bash
# run.sh: all of GCC's own run-time tests, instrumented, at -O0 and -O2: `make torture`. Ends with a table.
# Requires: what test.sh does. JOBS (default: the processors) run at a time.
#
# Every line is kept in build/tests/torture.log; failures are shown as they come, and skipped tests, with their reasons,
# at the end. Arguments are parts of names that restrict it; LEVELS and MODES change what is run.
set -u
cd "$(dirname "$0")/../.."
BUILD=$(mkdir -p "${BUILD:-build}" && cd "${BUILD:-build}" && pwd)
ATOMC=${ATOMC:-$BUILD/atomc}
export BUILD ATOMC QEMU=${QEMU:-qemu-alpha}
log=$BUILD/tests/torture.log
mkdir -p "$BUILD/tests"

list=$(tests/torture/list.sh) || exit 1
for part; do
    list=$(echo "$list" | grep -F -e "$part")
done
for level in ${LEVELS:-O0 O2}; do
    # shellcheck disable=SC2001
    echo "$list" | sed "s/\$/ $level/"
done | xargs -P "${JOBS:-$(nproc)}" -I{} sh -c "tests/torture/test.sh {} ${MODES:-}" | tee "$log" | grep --line-buffered -v -E '^(ok|skip) '

echo "skipped, with the reason:"
sed -n 's|^skip torture/|  |p' "$log" | sort
echo
awk '
/^(ok|not ok) / {
    good = $1 == "ok"
    split(good ? $2 : $3, path, "/")
    n = split(good ? $2 : $3, part, "/")
    mode = part[n]
    sub(/:$/, "", mode)
    suite = path[2]
    level = part[n - 1]
    sub(/.*-/, "", level)
    rows[suite " " level] = 1
    modes[mode] = 1
    count[suite " " level, mode, good]++
    total[good]++
}
END {
    printf "%-34s", "passed / failed"
    for (m in modes) printf "%16s", m
    print ""
    for (r in rows) {
        printf "%-34s", r
        for (m in modes) printf "%16s", count[r, m, 1] + 0 " / " count[r, m, 0] + 0
        print ""
    }
    printf "%d passed, %d failed\n", total[1], total[0]
    exit total[0] > 0
}' "$log"
