# agree.sh: for cases that compare atomc's facts about a program with the output of other programs. Requires:
# tests/lib/prelude.sh.
# shellcheck shell=bash

# agree TEST EXPECTED FOUND: the files, which may be <(COMMAND...), are the same, and not empty.
agree() {
    cat "$2" >expected
    cat "$3" >found
    same "$1" expected found
}
# overlap TEST EXPECTED FOUND: the same for lines whose first word is in both files.
overlap() {
    sort "$2" >expected.all
    sort "$3" >found.all
    awk 'FNR == NR { known[$1]; next } $1 in known' found.all expected.all >expected
    awk 'FNR == NR { known[$1]; next } $1 in known' expected.all found.all >found
    same "$1" expected found
}
# among TEST EXPECTED FOUND: each line of the first file is in the second.
among() {
    sort -u "$2" >expected
    sort -u "$3" | comm -12 expected - >found
    same "$1" expected found
}

# printed WORD: the lines with this first word that the instrumentation code has printed to the file printed, without
# the word.
printed() {
    sed -n "s/^$1 //p" printed
}
# disassembled PROGRAM...: lines ADDRESS MNEMONIC OPERANDS. symbols PROGRAM: lines NAME ADDRESS.
disassembled() {
    alpha-linux-gnu-objdump -d --no-show-raw-insn -z "$@" | sed -n 's/^ *\([0-9a-f]*\):\t/\1 /p' | tr '\t' ' '
}
symbols() {
    alpha-linux-gnu-nm "$1" | awk '{ sub(/^0*/, "", $1); print $3, $1 }' | sort
}
