# agree.sh: for cases that hold what atomc says of a program against what other programs say of it.
# Requires: tests/lib/prelude.sh.
# shellcheck shell=bash

# agree TEST EXPECTED FOUND: the files, which may be <(COMMAND...), are the same, and not empty.
agree() {
    cat "$2" >expected
    cat "$3" >found
    same "$1" expected found
}
# overlap TEST EXPECTED FOUND: so are those of their lines whose first words both files have.
overlap() {
    sort "$2" >expected.all
    sort "$3" >found.all
    awk 'FNR == NR { known[$1]; next } $1 in known' found.all expected.all >expected
    awk 'FNR == NR { known[$1]; next } $1 in known' expected.all found.all >found
    same "$1" expected found
}
# among TEST EXPECTED FOUND: each line of the one file is in the other one.
among() {
    sort -u "$2" >expected
    sort -u "$3" | comm -12 expected - >found
    same "$1" expected found
}

# printed WORD: of what the instrumentation code has said in the file printed, the lines of that kind, without the word.
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
