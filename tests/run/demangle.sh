# demangle: reports with --demangle equal the reports without it, after binutils' c++filt.
alpha names "$tests/tools/names.cc" -g
shared dynamic "$tests/tools/names.cc" -g
export QEMU_LD_PREFIX=${LIBRARIES:-/usr/alpha-linux-gnu}
program=$(pick dynamic names) # without the C++ library for the stock tools, because instrumenting it takes long
for way in plain shown; do # of the same length, so that the stack is at the same address
    flags="-t prof -t callgraph -t hiprof -D folded=true -D callgrind=true -D least=0"
    [ $way = plain ] || flags+=" --demangle"
    # shellcheck disable=SC2086
    instrument program $flags $program
    ATOMC_OUT=$way ending log -0 names program
done
# Rows with the same numbers are in the order of columns that neither report shows.
for file in prof.out callgraph.out hiprof.out hiprof.out.folded hiprof.out.callgrind; do
    alpha-linux-gnu-c++filt -i <"plain/$file" | sort >expected
    sort "shown/$file" >found
    check "$file" "grep -q -F 'Shape::sides(int) const' expected && diff expected found"
done

# On terminals names are C++ names, shortened if there is no room; --no-demangle shows symbols. Files have symbols.
cat >sides.atd <<'END'
tool sides "calls"
counter calls[procs]
for p in procs where p.name == "Shape::sides(int) const" or p.name like "long sum<*" or p.name == "main" or p.name == "i" {
    before p            calls[p]++
}
report "-" for p in procs where calls[p] > 0 "Calls" calls[p], "Procedure" p.name
END
sides() { # COLUMNS FLAG...
    local columns=$1
    shift
    instrument "sides$columns$*" "$@" sides.atd names
    script -qec "stty rows 40 cols $columns; env -u ATOMC_FORMAT '$QEMU' -0 names './sides$columns$*'" /dev/null \
        </dev/null | tr -d '\r' | tail -n +2
}
sides 80 >found
prints wide cat found <<'END'
Calls  Procedure
    5  Shape::sides(int) const
    1  main
    1  i
    1  long sum<long>(std::vector<long, std::allocator<long> > const&)
END
sides 40 >found
prints narrow cat found <<'END'
Calls  Procedure
    5  Shape::sides(int) const
    1  main
    1  i
    1  sum<...>
END
sides 80 --no-demangle >found
prints symbols cat found <<'END'
Calls  Procedure
    5  _ZNK5Shape5sidesEi
    1  main
    1  i
    1  _Z3sumIlET_RKSt6vectorIS0_SaIS0_EE
END
qemu "sides80" >found
check file "grep -q _ZNK5Shape5sidesEi found && ! grep -q Shape:: found" found

# A C++ name in a condition is compared with C++ names, any other text with the symbol: `i` is no type, and (i|main) is
# no call.
cat >selects.atd <<'END'
tool selects "how many procedures a condition selects"
set whole = proc p where p.name == "Shape::sides(int) const"
set others = proc p where p.name != "Shape::sides(int) const"
set members = proc p where p.name like "Shape::*"
set expression = proc p where p.name ~ "^Shape::[a-z]+"
set symbols = proc p where p.name ~ "^(i|main)$" or p.name == "i(int)"
set none = proc p where p.name like "Shape*" or p.name == "Shape::sides"
set listed = proc p where p.name in file("chosen.txt")
report "-" as count(whole), " ", count(procs) - count(others), " ", count(members),
    " ", count(expression), " ", count(symbols), " ",
    count(none), " ", count(listed)
END
printf '%s\n' 'Shape::sides(int) const' main _ZN5ShapeC1Ev _ZN5ShapeC2Ev >chosen.txt # two names of one procedure
instrument selecting selects.atd names
qemu selecting >found
tail -1 found >selected # members: the constructor, its executed version, and its part for exceptions if there is one
members=$(alpha-linux-gnu-nm names | grep -i ' [tw] _ZNK\?5Shape' | cut -d ' ' -f 1 | sort -u | wc -l)
prints selected cat selected <<<"1 1 $members 1 2 0 3"

# Output for other programs, and texts of C, have the names of C++, in exports too; --no-demangle and rows have symbols.
# lcov reads no commas.
instrument exported -t hiprof -D folded=true -D callgrind=true -t gprof -t coverage -D tables=true $program
instrument linked__ --no-demangle -t hiprof -D folded=true -t gprof $program
for way in exported linked__; do ATOMC_FORMAT=text ATOMC_OUT=as_$way ending log -0 names $way; done # environments of one length
ATOMC_FORMAT=rows ATOMC_OUT=as_the_rows ending log -0 names exported
# Procedures that are one in C++, such as two constructors, are one function.
functions() { # FILE: of callgrind's form: the costs of each function itself
    awk '/^fn=/ { name = substr($0, 4); getline; sum[name] += $NF } END { for (name in sum) print name, sum[name] }' "$1" | sort
}
rows=$(grep -l '"report":"hiprof.out.tree"' as_the_rows/*.rows)
"$ATOMC" export --format=folded "$rows" | sort >found
"$ATOMC" export --format=folded --no-demangle "$rows" | sort >symbols
sort as_exported/hiprof.out.folded >expected
check export/folded "diff expected found && grep -q -F 'Shape::sides(int) const' found && ! grep -q _Z found"
sort as_linked__/hiprof.out.folded >expected
check export/folded_symbols "diff expected symbols && grep -q _ZNK5Shape5sidesEi symbols"
check export/folded_names "alpha-linux-gnu-c++filt -i <symbols | sort | diff - found"
"$ATOMC" export --format=callgrind "$rows" >found.callgrind
functions found.callgrind >found
functions as_exported/hiprof.out.callgrind >expected
check export/callgrind "diff expected found && grep -q -F 'Shape::sides(int) const' found && ! grep -q _Z found"
"$ATOMC" export --format=speedscope "$rows" >found
check export/speedscope "jq -e '[.shared.frames[].name] | index(\"Shape::sides(int) const\")' found && ! grep -q _Z found"
"$ATOMC" export --format=lcov as_the_rows >found
check export/lcov \
    "grep -q -x 'FN:[0-9]*,long sum<long>(std::vector<long; std::allocator<long> > const&)' found &&
        ! grep -q -e _Z -e 'FNDA.*,.*,' found"
"$ATOMC" export --format=lcov --no-demangle as_the_rows >found
check export/lcov_symbols "grep -q -x 'FN:[0-9]*,_Z3sumIlET_RKSt6vectorIS0_SaIS0_EE' found" found
"$ATOMC" chart "$rows" >found
check chart "grep -q Shape::sides found && ! grep -q _ZNK found" found
"$ATOMC" chart --no-demangle "$rows" >found
check chart/symbols "grep -q _ZNK5Shape5sidesEi found" found
for file in gprof.out hiprof.out; do
    check "$file" "grep -q -F 'Shape::sides(int) const' as_exported/$file && ! grep -q _Z as_exported/$file"
    check "$file/symbols" "grep -q _ZNK5Shape5sidesEi as_linked__/$file"
done

# Formats for programs have both: the symbol in its column, and the C++ name as c++filt prints it in a later column;
# this is empty if both are equal.
cat >both.atd <<'END'
tool both "calls"
counter calls[procs]
for p in procs where p.name == "Shape::sides(int) const" or p.name like "long sum<*" or p.name == "main" { before p calls[p]++ }
report "-" for p in procs where calls[p] > 0 sorted by p.name "Calls" calls[p], "Procedure" p.name, "Other" "_Z1fi" total
END
instrument both both.atd names
ATOMC_FORMAT=csv qemu both | sed -n '/^Calls/,$p' >found
prints both/csv cat found <<'END'
Calls,Procedure,Other,Procedure demangled
1,_Z3sumIlET_RKSt6vectorIS0_SaIS0_EE,_Z1fi,"long sum<long>(std::vector<long, std::allocator<long> > const&)"
5,_ZNK5Shape5sidesEi,_Z1fi,Shape::sides(int) const
1,main,_Z1fi,
total 7,,,
END
ATOMC_FORMAT=json qemu both | sed -n '/^{"tool/,$p' >both.json
jq -r '.rows[] | [.Procedure, ."Procedure demangled" // ""] | join("\t")' both.json >found
cut -f1 found | while read -r symbol; do printf '%s\t%s\n' "$symbol" \
    "$(alpha-linux-gnu-c++filt <<<"$symbol" | grep -v -x -e "$symbol" || true)"; done >expected
same both/json expected found
check both/json-only "[ \$(jq '[.rows[] | keys | length] | tostring' both.json) = '\"[4,4,3]\"' ]" both.json
ATOMC_FORMAT=text qemu both >found
check both/text "! grep -q -e demangled -e 'Shape::' found" found
instrument both --no-demangle both.atd names
ATOMC_FORMAT=csv qemu both >found
check both/no-demangle "! grep -q -e demangled -e 'Shape::' found" found

# p.demangled, of each procedure, equals c++filt's name for its symbol.
cat >names.atd <<'END'
tool names "names"
report "symbols.out" for p in procs where p.binding != "" as p.name
report "demangled.out" for p in procs where p.binding != "" as p.demangled
END
instrument names.atom names.atd names
ATOMC_OUT=out qemu -0 names names.atom >/dev/null
alpha-linux-gnu-c++filt -i <out/symbols.out >expected
check attribute "grep -q -x -F 'Shape::sides(int) const' out/demangled.out && grep -q -x main out/demangled.out &&
    diff expected out/demangled.out" expected
