#!/bin/bash
# cli.sh: the command line, and above all bad inputs: one clear line, exit status 1, and no output file.
# Requires: atomc (ATOMC), the Alpha and the host compiler; run from the repository's root. --update writes .expected.
#
# A case is tests/cli/NAME.cmd, a piece of bash run in an empty folder with $ATOMC, and NAME.expected: its standard
# output and error together, then the line "exit status N". It finds an Alpha program as $PROGRAM/prog, its object file
# as $PROGRAM/prog.o, and the functions below. Comments in it are directives:
#   # leaves FILE...   files that it is right to leave; any other new file fails the test
#   # any lines        more than one line of output is right
#   # status N         exit status, default 1
#   # says TEXT        the output contains this, a regular expression for grep; may be repeated
# Without .expected the directives alone are checked.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
update=${1:-}
scratch=$(mktemp -d)
trap 'chmod -R u+rwx "$scratch"; rm -rf "$scratch"' EXIT
export ATOMC PROGRAM=$scratch/program
export LC_ALL=C

mkdir "$PROGRAM"
cat >"$PROGRAM/prog.c" <<'END'
#include <stdio.h>
int main(int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        puts(argv[i]);
    return 0;
}
END
alpha-linux-gnu-gcc -O2 -g -c "$PROGRAM/prog.c" -o "$PROGRAM/prog.o"
alpha-linux-gnu-gcc -static -Wl,--no-relax "$PROGRAM/prog.o" -o "$PROGRAM/prog"

# patch FILE OFFSET HEX...: writes bytes over a file's.
patch() {
    local file=$1 offset=$2 byte
    shift 2
    for byte in "$@"; do
        printf '%b' "\\x$byte" | dd of="$file" bs=1 seek="$offset" conv=notrunc status=none
        offset=$((offset + 1))
    done
}
export -f patch

directive() { # FILE WORD: the rest of the line "# WORD ..."
    sed -n "s/^# $2 *//p" "$1"
}

# What is wrong with the result of a case, in words; nothing if it is right.
judge() { # CASE STATUS OUTPUT FOLDER
    local wanted left file
    wanted=$(directive "$1" status)
    [ "$2" = "${wanted:-1}" ] || echo "exit status $2, expected ${wanted:-1}"
    if ! grep -q '^# any lines' "$1" && [ "$(wc -l <"$3")" != 1 ]; then
        echo "not one line of output"
    fi
    directive "$1" says | while read -r file; do
        grep -q -e "$file" "$3" || echo "it does not say: $file"
    done
    left=" $(directive "$1" leaves) "
    for file in $(find "$4" -newer "$scratch/start" ! -type d | sed "s|^$4/||"); do
        case $left in *" $file "*) ;; *) echo "it leaves the file $file" ;; esac
    done
}

for case in "$repository"/tests/cli/*.cmd; do
    name=cli/$(basename "$case" .cmd)
    folder=$scratch/folder
    rm -rf "$folder"
    mkdir "$folder"
    # What the case itself makes comes before its last line, the command; files made by it are then old.
    head -n -1 "$case" >"$scratch/prepare"
    tail -n 1 "$case" >"$scratch/command"
    (cd "$folder" && bash -e "$scratch/prepare") >"$scratch/output" 2>&1 || {
        failed "$name" "the preparation failed" "$scratch/output"
        continue
    }
    touch "$scratch/start"
    find "$folder" ! -type l -exec touch -d '2001-01-01' {} +
    status=0
    (cd "$folder" && timeout 60 bash "$scratch/command") >"$scratch/output" 2>&1 </dev/null || status=$?
    sed -e "s|$scratch|SCRATCH|g; s|$repository|REPOSITORY|g; s|REPOSITORY/build[-a-z]*|BUILD|g" \
        -e "s|[^ ]*/atomc-[A-Za-z0-9]*/|TEMPORARY/|g" "$scratch/output" >"$scratch/found"
    judge "$case" "$status" "$scratch/found" "$folder" >"$scratch/judgement"
    echo "exit status $status" >>"$scratch/found"
    expected=${case%.cmd}.expected
    if [ -s "$scratch/judgement" ]; then
        cat "$scratch/found" >>"$scratch/judgement"
        failed "$name" "$(head -n 1 "$scratch/judgement")" "$scratch/judgement"
    elif [ "$update" = --update ]; then
        cp "$scratch/found" "$expected"
    elif [ -e "$expected" ] && ! diff "$expected" "$scratch/found" >"$scratch/difference"; then
        failed "$name" "not the expected text" "$scratch/difference"
    else
        passed "$name"
    fi
done
[ "$failures" = 0 ]
