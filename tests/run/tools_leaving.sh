#!/bin/bash
# tools_leaving.sh: hiprof, malloc, dynmem and third where threads leave procedures by exceptions and by longjmp
# (tests/tools/leaving.cc, whose loops say how often): each thread's tree of calls, who frees what, and what is never freed.
# Requires: atomc (ATOMC), qemu-alpha, the Alpha cross compilers; run from the repository's root. TOOLS_ALL=1: not only with -O2.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib

# run_leaving TEST TOOL [ATOMC_OPTION...]
run_leaving() {
    local test=$1
    shift
    if ! "$ATOMC" -t "$@" "$base/leaving" -o "$base/leaving.atom" >"$base/log" 2>&1 ||
        ! (cd "$base" && timeout 300 "$(command -v "$QEMU")" ./leaving.atom >"$base/log" 2>&1); then
        failed "$test" "it does not run" "$base/log"
        return 1
    fi
}

# The line of the source that has the word.
line() {
    grep -n "$1" "$base/leaving.cc" | head -n 1 | cut -d: -f1
}

check_leaving() { # LEVEL
    local test
    alpha-linux-gnu-g++ "-$1" -g -static -Wl,--no-relax "$base/leaving.cc" -o "$base/leaving" -pthread

    # The tree of each of the four threads: what is called behind a catch or setjmp is called by one_round.
    test=tools/hiprof/leaving-$1
    {
        echo "work 1"
        echo "work/one_round 50"
        printf 'work/one_round/%s 50\n' throws throws/throws throws/throws/throws throws/throws/throws/throws \
            throws/throws/throws/throws/throws jumps jumps/jumps jumps/jumps/jumps jumps/jumps/jumps/jumps after_throw after_jump
    } | sed 's/^/4 /' | sort >"$base/expected"
    if run_leaving "$test" hiprof -D least=0; then
        awk '/^Thread/ { tree = 1; top = 0 }
            tree && $5 ~ /^(work|one_round|throws|jumps|after_throw|after_jump)$/ {
                column = length($0) - length($5)
                while (top > 0 && columns[top] >= column) top--
                columns[++top] = column
                path[top] = (top > 1 ? path[top - 1] "/" : "") $5
                times[path[top] " " $4]++
            }
            END { for (way in times) print times[way], way }' "$base/hiprof.out" | sort >"$base/rows"
        equal "$test" "$base/expected" "$base/rows"
    fi

    test=tools/malloc/leaving-$1
    printf '%s\n' "3001 3001 1000 3001000" "3002 3002 800 2401600" "3003 3003 200 600600" >"$base/expected"
    if run_leaving "$test" malloc -D exact=true; then
        awk '$1 ~ /^300[123]$/ { print $1, $2, $3, $5 }' "$base/malloc.out" >"$base/rows"
        equal "$test" "$base/expected" "$base/rows"
    fi

    test=tools/dynmem/leaving-$1
    printf '%s\n' "$(line 3001]) 1000 3001000 1000 0" "$(line 'malloc(3002)') 800 2401600 0 800" \
        "$(line 'malloc(3003)') 200 600600 200 0" | sort >"$base/expected"
    if run_leaving "$test" dynmem; then
        awk -F'\t' '$2 ~ /leaving.cc:/ { sub(/.*:/, "", $2); print $2, $4, $5, $6, $8 }' "$base/dynmem.out" | sort >"$base/rows"
        equal "$test" "$base/expected" "$base/rows"
    fi

    test=tools/third/leaving-$1
    echo "leak jumps $(line 'malloc(3002)') 800 2401600" >"$base/expected"
    if run_leaving "$test" third; then
        awk -F'\t' 'NR > 1 { sub(/.*:/, "", $3); print $1, $2, $3, $4, $5 }' "$base/third.out" >"$base/rows"
        equal "$test" "$base/expected" "$base/rows"
    fi
}

cp tests/tools/leaving.cc "$base"
check_leaving O2
[ -z "${TOOLS_ALL:-}" ] || check_leaving O0
[ "$failures" = 0 ]
