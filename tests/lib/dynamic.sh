# dynamic.sh: for dynamically linked programs: runs them, and counts the executions in the program and in its libraries
# by the oracle. Requires: tests/lib/prelude.sh, the cross compilers with their libraries, build/tests/oracle.so.
#
# `use NAME dynamic|pie WORKLOAD` builds a test program. These functions apply to the program that `use` or target has
# set.
# shellcheck shell=bash disable=SC2034,SC2046,SC2086,SC2154
libraries=${LIBRARIES:-/usr/alpha-linux-gnu} # the folder that has lib/ld-linux.so.2
# shellcheck source=/dev/null
. "$BUILD/tests/emulator/layout"

# link_both NAME SOURCE... [FLAG...]: NAME-dynamic, and NAME-pie, which is position-independent.
link_both() {
    shared "$1-dynamic" "${@:2}" -fno-pie -no-pie
    shared "$1-pie" "${@:2}" -fPIE -pie
}
is_pie() { # PROGRAM
    alpha-linux-gnu-readelf -hW "$1" | grep -q 'Type: *DYN'
}

# target NAME PROGRAM [ARGUMENT...]: a program of the case's own: sets what `use` sets.
target() {
    name=$1 program=$2 arguments=("${@:3}") inputs= standard_input= stable=
    unset -f normalise
}

# live RESULT EXECUTABLE [QEMU_OPTION...]: as run, with the libraries.
live() {
    run "$@" -L "$libraries"
}
# alike TEST EXECUTABLE [QEMU_OPTION...]: the executable behaves as the program did in plain/, except for the tool's
# files. Its run is in found/.
alike() {
    live found "${@:2}"
    same_results "$1" plain found '*.out' '*.log'
}

# count_executions own|libraries...: the number of executions of each instruction of the plain program, in own.txt, or
# of its libraries, in libraries.txt, at their addresses under qemu-alpha.
count_executions() {
    local what
    for what in "$@"; do
        rm -f "$what.txt"*
        live counted "$program" -plugin "$oracle,out=$scratch/$what.txt$([ "$what" = own ] || echo ,text=$libraries_text,own=off)"
    done
}

# loaded: each library of the program: its name and its address in memory; the dynamic linker is the first, as in
# atomc's numbers.
loaded() {
    qemu -L "$libraries" -E LD_TRACE_LOADED_OBJECTS=1 "$program" |
        sed -n 's/.*[\t /]\([^ ]*\) (0x0*\([0-9a-f]*\))$/\1 \2/p' |
        awk '/^ld-linux/ { print; next } { others = others $0 "\n" } END { printf "%s", others }'
}

# write_bases OBJECTS: the file bases, for moved, if the program is instrumented with --objects=OBJECTS: main, libc or all. Lines
# NAME MEMORY ATOMC: where the object is in memory, and where atomc has it, or - where that is nowhere.
write_bases() {
    {
        echo "${program##*/} $(is_pie "$program" && echo $program_base || echo 120000000) 120000000"
        [ "$1" = main ] || loaded | awk '{ printf "%s %s %x00000000\n", $1, $2, 1024 + n++ }'
    } | awk -v one="$1" 'one == "libc" { $3 = $1 ~ /^libc\.so/ ? "40000000000" : "-" } { print }' >bases
}

# moved [COLUMNS]: the lines on standard input, with atomc's addresses in the first columns, without lines of objects
# that atomc does not instrument. A further column has the object of the first address: the last object that begins
# before the address.
moved() {
    awk -F'\t' -v columns="${1:-1}" "$hexadecimal"'
        function place(text, pc, name) {
            pc = number(text)
            object = ""
            for (name in from) if (from[name] <= pc && (object == "" || from[object] < from[name])) object = name
            if (object == "" || to[object] == "-") return text
            pc += number(to[object]) - from[object]
            return sprintf("0x%x%06x", int(pc / 16777216), pc % 16777216)
        }
        BEGIN { OFS = FS }
        FILENAME == "bases" { split($0, word, " "); from[word[1]] = number(word[2]); to[word[1]] = word[3]; next }
        /^0x/ { for (i = columns; i > 0; i--) $i = place($i); if (to[object] != "-") print $0, object }' bases -
}

# own_rows TITLES NAMES FILE...: rows of a tool's tables for the program itself, for procedures in the file NAMES (if it
# is not ""), without the columns of these titles.
own_rows() {
    awk -F'\t' -v left_out="^($1)\$" -v names="$2" 'FILENAME == names { own[$1]; next }
        FNR == 1 { for (i = 1; i <= NF; i++) { gone[i] = $i ~ left_out; if ($i == "Procedure") procedure = i } next }
        /^0x12/ && length($1) == 11 && (names == "" || $procedure in own) {
            line = ""
            for (i = 1; i <= NF; i++) if (!gone[i]) line = line "\t" $i
            print line
        }' $2 "${@:3}" | sort
}

# try_counts TEST OBJECTS:TOOL...: for each tool, the program behaves as before, and the tool's counts are the oracle's.
# If several threads run, executions in libraries differ from run to run: then only procedures with names like $stable
# are compared.
try_counts() {
    local item objects tool output only
    live plain "$program"
    count_executions own $(case "$*" in *all:* | *libc:*) echo libraries ;; esac)
    for item in "${@:2}"; do
        objects=${item%:*} tool=${item#*:} output=found/files/${item#*:}.out only=
        instrument instrumented --objects="$objects" -t "$tool" "$program" || continue
        alike "$1/$item" instrumented
        case $tool in empty) continue ;; esac
        [ "$objects" = main ] || [ "$(sed -n 's/^# threads //p' own.txt)" -le 1 ] || only=${stable:?}
        # No procedure of the C library is stable.
        [ -z "$only" ] || [ "$objects" = all ] || { check "$1/$item/counts" "grep ^total $output" && continue; }
        write_bases "$objects"
        cat own.txt $([ "$objects" = main ] || echo libraries.txt) | moved >expected
        # Addresses in a position-independent program as in its file.
        ! is_pie "$program" || sed -i 's/^0x12\(.......\t\)/0x\1/' expected "$output"
        check "$1/$item/counts" "bash '$tests/lib/counts.sh' $tool expected $output '$program' '$only'"
    done
}
