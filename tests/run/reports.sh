#!/bin/bash
# reports.sh: reports end to end: formats, places, order and sums, forks, errors; of programs whose counts are known.
# Requires: atomc (ATOMC), qemu-alpha, the Alpha cross compiler; run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
qemu=$(command -v "$QEMU")
cp tests/reports/* docs/examples/primes.c "$scratch"
cd "$scratch"
for program in work primes; do
    alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax "$program.c" -o "$program"
done

instrument() { # TOOL PROGRAM
    if ! "$ATOMC" "$1.atd" "$2" -o "$1.atom" >"$scratch/log" 2>&1; then
        failed "reports/$1" "atomc failed" "$scratch/log"
        exit 1
    fi
}

# run FOLDER [NAME=VALUE...] -- TOOL [ARGUMENT]: in the new FOLDER; standard output, error and status are found beside it.
run() {
    local folder=$1 status=0
    local -a variables=()
    shift
    while [ "$1" != -- ]; do
        variables+=("$1")
        shift
    done
    mkdir -p "$folder"
    { (ulimit -c 0 && cd "$folder" && env -i "${variables[@]}" "$qemu" "$scratch/$2.atom" "${@:3}" </dev/null >"$scratch/$folder.stdout" \
        2>"$scratch/$folder.stderr") || status=$?; } 2>/dev/null # where bash would say that a signal ended it
    echo "$status" >"$folder.status"
}

# says TEST FILE [STATUS]: the file is what standard input says, and the run, named like the file's folder, ended with STATUS.
says() {
    local status
    status=$(cat "${2%%[./]*}.status")
    if [ "$status" != "${3:-0}" ]; then
        failed "reports/$1" "exit status $status" "${2%%[./]*}.stderr"
    elif ! diff - "$2" >difference 2>&1; then
        failed "reports/$1" "$2 differs" difference
    else
        passed "reports/$1"
    fi
}

instrument calls work
instrument kept work
instrument profile primes

run text -- calls
says text text/calls.out <<'END'
Procedure, "quoted"	Calls	Share	Least	Most	Span
twice	6	75.00	-7	43	0x32
thrice	2	25.00	-4	-2	0x2
never	0	0.00	0	0	0x0
total	8	100.00	-11	41
END

run csv ATOMC_FORMAT=csv -- calls
says csv csv/calls.out <<'END'
"Procedure, ""quoted""",Calls,Share,Least,Most,Span
twice,6,75.00,-7,43,0x32
thrice,2,25.00,-4,-2,0x2
never,0,0.00,0,0,0x0
total,8,100.00,-11,41,
END

run json ATOMC_FORMAT=json ATOMC_OUT=- -- calls s
says json json.stdout 3 <<'END'
{"tool": "calls", "report": "calls.out", "rows": [
{"Procedure, \"quoted\"": "twice", "Calls": 6, "Share": 75.00, "Least": -7, "Most": 43, "Span": "0x32"},
{"Procedure, \"quoted\"": "thrice", "Calls": 2, "Share": 25.00, "Least": -4, "Most": -2, "Span": "0x2"},
{"Procedure, \"quoted\"": "never", "Calls": 0, "Share": 0.00, "Least": 0, "Most": 0, "Span": "0x0"}], "total": {"Calls": 8, "Share": 100.00, "Least": -11, "Most": 41}}
END

# Rows of a group are one; text is the same in every format, and goes on in one file.
instrument groups work
run groups ATOMC_FORMAT=csv -- groups
says groups groups/groups.out <<'END'
First,Calls,Most,Share
never,0,0,0.00
twice,8,6,100.00
total,8,6,100.00
END
says groups/text groups/groups.txt <<'END'
begin 3
thrice	0x2 25.00%
1
twice	0x6 75.00%
1
end
END

# Another directory, made for it, although the program goes elsewhere.
run directory ATOMC_OUT=made/here -- calls d
says directory directory/made/here/calls.out <text/calls.out

# A signal ends the program.
run signal -- calls k
says signal signal/calls.out 134 <text/calls.out

# A file for each process; the single row goes to standard output.
run fork -- kept f
sort fork/first.*.out >fork/both
says fork fork/both <<'END'
Procedure	Calls	Share
Procedure	Calls	Share
thrice	2	25.00
thrice	3	33.33
total	8	100.00
total	9	100.00
END
sort -u fork.stdout >fork/sorted
says single fork/sorted <<'END'
8	2	0
9	3	0
Calls	Mean	Nothing
END

# Wrong words and places are said, and change nothing else.
run word ATOMC_FORMAT=xml -- calls s
says word word.stderr 3 <<'END'
atomc: ATOMC_FORMAT is 'xml', not text, csv or json: reports are written as text
END
says word/file word/calls.out 3 <text/calls.out
run place ATOMC_OUT=/dev/null/here -- calls s
says place place.stderr 3 <<'END'
atomc: cannot write /dev/null/here/calls.out: Not a directory
END

# A profile's parts make up its whole, and are the same in each format; the program sees the environment, and counts with it.
run whole ATOMC_FORMAT=text -- profile
run wholecsv ATOMC_FORMAT=csv -- profile
run wholejson ATOMC_FORMAT=json -- profile
tr '\t' , <whole/profile.out | sed '$s/$/,/' | says whole/csv wholecsv/profile.out
sed -n 's/^{"PC": "\(.*\)", "Instructions": \(.*\), "Percent": \(.*\), "Procedure": "\([^"]*\)"}.*/\1\t\2\t\3\t\4/p' \
    wholejson/profile.out >wholejson/rows
sed '1d; $d' whole/profile.out | says whole/json wholejson/rows
awk -F '\t' 'NR == 1 || $1 == "total" { next }
    { sum += $2; count[NR] = $2; percent[NR] = $3; main += $4 == "main"; if (NR > 2 && $2 > latest) wrong = 1; latest = $2 }
    END { for (row in count) if (sprintf("%.2f", 100 * count[row] / sum) != percent[row]) wrong = 1
          print "total\t" sum "\t100.00"; exit wrong || main != 1 || sum < 100000 }' whole/profile.out >whole/sum ||
    failed reports/whole/rows "out of order, or wrong shares" whole/profile.out
tail -n 1 whole/profile.out | says whole/sum whole/sum
exit "$((failures > 0))"
