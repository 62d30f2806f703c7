# changing: a program that changes its text executes the new text. Changed code is no longer counted; all other code is
# counted exactly.
alpha static "$tests/data/changing.c" "$tests/data/changing.s"
cp static open && printf '\007' | dd of=open bs=1 seek=68 conv=notrunc 2>/dev/null # its text is writable from the beginning
shared dynamic "$tests/data/changing.c" "$tests/data/changing.s"
libraries=/usr/alpha-linux-gnu
stable='^(main|step|one|two|change|protect|faulted|all|printf|memcpy)$'

# The program calls all() five times, and changes `value` after the first, `looped` after the second, `written` after the third.
counted_until_changed() { # ORACLE
    prof oracle "$1" | sort >all.txt
    prof tool prof.out | sort >until.txt
    join all.txt until.txt |
        awk '$1 == "value" && $2 == 5 * $3 || $1 == "looped" && 2 * $2 == 5 * $3 || $1 == "written" && 3 * $2 == 5 * $3 { n++ }
        END { exit n != 3 }'
}
prof() { # KIND FILE: name and instructions of each procedure
    if [ "$1" = tool ]; then
        awk '/^0x/ && $4 ~ /^(value|looped|written)$/ { print $4, $2 }' "$2"
    else
        awk '/^0x/ { print $1, $3 }' "$2" >executed.txt
        alpha-linux-gnu-readelf -sW $program | awk "$hexadecimal"'function key(n) { return sprintf("%.0f", n) }
            NR == FNR { executed[key(number($1))] = $2; next }
            $4 == "FUNC" && $NF ~ /^(value|looped|written)$/ { begin = number($2); sum = 0
                for (at = begin; at < begin + ($NF == "written" ? 24 : $3); at += 4) sum += executed[key(at)]
                print $NF, sum }' executed.txt -
    fi
}
while read -r program stays; do
    ending expected -L "$libraries" -singlestep -plugin \
        "$oracle,out=oracle-$program$stays.txt,registers=on,cache=on" $program $stays
    # Of the other tools make check has one with each way.
    case $program-$stays in static-protected) few=third ;; static-writable) few=audit ;; open-never) few=cache ;; *) few= ;; esac
    for tool in prof "prof --without=placement" $(pick "$few" "cache audit third empty branch values"); do
        instrument tool -t $tool $program || continue
        ending all.found -L "$libraries" tool $stays
        grep -v '^atomc: the program has changed the procedure at 0x.*: from then on it was not instrumented$' all.found >found ||
            true
        check "$program-$stays/${tool// /}" "diff expected found"
        check "$program-$stays/${tool// /}/said" \
            "[ \$(grep -c '^atomc:' all.found) = $([ $stays = writable ] && echo 5 || echo 4) ]" all.found
        [ "${tool%% *}" = prof ] || continue
        check "$program-$stays/${tool// /}/counts" \
            "bash '$tests/lib/counts.sh' prof oracle-$program$stays.txt prof.out $program '$stable'"
        check "$program-$stays/${tool// /}/until" "counted_until_changed oracle-$program$stays.txt" until.txt
    done
done <<'END'
static protected
static writable
open never
dynamic protected
dynamic writable
END

# The text of a library: the procedures called changed are counted until they are changed, and the others always. In a
# library without room after its text, springboards are in words of other procedures.
shared library.so -shared -fPIC -Wl,-Bsymbolic "$tests/data/changing.s"
printf '%s\n' '.section .note.GNU-stack,"",@progbits' .text '.globl last' '.ent last' last: '.frame $30,0,$26,0' '.prologue 0' \
    '.rept 200' 'addq $16, 1, $16' .endr 'ret $31, ($26), 1' '.end last' >last.s
shared narrow.so -shared -fPIC -Wl,-Bsymbolic,-z,max-page-size=8192,-z,noseparate-code "$tests/data/changing.s" last.s
shared loads -rdynamic "$tests/data/changing_library.c"
counts() { # the instructions of procedures that are entered and left without a branch
    awk '$4 ~ /^(value|one|two)$/ { print $4, $2 / 2 }' prof.out | sort | tr '\n' ' '
}
for library in library narrow; do
    for way in protect remap alias reopen; do
        ending expected -L "$libraries" loads ./$library.so $way
        for tool in prof $(pick "" "cache audit third"); do
            [ -e $library.$tool ] || instrument $library.$tool -t $tool \
                --objects=$(pick "./$library.so" "all,./$library.so") loads || continue
            ending all.found -L "$libraries" $library.$tool ./$library.so $way
            grep -v "^atomc: the program has changed the procedure at 0x.* of .*$library.so: from then on it was not instrumented\$" all.found >found || true
            check "$library-$way/$tool" "diff expected found"
            check "$library-$way/$tool/said" "[ \$(grep -c '^atomc:' all.found) = 3 ]" all.found
            [ $tool != prof ] ||
                check "$library-$way/counts" \
                "[ \"\$(counts)\" = 'one $([ $way = reopen ] && echo 7 || echo 5) two 3 value 20 ' ]" prof.out
        done
    done
done

# A new mapping over the program's own text, which is on separate pages.
printf '%s\n' '.section .note.GNU-stack,"",@progbits' .text '.align 13' >page.s
alpha own -DOWN "$tests/data/changing_library.c" page.s "$tests/data/changing.s" page.s
for tool in prof $(pick "" "cache audit third"); do
    instrument own.$tool -t $tool own || continue
    for way in remap alias; do
        ending expected own own $way
        ending all.found own.$tool own $way
        grep -v '^atomc: the program has changed the procedure at 0x.*: from then on it was not instrumented$' all.found >found ||
            true
        check "own-$way/$tool" "diff expected found && [ \$(grep -c '^atomc:' all.found) = 3 ]" all.found
        [ $tool != prof ] || check "own-$way/counts" "[ \"\$(counts)\" = 'one 5 two 3 value 20 ' ]" prof.out
    done
done
