# export_gmon: atomc export --format=gmon writes what GNU gprof reads. alpha-linux-gnu-gprof opens each file with its program: its
# flat profile has the tool's counts of each procedure, and its call graph the tool's calls of each pair of procedures.

cat >shapes.cc <<'END'
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>
struct shape { virtual ~shape() {} virtual long area() const = 0; };
struct square : shape { long side; square(long s) : side(s) {} long area() const override { return side * side; } };
struct bar : shape { long length; bar(long l) : length(l) {} long area() const override { return length; } };
template <class T> long twice(T value) { return 2 * value; }
static long depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1) + (n % 3 == 0 ? depth(n / 3) : 0); }
__attribute__((noinline)) static long same(long n) { return n + 1; }
long other(long n);
int main() {
    std::vector<shape *> shapes;
    for (int i = 0; i < 100; i++) { if (i % 3) shapes.push_back(new square(i)); else shapes.push_back(new bar(i)); }
    std::sort(shapes.begin(), shapes.end(), [](const shape *a, const shape *b) { return a->area() > b->area(); });
    long sum = 0;
    for (shape *one : shapes) { sum += twice(one->area()) + twice((int)one->area()); delete one; }
    try { throw std::string("end"); } catch (const std::string &text) { sum += (long)text.size(); }
    printf("%ld %ld\n", sum + same(1) + other(2), depth(12));
}
END
cat >other.cc <<'END'
__attribute__((noinline)) static long same(long n) { return 3 * n; }
long other(long n) { long sum = 0; for (long i = 0; i < n; i++) sum += same(i); return sum; }
END
cp "$top/docs/examples/queens.c" .

columns() { # FILE TITLE...: prints these columns of all rows; an unknown address is empty
    local file=$1
    shift
    jq -r -s --args '(.[0].columns | map(.title)) as $t | [$ARGS.positional[] as $one | $t | index($one)] as $at |
        .[] | arrays | [.[$at[]] | if . == "0x0" then null else . end] | @tsv' "$@" <"$file"
}
# Sums of lines with an address and a count, by address: without the addresses that have none.
sums() { # FILE...
    awk -F '\t' '$1 != "" && $2 > 0 { sum[$1] += $2 } END { for (at in sum) printf "%s %.0f\n", at, sum[at] }' "$@" | sort
}
# gprof's flat profile: the addresses of procedures, with their counts. gprof is given the procedures that atomc has found,
# each with its address as its name: the symbol table has several names for one, and names of one for several.
flat() { # PROGRAM FILE
    alpha-linux-gnu-gprof -b -p -S"$1.symbols" "$1" "$2" >flat.out 2>&1
    awk '$NF ~ /^0x/ && $3 > 0 { printf "%s %.0f\n", $NF, $3 }' flat.out | sort
}
# The same for its call graph: caller, callee, calls. The lines below a procedure's own, which has [N] first, are its callees.
graph() { # PROGRAM FILE
    alpha-linux-gnu-gprof -b -q -S"$1.symbols" "$1" "$2" >graph.out 2>&1
    awk '/^---/ { caller = "" }
        $1 ~ /^\[/ { for (i = 1; i <= NF; i++) if ($i ~ /^0x/) caller = $i; next }
        caller != "" && /0x/ {
            for (at = 1; $at !~ /^0x/; at++);
            split($(at - 1) ~ /^<cycle/ ? $(at - 2) : $(at - 1), calls, "/")
            print caller, $at, calls[1]
        }' graph.out | sort
}
symbols() { # PROGRAM
    "$ATOMC" --dump=procedures --json "$1" | jq -r '.pc[2:] + " T " + .pc' >"$1.symbols"
    echo "1300000000 T end" >>"$1.symbols" # gprof -S does not use the last one
}
rows() { # NAME TOOL PROGRAM OPTION...: runs the program with the tool
    local name=$1 tool=$2 program=$3
    shift 3
    instrument "$name" -t "$tool" "$@" "$program"
    ATOMC_FORMAT=rows ATOMC_OUT=$name.rows qemu -L /usr/alpha-linux-gnu "$name" >/dev/null
}

alpha queens "$PWD/queens.c" -g -O1
alpha shapes "$PWD/shapes.cc" other.cc -g -O1
for program in queens shapes; do
    symbols $program
    for tool in gprof hiprof prof callgraph; do
        rows $program.$tool $tool $program
    done
    rows $program.pixie pixie $program -D instructions=true
    of=$program.gprof.rows/gprof

    # ---- gprof: both tables ----
    "$ATOMC" export --format=gmon $program.gprof.rows -o $program.gmon.out 2>notes
    columns $of.1.rows PC Instructions | sums >expected
    flat $program $program.gmon.out >found
    check $program/flat "[ \$(wc -l <expected) -gt 50 ] && diff expected found"
    columns $of.2.rows "Caller's PC" "Callee's PC" Calls | awk -F '\t' '$1 != "" { print $1, $2, $3 }' | sort >expected
    graph $program $program.gmon.out >found
    check $program/calls "[ \$(wc -l <expected) -gt 50 ] && diff expected found"

    # ---- hiprof: the tree ----
    "$ATOMC" export --format=gmon $program.hiprof.rows -o hiprof.gmon.out 2>notes
    of=$program.hiprof.rows/hiprof
    columns $of.1.rows PC Instructions | sums >expected
    flat $program hiprof.gmon.out >found
    same $program/hiprof_flat expected found
    columns $of.2.rows Node Parent PC Calls | awk -F '\t' '{ pc[$1] = $3 } pc[$2] != "" && $4 > 0 { calls[pc[$2] " " $3] += $4 }
        END { for (pair in calls) print pair, calls[pair] }' | sort >expected
    graph $program hiprof.gmon.out >found
    check $program/hiprof_calls "[ \$(wc -l <expected) -gt 50 ] && diff expected found"
    "$ATOMC" export --format=gmon $of.2.rows -o tree.gmon.out 2>notes
    check $program/tree "cmp hiprof.gmon.out tree.gmon.out"

    # ---- prof with the calls of callgraph, which has names: names that several procedures have are left out, and counted ----
    "$ATOMC" export --format=gmon $program.callgraph.rows $program.prof.rows -o names.gmon.out 2>notes
    columns $program.prof.rows/prof.1.rows PC Instructions | sums >expected
    flat $program names.gmon.out >found
    same $program/prof_flat expected found
    columns $program.prof.rows/prof.1.rows PC Procedure >names
    columns $program.callgraph.rows/callgraph.1.rows Caller Callee Calls >calls
    awk -F '\t' 'NR == FNR { pc[$2] = seen[$2]++ ? "" : $1; next }
        pc[$1] != "" && pc[$2] != "" { print pc[$1], pc[$2], $3; next }
            { left += $3 } END { print left + 0 >"left" }' names calls | sort >expected
    graph $program names.gmon.out >found
    check $program/callgraph "[ \$(wc -l <expected) -gt 50 ] && diff expected found"
    check $program/left "[ $program.\$(cat left) = queens.0 ] || grep -q 'callgraph.out: .*: Calls: '\$(cat left)'\$' notes" notes

    # ---- pixie: by block and by instruction ----
    for one in 1:Instructions 2:Executed; do
        file=$program.pixie.rows/pixie.${one%:*}.rows
        "$ATOMC" export --format=gmon $program.gprof.rows/gprof.2.rows "$file" -o places.gmon.out 2>notes
        "$ATOMC" --dump=procedures --json $program | jq -r '"\(.pc)\t0"' >procedures
        columns "$file" PC "${one#*:}" | cat procedures - | sort -t "$(printf '\t')" -k1,1 -k2,2n |
            awk -F '\t' '$2 == 0 { at = $1; next } { print at "\t" $2 }' | sums >expected
        flat $program places.gmon.out >found
        same "$program/pixie_${one#*:}" expected found
    done
done

# The names are those of the symbol table without the list, and the unit is named.
alpha-linux-gnu-gprof -b -p queens queens.gmon.out >found
check unit "grep -q '^Each sample counts as 1 instructions' found" found
check names "[ \"\$(awk '\$NF == \"is_safe\" { print \$3, \$4 }' found)\" = \
    \"\$(awk -F, '/^\\[\"is_safe\"/ { gsub(\"]\", \"\"); printf \"%d.00 %d\", \$5, \$7 }' queens.gprof.rows/gprof.1.rows)\" ]" found
alpha-linux-gnu-gprof -b -p shapes shapes.gmon.out >found
check demangled "grep -q ' square::area() const\$' found" found
# Another gprof, of the machine, reads the same.
if command -v gprof >log && gprof -b -p queens queens.gmon.out >host 2>&1; then
    alpha-linux-gnu-gprof -b -p queens queens.gmon.out >found
    same host found host
else
    skipped host "gprof of this machine does not read programs for Alpha"
fi

# ---- counts of more than 16, 31 and 32 bits --------------------------------------------------------------------------------
place=$(jq -r 'arrays | select(.[0] == "place")[3]' queens.gprof.rows/gprof.1.rows)
large() { # COUNT CALLS: is_safe has that many instructions, and place calls it that often
    jq -c --argjson count "$1" 'if type == "array" and .[0] == "is_safe" then .[4] = $count else . end' \
        queens.gprof.rows/gprof.1.rows >large.1.rows
    jq -c --argjson calls "$2" 'if type == "array" and .[3] == "is_safe" then .[6] = $calls else . end' \
        queens.gprof.rows/gprof.2.rows >large.2.rows
    "$ATOMC" export --format=gmon large.1.rows large.2.rows -o large.gmon.out 2>notes
}
for count in 65535 65536 2147483646; do
    large $count 4294967296
    columns large.1.rows PC Instructions | sums >expected
    flat queens large.gmon.out >found
    same large/$count expected found
done
graph queens large.gmon.out >found
check large/calls "grep -q '^$place 0x[0-9a-f]* 4294967296\$' found" found
large 50000000009 12884901890
graph queens large.gmon.out >found
check large/more_calls "grep -q '^$place 0x[0-9a-f]* 12884901890\$' found" found
check large/note "grep -q 'the unit is 100' notes" notes
flat queens large.gmon.out >found
columns large.1.rows PC Instructions | awk -F '\t' '{ sum += $2 } END { printf "%.0f\n", int(sum / 100) }' >expected
awk '{ sum += $2 } END { printf "%.0f\n", sum }' found >sum
same large/sum expected sum
check large/most "grep -E -q ' 50000000[01]\$' found && grep -q '^Each sample counts as 1 1e2 instruction' flat.out" found

# ---- libraries: gprof reads one file ----------------------------------------------------------------------------------------
shared dynamic "$PWD/queens.c" -g -O1
rows dynamic.gprof gprof dynamic --objects=all
"$ATOMC" export --format=gmon dynamic.gprof.rows -o dynamic.gmon.out 2>notes
symbols dynamic
columns dynamic.gprof.rows/gprof.1.rows PC Instructions >all
awk 'length($1) <= 11' all | sums >expected
flat dynamic dynamic.gmon.out >found
same dynamic expected found
awk 'length($1) > 11 { sum += $2 } END { printf "%.0f\n", sum }' all >left
check dynamic/left "[ \$(cat left) -gt 1000 ] && grep -q 'gprof.out: .*: Instructions: '\$(cat left)'\$' notes" notes

# A position-independent program has other addresses in its symbol table, but not in atomc's list.
shared moved "$PWD/queens.c" -g -O1 -fPIE -pie
rows moved.gprof gprof moved
"$ATOMC" export --format=gmon moved.gprof.rows -o moved.gmon.out 2>notes
symbols moved
columns moved.gprof.rows/gprof.1.rows PC Instructions | sums >expected
flat moved moved.gmon.out >found
same moved expected found

# ---- what is missing, and where it is --------------------------------------------------------------------------------------
prints lacks/calls "$ATOMC" export --format=gmon queens.prof.rows <<'END'
atomc: error: no table has the columns that gmon needs: calls by caller and callee
hint: gprof and hiprof have them with counts; callgraph has them for the counts of prof
END
prints lacks/counts "$ATOMC" export --format=gmon queens.callgraph.rows <<'END'
atomc: error: no table has the columns that gmon needs: counts by address
hint: gprof and hiprof have them with calls; for the calls of callgraph, give prof's result, too
END
prints lacks/names "$ATOMC" export --format=gmon queens.callgraph.rows queens.pixie.rows <<'END'
atomc: error: callgraph callgraph.out has names of procedures, whose addresses pixie pixie.out does not have
hint: prof counts by procedure; gprof and hiprof have addresses of callers
END
prints lacks/program "$ATOMC" export --format=gmon queens.gprof.rows/gprof.2.rows shapes.prof.rows <<'END'
atomc: error: prof prof.out and gprof gprof.out.calls are results of different programs
hint: --force puts them together all the same
END
prints lacks/one "$ATOMC" export --format=gmon queens.gprof.rows queens.prof.rows <<'END'
atomc: error: one table at a time is exported, but these are several: gprof gprof.out and prof prof.out
hint: give the file of one: FOLDER/gprof.NUMBER.rows
END
