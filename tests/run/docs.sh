#!/bin/bash
# docs.sh: runs every console example of README.md and docs/*.md and compares what it prints.
# Requires: $ATOMC, qemu-alpha and the Alpha cross compiler. A line `...` in an example stands for any lines.
#
# An example is a fenced block that says console: lines that begin with `$ ` are run, one shell for each file, in a scratch
# folder that holds docs/examples/; what follows each is what it prints, standard error included.
set -u
repository=$(cd "$(dirname "$0")/../.." && pwd)
ATOMC=$(realpath "${ATOMC:-$repository/atomc}")
export ATOMC

# Splits a file into steps: NUMBER.command and NUMBER.expected.
split_steps() {
    awk -v folder="$2" '
        /^```console/ { inside = 1; next }
        /^```/ { inside = 0; next }
        inside && /^\$ / { step++; print substr($0, 3) > (folder "/" step ".command"); printf "" > (folder "/" step ".expected"); next }
        inside && step { print > (folder "/" step ".expected") }' "$1"
}

# Does FILE match EXPECTED, where a line `...` matches any number of lines?
matches() {
    [ -s "$1" ] || { [ ! -s "$2" ]; return; }
    awk 'NR == FNR { want[++n] = $0; next } { got[++m] = $0 }
        function match_from(i, j) {
            for (; i <= n; i++) {
                if (want[i] == "...") { for (k = j; k <= m + 1; k++) if (match_from(i + 1, k)) return 1; return 0 }
                if (j > m || want[i] != got[j]) return 0
                j++
            }
            return j == m + 1
        }
        END { exit !match_from(1, 1) }' "$1" "$2"
}

run_file() {
    local steps scratch number failed=0
    steps=$(mktemp -d)
    scratch=$(mktemp -d)
    cp -r "$repository/docs/examples/." "$scratch"
    mkdir "$scratch/bin"
    ln -s "$ATOMC" "$scratch/bin/atomc"
    split_steps "$1" "$steps"
    for ((number = 1; ; number++)); do
        [ -e "$steps/$number.command" ] || break
        (cd "$scratch" && PATH="$scratch/bin:$PATH" bash -c "$(cat "$steps/$number.command")") >"$steps/$number.actual" 2>&1
        if ! matches "$steps/$number.expected" "$steps/$number.actual"; then
            failed=1
            echo "# \$ $(cat "$steps/$number.command")"
            diff "$steps/$number.expected" "$steps/$number.actual" | sed 's/^/# /'
        fi
    done
    if [ $failed = 0 ]; then
        echo "ok docs ${1#"$repository/"} ($((number - 1)) commands)"
    else
        echo "not ok docs ${1#"$repository/"}"
    fi
    rm -rf "$steps" "$scratch"
}

for file in "$repository/README.md" "$repository"/docs/*.md; do
    [ -e "$file" ] && grep -q '^```console' "$file" && run_file "$file"
done
exit 0
