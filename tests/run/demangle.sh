# demangle: reports with --demangle are those without, as binutils' c++filt reads their names.
alpha names "$tests/tools/names.cc" -g
for way in plain shown; do # as long: the stack lies at the same place
    flags="-t prof -t callgraph -t hiprof -D folded=true -D callgrind=true -D least=0"
    [ $way = plain ] || flags+=" --demangle"
    # shellcheck disable=SC2086
    instrument program $flags names
    ATOMC_OUT=$way ending log -0 names program
done
# Rows with the same numbers are in the order of what is shown in neither.
for file in prof.out callgraph.out hiprof.out hiprof.out.folded hiprof.out.callgrind; do
    alpha-linux-gnu-c++filt -i <"plain/$file" | sort >expected
    sort "shown/$file" >found
    check "$file" "grep -q -F 'Shape::sides(int) const' expected && diff expected found"
done
