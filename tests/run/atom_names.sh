# atom_names: names of procedures that a dynamic program calls, in ATOM's interface and in the language: against the
# relocations that readelf prints, and against the targets of the calls at run time.
. "$tests/lib/dynamic.sh"
. "$tests/lib/agree.sh"
names=$tests/atom/names

# slots OBJECT: lines CALL SLOT of jumps through $27 that was loaded from the GOT in the same straight line; relocations OBJECT:
# SLOT NAME.
slots() {
    disassembled "$1" | awk "$hexadecimal"'
        function part(i) { split($3, parts, /[,(]/); return parts[i] }
        $2 == "ldah" && $3 ~ /^gp,-?[0-9]*\((ra|t12)\)/ { base = number($1) + 65536 * part(2); next }
        $2 == "lda" && $3 ~ /^gp,-?[0-9]*\(gp\)/ { gp = base + part(2); next }
        $2 == "ldq" && $3 ~ /^t12,-?[0-9]*\(gp\)/ { slot = gp + part(2); next }
        $2 ~ /^(jsr|jmp)$/ && $3 ~ /\(t12\)/ && slot { printf "%s %x%06x\n", $1, int(slot / 16777216), slot % 16777216 }
        $2 ~ /^(b|fb|jsr|jmp|ret|call_pal)/ || $3 ~ /^t12,|,t12$/ { slot = 0 }'
}
relocations() {
    alpha-linux-gnu-readelf -rW "$1" |
        awk '$3 ~ /^R_ALPHA_(JMP_SLOT|GLOB_DAT)$/ && NF >= 5 { sub(/^0*/, "", $1); sub(/@.*/, "", $5); print $1, $5 }'
}
expected_names() { # OBJECT: lines CALL NAME
    join -1 2 -2 1 <(slots "$1" | sort -k2) <(relocations "$1" | sort) | awk '{ print $2, $3 }' | sort
}

for item in $(pick mawk:words "mawk:words bzip2:compress lua:errors"); do
    use "${item%:*}" dynamic "${item#*:}" || continue
    live plain "$program"
    expected_names "$program" >expected.names
    check "$name/known" "[ \$(wc -l <expected.names) -gt 100 ]"
    for objects in "" -all; do
        # shellcheck disable=SC2086
        "$ATOMC" "$program" "$names"/names.{inst,anal}.c $objects -o instrumented >printed
        among "$name/names$objects" expected.names <(printed callee | cut -d' ' -f1,2)
        check "$name/inside$objects" "! grep wrong printed"
        # Nearly all that can be known: not calls through pointers of the program's own.
        check "$name/most$objects" \
            "printed callee | awk '/^12/ { all++; n += \$2 == \"?\" } END { exit !(all > 100 && n < all / 10) }'"
        LD_BIND_NOW=1 live end instrumented -E LD_BIND_NOW=1
        same_results "$name/same$objects" plain end names.out
        prints "$name/goes$objects" cat end/files/names.out <<<"wrong 0"
    done
    libc=$(loaded | awk '/^libc/ { print NR }')
    agree "$name/object" <(echo "$libc") <(sed -n "s/^found //p" printed)
    agree "$name/malloc" <(echo "malloc $libc") <(printed callee | awk '$2 == "malloc" { print $2, $3; exit }')
    # The same in the language, of the program only: callers and callees, and arguments at calls.
    instrument instrumented -t callgraph -t args -D calls=true -D 'procedures=*alloc' "$program" && live end instrumented
    cut -f2 end/files/callgraph.out | sed '1d;/^$/d;/^total/d' | sort -u >callees
    among "$name/callgraph" <(sort -u callees | grep -v -e ^proc_at -e +0x) \
        <(cat <(relocations "$program" | cut -d' ' -f2) <(alpha-linux-gnu-nm "$program" | awk '{ print $3 }') | sort -u)
    check "$name/libc" "grep -x -e malloc -e strlen -e memcpy callees"
    # Of libraries: the tool does not see calls of the program's own procedures through pointers.
    relocations "$program" | awk '$2 ~ /alloc$/ { print $2 }' >allocators
    sums() { # FILE COLUMN OF NAMES, OF CALLS
        awk -F'\t' -v name="$2" -v calls="$3" \
            'NR == FNR { known[$1]; next } $name in known { n[$name] += $calls } END { for (f in n) print f, n[f] }' \
            allocators "$1" | sort
    }
    agree "$name/args" <(sums end/files/callgraph.out 2 3) <(sums end/files/args.out 1 4)
done
