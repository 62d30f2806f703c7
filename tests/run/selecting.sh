# selecting: `in` with lists of values and files, system calls by name, the text of instructions, targets of direct
# branches.
. "$tests/lib/agree.sh"
cp "$top/docs/examples/queens.c" "$tests/selecting/selecting.atd" .
alpha plain queens.c -g
disassembled plain >text
# Lists: a file that the page names is beside it, one of the command line where that is. A table of a report is good.
mkdir page
mv selecting.atd page
printf '# names\nmain # which calls place\n  is_safe\n\nnobody\n' >page/names.list
awk '$2 == "bsr" { print "0x" $1 "\tcall", $NF }' text | head -n 40 >page/addresses.list
awk '$2 == "ret" { print "  0x" $1 ", whatever" }' text | head -n 30 >more.list
(cd page && instrument ../instrumented selecting.atd -D more=../more.list ../plain)
mkdir results
ATOMC_OUT=results qemu instrumented >printed
check printed "[ \"\$(cat printed)\" = '4 ways' ]"
row() { # REPORT: its only row
    sed -n 2p "results/$1"
}
check lists "row sets | awk '\$1 == \$2 && \$1 > 20 && \$1 + \$3 == \$5 && \$4 == \$5 { good = 1 } END { exit !good }'"
check equal "[ \$(sed 1d results/equal | wc -l) = \$(row sets | cut -f1) ]"
agree names <(printf 'main\nplace\n') <(sed 1d results/names | sort)
agree filed <(printf 'is_safe\nmain\n') <(sed 1d results/filed | sort)
agree here <(cut -f1 page/addresses.list | sort) <(sed 1d results/here | sort)
agree there <(sed 's/,.*//; s/ *//' more.list | sort) <(sed 1d results/there | sort)
check dynamic "row few | awk '\$1 == \$2 && \$1 > 0 && \$3 == 0 { good = 1 } END { exit !good }'"
# System calls, as QEMU logs them.
"$QEMU" -strace plain 2>strace >output
agree calls <(awk '/^[0-9]+ [a-z]/ { all++ } /^[0-9]+ write\(/ { w++ } /^[0-9]+ exit(_group)?\(/ { e++ }
    sub(/.*errno=/, "") { failed++; if ($1 > most) most = $1 }
    END { OFS = "\t"; print w, e, all, all - e, failed, most }' strace) <(row calls)
agree places results/words results/places
agree numbers <(sed 1d results/numbers) <(sed 1d results/known | cut -f1,2)
check known "grep 'write\$' results/known && ! grep -v -e '[a-z0-9]\$' results/known &&
    row 'known calls' | grep -v '^0' | grep '0\$'"
# A direct branch has its target, taken or not: at each of its executions, which the oracle has counted.
"$QEMU" -plugin "$oracle,out=counted" plain >output
awk 'FNR == NR { executed[$1] = $3; next } FNR > 1 { print $1 "\t" executed[$1] + 0 }' counted results/targets >executed
agree targets executed <(sed 1d results/targets)
# The assembler makes the same instruction from the text of an instruction.
cut -f2 results/texts | sed '1d; s/^/\t/' | { printf \
    '\t.set noat\n\t.set nomacro\n\t.set noreorder\n\t.arch ev67\n' && cat; } >texts.s
alpha-linux-gnu-gcc -c texts.s -o texts.o 2>as.log || failed texts "does not assemble" as.log
agree texts <(sed 1d results/texts | cut -f1 | sed 's/^0x//' | awk '{ printf "%8s\n", $1 }' | tr ' ' 0) \
    <(alpha-linux-gnu-objdump -d -z texts.o | sed -n 's/^ *[0-9a-f]*:\t\(..\) \(..\) \(..\) \(..\).*/\4\3\2\1/p' |
        head -n "$(($(wc -l <results/texts) - 1))")
check none "[ \$(wc -l <results/names_of_texts) = 1 ]" results/names_of_texts
check branches "sed 1d results/branches | awk -F'\t' '\$2 !~ \$3 \"\$\" { bad = 1; print } END { exit bad || NR < 10 }'"
# Real numbers: awk computes the same from the columns beside them, in rows, groups and sums; division by 0 gives 0.
instrument quotients "$tests/selecting/quotients.atd" plain
ATOMC_OUT=results qemu quotients >printed
for table in rows negative groups static zero; do
    check "quotients/$table" "sed 1d results/$table | sed 's/^total //' |
        awk -F'\t' '{ rows++; if (\$3 != sprintf(\"%.2f\", \$2 ? \$1 / \$2 : 0)) wrong = 1 }
        END { exit wrong || rows != $(case $table in rows | negative) echo 4 ;;
            static) echo 3 ;; *) echo 1 ;; esac) }'" "results/$table"
done

# Data by name: stores of threads, a signal handler and two files to variables; the program prints their number; linked
# statically, position-independent, and with a library that has one of the variables.
alpha-linux-gnu-gcc -O2 -g -fPIC -c "$tests/selecting/globals.c" "$tests/selecting/other.c"
alpha data globals.o other.o -pthread
shared data.pie globals.o other.o -pthread -pie
shared libother.so other.o -shared
shared data.library globals.o -pthread -L. -lother -Wl,-rpath,.
awk 'FNR == 1 { file = FILENAME; sub(/.*\//, "", file) }
    /^( *static|long|volatile|char|const) .*;/ && match($0, /[a-z]+(\[[0-9]*\])?( = [^;]*)?;/) {
        name = substr($0, RSTART); sub(/[^a-z].*/, "", name)
        print name, file ":" FNR
    }' "$tests/selecting/globals.c" "$tests/selecting/other.c" | sort >declared
for kind in data data.pie data.library; do
    options=()
    [ $kind != data.library ] || options=(--objects=main,libother.so --root=/usr/alpha-linux-gnu)
    instrument $kind.atom "${options[@]}" "$tests/selecting/data.atd" $kind || continue
    rm -rf results
    mkdir results
    "$QEMU" -L /usr/alpha-linux-gnu $kind >plain.output
    ATOMC_OUT=results "$QEMU" -L /usr/alpha-linux-gnu $kind.atom >output
    agree $kind/behaves plain.output output
    agree $kind/stores <(printf '30\t7\t1000\t5\t11\t11\t11\t435\n') <(row stores)
    agree $kind/written <(printf '%s\n' 'alias 30' 'constant 0' 'flag 7' 'locked 1000' 'mutex 0' 'same 11' 'same 5' \
        'shared 11' 'text 2' 'within.0 5') \
        <(sed 1d results/written | awk '{ print $1, $2 }' | sort)
    agree $kind/places declared <(sed 1d results/places |
        awk -F'\t' '{ sub(/.*\//, "", $2); sub(/\..*/, "", $1); sub(/alias/, "total", $1); print $1, $2 ":" $3 }' | sort)
    objects=$kind
    [ $kind != data.library ] || objects="$kind libother.so"
    # shellcheck disable=SC2086
    among $kind/symbols <(sed 1d results/all | awk '{ sub(/.*x/, "", $1); print substr($1, length($1) - 3), $3 }') \
        <(alpha-linux-gnu-readelf -sW $objects |
        awk '$4 == "OBJECT" { sub(/@.*/, "", $8); print substr($2, 13), $8 }')
    check $kind/numbers "row numbers | awk '\$2 == 10 && \$3 == 8 && \$1 > 10 { good = 1 } END { exit !good }' &&
        sed 1d results/objects | awk '\$3 != 0 { bad = 1 } END { exit bad || NR != 10 }'"
done
# Each object that a static program has, once, at its address.
alpha-linux-gnu-readelf -sW data | awk '$4 == "OBJECT" && $7 != "UND" && $7 != "ABS" { print "0x" $2 }' |
    sed 's/0x0*/0x/' | sort -u >addresses
ATOMC_OUT=results qemu data.atom >output
agree all addresses <(sed 1d results/all | cut -f1 | sort)
# A pattern without a folder matches names of source files, in any folder; a pattern with a folder matches the path.
mkdir -p far/queens.d here
cp queens.c far/queens.d/queens.c && cp queens.c here/other.c
alpha near "$PWD/far/queens.d/queens.c" -g && alpha other here/other.c -g
selected() { # PROGRAM CONDITION: how many procedures
    "$ATOMC" -e "set s = proc p where $2 report \"-\" \"N\" count(s)" "$1" -o counting >counting.log 2>&1 &&
        qemu counting | sed -n '$p'
}
for each in 'near "queens.c" 3' 'near "queen?.c" 3' 'near "*queens.c" 3' 'near "*/queens.d/queens.c" 3' \
    'near "queens.d/queens.c" 0' 'near "ueens.c" 0' 'near "queens*" 3' \
    'near "far*" 0' 'near "/queens.c" 0' 'other "queens.c" 0' 'other "other.c" 3' 'other "here/other.c" 3' \
    'other "here*" 3' 'other "*.c" 3'; do
    read -r name pattern count <<<"$each"
    check "file/$name-$pattern" "[ \"\$(selected $name 'p.file like $pattern')\" = $count ]"
done
check file/not "[ \$(selected near 'p.line > 0 and p.file not like \"queens.c\"') = 0 ] &&
    [ \$(selected near 'p.line > 0 and p.file == \"queens.c\"') = 0 ]"
check file/only "[ \$(selected near 'p.name like \"queens.c\"') = 0 ]"
