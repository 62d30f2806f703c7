# results_screen: on a terminal atomc merge and diff show aligned tables, no wider than the terminal, with C++ names in
# readable form; output to files and pipes is unchanged.
cat >names.cc <<'END'
namespace geometry {
struct Shape { long corners; long diagonals(long n) const; };
__attribute__((noipa)) long Shape::diagonals(long n) const { long sum = 0; for (long i = 0; i < n; i++) sum += corners * i; return sum; }
}
int main(int count, char **) {
    geometry::Shape shape = {4};
    return shape.diagonals(1000 * count) == 0;
}
END
alpha names "$PWD/names.cc" -O1 -g
instrument instrumented -t prof -t hiprof names
ATOMC_OUT=one ATOMC_FORMAT=rows qemu instrumented
ATOMC_OUT=two ATOMC_FORMAT=rows qemu instrumented again
ATOMC_OUT=same ATOMC_FORMAT=rows qemu instrumented again
for of in one two same; do mkdir -p prof.$of && for file in "$of"/prof*; do cp "$file" prof.$of; done; done
on_screen() { # COLUMNS WORD...
    local columns=$1
    shift
    script -qec "stty rows 40 cols $columns; '$ATOMC' $*" /dev/null </dev/null | tr -d '\r'
}
"$ATOMC" merge prof.one prof.two >piped
check piped "grep -q -P '^0x[0-9a-f]+\\t[0-9]+\\t[0-9.]+\\t_ZNK8geometry5Shape9diagonalsEl\$' piped" piped
on_screen 100 merge prof.one prof.two >shown
check merge "grep -q -x -E '0x[0-9a-f]+ +[0-9]{2},[0-9]{3} +[0-9.]+  geometry::Shape::diagonals\\(long\\) const' shown &&
    [ \$(wc -l <shown) = \$(wc -l <piped) ]" shown
# The same numbers, in the same order.
cut -f1-3 piped | sed '1d; s/\t/ /g' >expected
sed '1d; s/,//g' shown | awk '{ print $1, $2, $3 }' >found
same numbers expected found
on_screen 100 merge --by=Procedure -o whole prof.one prof.two >shown
check file "[ ! -s shown ] && grep -q _ZNK8geometry5Shape9diagonalsEl whole" shown
grouped() { sed ':again; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; t again' <<<"$1"; }
"$ATOMC" diff prof.one prof.two | awk -F'\t' '/_ZNK8geometry/ { print $4, $5, $6, $7 }' >expected
read -r a b more ratio <expected
on_screen 100 diff prof.one prof.two >shown
check diff "grep -q -x -E 'more +diagonals +$(grouped "$a") +$(grouped "$b") +$(grouped "$more") +$ratio .*' shown" shown
on_screen 200 diff prof.one prof.two >shown
check diff/wide \
    "grep -q -E '^more +0x[0-9a-f]+  geometry::Shape::diagonals\(long\) const +$(grouped "$a") +$(grouped "$b") +$(grouped \
    "$more") +$ratio ' shown" shown
for columns in 140 80 60 44; do
    on_screen $columns diff one two >shown
    check width/$columns \
        "! awk 'length > $columns' shown | grep -v -e '^[.][.][.] ' -e 'rows are equal' | grep . &&
            grep -q '[ :]diagonals' shown" shown
done
on_screen 80 diff prof.two prof.same >shown
check none "grep -q -x none shown && grep -q '^State' shown" shown
