# fields: members of a program's structures, by its debug information: the page prints the same values as the program.
# size: quick
compare() { # TEST PAGE PROGRAM
    instrument "$3.atom" "$tests/fields/$2.atd" "$3" || return
    rm -f "$2.out"
    check "$1" "qemu ./$3.atom >printed 2>/dev/null && diff printed $2.out && [ -s printed ]"
}

# Prints what is wrong with a value.
message() { # WHEN PROCEDURES VALUE [PROGRAM]
    cat >page.atd <<END
tool t
counter n
for p in procs where p.name like "$2" {
  $1 p when $3 == 1 n++
}
report "-" "N" n
END
    "$ATOMC" --check page.atd "${4:-wrong}" 2>&1 || true
}

while read -r name language options; do
    # shellcheck disable=SC2086
    case $language in
    c) alpha nodes $options "$tests"/fields/nodes.c "$tests"/fields/owner.c ;;
    c++) alpha nodes $options -x c++ "$tests"/fields/nodes.c "$tests"/fields/owner.c -x none "$tests"/fields/empty.cc ;;
    esac
    compare "$name" nodes nodes
done <<'END'
c-O0 c -g -O0
c-O2 c -g -O2
c-dwarf4 c -gdwarf-4 -gstrict-dwarf -O2
c-dwarf3 c -gdwarf-3 -gstrict-dwarf -O2
c-types c -gdwarf-4 -fdebug-types-section -O2
c-types5 c -gdwarf-5 -fdebug-types-section -O2
c++-O0 c++ -g -O0
c++-O2 c++ -g -O2
END
for level in O0 O2; do
    alpha shape -g -$level "$tests/fields/shape.cc"
    compare "classes-$level" shape shape
done

for level in O0 O2; do
    alpha values -g -$level "$tests/fields/values.c"
    compare "values-$level" values values
done

alpha clones -g -O2 "$tests/fields/clones.c"
check clones/copied "alpha-linux-gnu-nm clones | grep -q ' t sum\.'"
compare clones clones clones
message before 'pick.*' '$arg(0)->value' clones >found
check clones/refused "grep -q \"'pick[^ ]*' has no '.arg(0)' of a known type\" found"

# Each page with a mistake: its procedures, and the value. The messages are in errors.expected.
shared wrong -g -O1 "$tests/fields/wrong.cc"
shared several -g -O1 "$tests"/fields/{wrong,one,two}.cc
shared plain -g0 -O1 "$tests/fields/wrong.cc"
while read -r when procedures value program; do
    message "$when" "$procedures" "$value" $program
done >found <<'END'
before at_node $arg(0)->nxt
before at_node $arg(0)->shared
before at_[ns]* $arg(0)->word
before at_node $arg(0)->next.word
before at_node $arg(0)->part->value
before at_node $arg(0)->word->value
before at_node $arg(0)->part
before at_node $arg(0)->real
before at_node $arg(0)->wide
before at_node $arg(0)->table
before at_node $arg(0)->list[4]
before at_node $arg(0)->list[-1]
before at_node $arg(0)->word[1]
before at_node $arg(0)->other->value
before at_node $arg(1)->value
before at_node $arg(6)->value
after at_node $ret->value
after at_nothing $ret->value
before at_both $arg(0)->one
before at_over $arg(0)->one
before at_value $arg(0)->words
before at_value $arg(3)->words
before at_value $arg(0).words
before at_value $arg(1).words
before at_value $arg(0).words[2]
before at_shifted $arg(0).rest
before at_packed $arg(0)->crossing
before at_node $memory($arg(0),"struct_nodes").next
before at_node $memory($arg(0),"double")
before at_node $arg(0)->other->value several
before at_node $memory($arg(0),"unknown").value several
before at_node $arg(0)->next plain
before at_node $memory($arg(0),"struct_node").next plain
END
# A call of which nobody knows where it goes.
cat >page.atd <<'END'
tool t
counter n
for c in callsites where c.proc.name == "at_pointer" { before c n += $arg(0)->word }
report "-" "N" n
END
"$ATOMC" --check page.atd wrong 2>&1 | sed 's/0x[0-9a-f]*/0x.../' >>found
[ -z "${UPDATE:-}" ] || cp found "$tests/fields/errors.expected"
check errors "diff '$tests/fields/errors.expected' found"
