# atom_cplusplus: instrumentation and analysis code in C++, in files of every suffix and as objects: exceptions, static
# constructors, the standard library. The expected output was computed by hand from tests/atom/cplusplus/program.c.
cp "$tests"/atom/cplusplus/* .
alpha program program.c -O1 -g
g++ -I"$top/atom/include" -DOLD -fPIC -x c++ -c count.inst.cc -o old.inst.o
alpha-linux-gnu-g++ -O2 -I"$top/atom/include" -c count.anal.C -o object.o
for suffix in cc cpp cxx; do cp count.anal.C count.anal.$suffix; done
for suffix in cpp cxx C; do cp count.inst.cc other.inst.$suffix; done

counts() { # TEST WORDS...: instruments with the words, and runs the program
    local test=$1
    shift
    instrument program.atom program "$@" && ending found program.atom
    printf 'table constructed\ntable destroyed after 2\nexit status 0\n' | cat counts.expected - | sort >expected
    check "$test" "sort found | diff expected -" program.atom.log
}
plain=$(qemu program >/dev/null; echo $?)
check plain "[ $plain = 0 ]"
while read -r test words; do
    # shellcheck disable=SC2086
    counts "$test" $words
done <<END
cc count.inst.cc count.anal.C
cpp other.inst.cpp count.anal.cpp
C-cxx other.inst.C count.anal.cxx
cxx-cc all.inst.cxx count.anal.cc
old old.inst.o object.o
wrapper old.inst.o object.o --call=wrapper
inline old.inst.o object.o --call=inline
sparse old.inst.o object.o --copy=sparse
poison old.inst.o object.o --poison
two-tools -t prof old.inst.o object.o
END
prints said "$ATOMC" program count.inst.cc object.o "-toolargs=a b" -o program.atom <<<"begin a b good"
