# cli: the command line, mainly bad inputs: one clear line, exit status 1, and no output file.
# size: quick
# UPDATE=1 tests/runner.sh quick cli: writes NAME.expected, if it exists and all directives hold, instead of comparing.
# A test is tests/cli/NAME.cmd, a piece of bash for an empty folder, and NAME.expected: what its last line, the command,
# prints, standard error included, then "exit status N". The lines before the last line prepare the test. It finds an
# Alpha program as $PROGRAM/prog, its object file as $PROGRAM/prog.o, $ATOMC and the function patch. The program is
# linked dynamically: to instrument it takes a tenth of the time of $STATIC/prog, which has the C library in it. Comments
# in it are directives:
#   # leaves FILE...   files that it is right to leave; any other new file fails the test
#   # any lines        more than one line of output is right
#   # status N         exit status, default 1
#   # says TEXT        the output contains this, a regular expression for grep; may be repeated
# Without .expected the directives alone are checked.
export PROGRAM=$scratch/program STATIC=$scratch/static QEMU_LD_PREFIX=/usr/alpha-linux-gnu
# The emulator that hides the variable for large pages from programs.
mkdir program static bin
ln -s "$QEMU" bin/qemu-alpha
export PATH=$scratch/bin:$PATH GLIBC_TUNABLES=$large_pages
cp "$tests/cli/prog.c" program
alpha-linux-gnu-gcc -O2 -g -c program/prog.c -o program/prog.o
shared program/prog program/prog.o
alpha static/prog program/prog.o

patch() { # FILE OFFSET HEX...: writes bytes over a file's
    local file=$1 offset=$2
    shift 2
    printf '%b' "${@/#/\\x}" | dd of="$file" bs=1 seek="$offset" conv=notrunc status=none
}
export -f patch

judge() { # FILE STATUS: prints what is wrong; prints nothing if all directives hold
    local hash word rest wanted=1 lines=1 leaves=" " output
    while read -r hash word rest; do
        case "$hash $word" in
        "# status") wanted=$rest ;;
        "# any") lines=any ;;
        "# leaves") leaves+="$rest " ;;
        "# says") grep -q -e "$rest" found || echo "it does not say: $rest" ;;
        esac
    done <"$1"
    mapfile -t output <found
    [ "$2" = "$wanted" ] || echo "exit status $2, not $wanted"
    [ $lines = any ] || [ ${#output[@]} = 1 ] || echo "not one line of output"
    find folder -newermt 2001-01-02 ! -type d -printf '%P\n' >new
    while read -r rest; do
        case $leaves in *" $rest "*) ;; *) echo "it leaves the file $rest" ;; esac
    done <new
}

# equal FILE FILE: without a process. A mapped line has its newline.
equal() {
    local -a one two
    mapfile one <"$1" && mapfile two <"$2"
    local IFS=
    [ "${one[*]}" = "${two[*]}" ]
}

number=0 every=$([ "$ATOMC" = "$BUILD/atomc" ] && echo 1 || pick 4 1) # the sanitized atomc is slow
for file in "$tests"/cli/*.cmd; do
    [ $((number++ % every)) = 0 ] || continue
    mkdir folder
    mapfile -t lines <"$file"
    command=${lines[-1]} status=0 expected=${file%.cmd}.expected
    unset 'lines[-1]'
    # What is newer was written by the command. A fifth of the tests prepare nothing.
    printf '%s\n' "${lines[@]}" 'find . -exec touch -h -d 2001-01-01 {} +' >prepare
    if [[ $'\n'$(printf '%s\n' "${lines[@]}") != *$'\n'[^#]* ]] || (cd folder && exec bash -e ../prepare) >output 2>&1; then
        (cd folder && exec timeout 1500 bash -c "$command") >output 2>&1 </dev/null || status=$?
    else
        status="of preparation"
    fi
    sed -e "s|$scratch|SCRATCH|g; s|$top|REPOSITORY|g; s|REPOSITORY/build[-a-z]*|BUILD|g" \
        -e "s|[^ ]*/atomc-[A-Za-z0-9]*/|TEMPORARY/|g" \
        -e "s|\(gcc-cross/alpha-linux-gnu/\)[0-9]*/|\1VERSION/|g; s|:(\.text+0x[0-9a-f]*):|:|" output >found
    judge "$file" "$status" >wrong
    echo "exit status $status" >>found
    [ -z "${UPDATE:-}" ] || [ -s wrong ] || [ ! -e "$expected" ] || cp found "$expected"
    name=${file##*/}
    check "${name%.cmd}" \
        "{ [ ! -s wrong ] || ! cat wrong; } &&
            { [ ! -e '$expected' ] || equal '$expected' found || diff '$expected' found; }" found
    rm -rf folder
done
