# terminal: output for readers: tables on a terminal are aligned, the greatest counts first, and no longer than the
# screen; files are unchanged, and announced if standard error is a terminal, or if ATOMC_QUIET is 0.
cp "$tests/data/terminal.c" .
alpha plain terminal.c -g
cat >terminal.atd <<'END'
# terminal: the procedures' calls, in a file and not; a histogram keeps its order.
tool terminal "calls"
set own = proc p where p.name == "main" or p.name == "second" or p.name == "third"
counter calls[own], all
histogram arguments log2
for p in own {
    before p            calls[p]++, all++
    before p when p.name == "third"     arguments << $a0
}
report "-" for p in own "Name" p.name, "Calls" calls[p], "Share" percent calls[p], "Leaf" p.is_leaf total
report "terminal.out" for p in own "Name" p.name, "Calls" calls[p]
report "terminal.out" for b in arguments where b.count > 0 "From" b.low, "Calls" b.count
END
instrument instrumented terminal.atd plain
instrument silent -q terminal.atd plain
on_terminal() { # COMMAND: its output on a terminal
    script -qec "stty rows ${rows:-40} cols 100; $*" /dev/null </dev/null | tr -d '\r'
}
run="env -u ATOMC_QUIET -u ATOMC_FORMAT '$QEMU' -0 plain"
on_terminal "$run ./instrumented" >shown
prints shown cat shown <<'END'
Name     Calls   Share  Leaf
third   40,000   97.56     1
second   1,000    2.44     0
main         1    0.00     0
total   41,001  100.00
atomc: wrote terminal.out (10 rows)
END
prints file cat terminal.out <<'END'
Name	Calls
main	1
third	40000
second	1000

From	Calls
0	1000
1	1000
2	2000
4	4000
8	8000
16	16000
32	8000
END
rows=8 on_terminal "$run ./instrumented; ATOMC_OUT=- $run ./instrumented" >shown
sed -n '/^atomc/,$p' shown >all
prints cut cat all <<'END'
atomc: wrote terminal.out (10 rows)
Name     Calls   Share  Leaf
third   40,000   97.56     1
second   1,000    2.44     0
main         1    0.00     0
total   41,001  100.00

Name     Calls
third   40,000
second   1,000
main         1

From  Calls
   0  1,000
   1  1,000
   2  2,000
   4  4,000
   8  8,000
... 2 more rows: ATOMC_FORMAT=text writes all
END
ATOMC_FORMAT=table qemu instrumented >shown
prints table cat terminal.out <<'END'
Name     Calls
third   40,000
second   1,000
main         1

From   Calls
   0   1,000
   1   1,000
   2   2,000
   4   4,000
   8   8,000
  16  16,000
  32   8,000
END
# No line is wider than the terminal: paths lose their folders, titles take two lines, the widest texts are cut, then
# columns are omitted, the source position last, and the subject never.
cat >wide.atd <<'END'
tool wide "columns of all kinds"
counter calls[procs]
for p in procs where p.name == "third" { before p calls[p]++ }
report "-" for p in procs where calls[p] > 0 "Calls" calls[p], "Twice" 2 * calls[p], "Address" hex 0x120000000 + calls[p],
    "File" "/a/folder/with/a/long/name/and/its/file.c", "Text" "what begins with the words that tell most of what it says",
    "Other" "short", "Procedure" p.name
END
instrument wide wide.atd plain
narrow() { # COLUMNS
    script -qec "stty rows 40 cols $1; env -u ATOMC_QUIET -u ATOMC_FORMAT '$QEMU' -0 plain ./wide" \
        /dev/null </dev/null | tr -d '\r'
}
for width in 200 112 80 40 20 5; do
    narrow $width >"wide$width"
    check "width$width" "awk 'length > $width && !/^[.][.][.] / && $width > 20 { exit 1 }' wide$width" "wide$width"
done
cat wide112 wide80 wide40 wide20 >shown
prints narrow cat shown <<'END'
 Calls   Twice      Address  File    Text                                                       Other  Procedure
40,000  80,000  0x120009c40  file.c  what begins with the words that tell most of what it says  short  third
 Calls   Twice      Address  File    Text                       Other  Procedure
40,000  80,000  0x120009c40  file.c  what begins with the w...  short  third
 Calls   Twice      Address  Procedure
40,000  80,000  0x120009c40  third
... 3 more columns: ATOMC_FORMAT=text writes all
 Calls  Procedure
40,000  third
... 5 more columns: ATOMC_FORMAT=text writes all
END
# Titles take two lines; the part of a C++ name after the class is kept; the line is kept, the file is omitted; columns
# with equal values in other rows are omitted before that.
cat >titles.cc <<'END_OF_SOURCE'
namespace geometry {
struct Polygon { long corners; long diagonals_of_all_corners(long n); };
__attribute__((noipa)) long Polygon::diagonals_of_all_corners(long n) { return corners += n * (n - 3) / 2; }
}
int main() {
    geometry::Polygon polygon = {4};
    long sum = 0;
    for (long i = 0; i < 3; i++)
        sum += polygon.diagonals_of_all_corners(i);
    return sum > 0;
}
END_OF_SOURCE
cat >titles.atd <<'END'
tool titles "columns with long titles"
counter calls[procs]
for p in procs where p.line > 0 { before p calls[p]++ }
report "-" for p in procs where calls[p] > 0 sorted by calls[p] descending "PC" hex p.pc, "Calls that came" calls[p],
    "Calls of %" percent calls[p], "Procedure" p.name, "File" p.file, "Line" p.line, "Again" calls[p]
END
alpha titles "$PWD/titles.cc" -g
instrument titled titles.atd titles
for width in 100 56 44 31; do
    script -qec "stty rows 40 cols $width; env -u ATOMC_QUIET -u ATOMC_FORMAT '$QEMU' -0 plain ./titled" \
        /dev/null </dev/null | tr -d '\r'
done >shown
prints titles sed 's/ 0x[0-9a-f]*$/ PC/' shown <<'END'
    Calls  Calls
that came   of %  Procedure                 File       Line  Again           PC
        3  75.00  diagonals_of_all_corners  titles.cc     3      3  PC
        1  25.00  main                      titles.cc     5      1  PC
    Calls  Calls
that came   of %  Procedure       File       Line  Again
        3  75.00  diagonals_o...  titles.cc     3      3
        1  25.00  main            titles.cc     5      1
... 1 more column: ATOMC_FORMAT=text writes all
    Calls  Calls
that came   of %  Procedure     Line  Again
        3  75.00  diagonals...     3      3
        1  25.00  main             5      1
... 2 more columns: ATOMC_FORMAT=text writes all
    Calls
that came  Procedure     Line
        3  diagonals...     3
        1  main             5
... 4 more columns: ATOMC_FORMAT=text writes all
END
# If standard error is redirected, it contains the output of the program.
check redirected "! grep -q atomc log" log
on_terminal "$run ./silent" >shown
check silent "grep -q '^total' shown && ! grep -q atomc shown" shown
on_terminal "ATOMC_QUIET=1 '$QEMU' -0 plain ./instrumented; ATOMC_QUIET=1 '$QEMU' -0 plain ./silent" >shown
check quiet "! grep -q atomc shown" shown
ATOMC_QUIET=0 "$QEMU" -0 plain ./silent 2>shown >log || true
prints forced cat shown <<<"atomc: wrote terminal.out (10 rows)"
# The memory checker ends with a sum, on a terminal only.
cat >leaks.c <<'EOF'
#include <stdlib.h>
int main(void) { volatile int *a = malloc(100); a[25] = 1; a = malloc(80); a[0] = 1; a = NULL; return 0; }
EOF
alpha leaks leaks.c -O1 -g && instrument checked -t third leaks
ATOMC_QUIET=0 "$QEMU" -0 plain ./checked 2>shown >log || true
prints sum cat shown <<'END_OF_SUM'
atomc: wrote third.out (3 rows)
atomc: third: 1 error, 180 bytes leaked
END_OF_SUM
# On a terminal there is a paragraph for each error; programs get the table.
on_terminal "env -u ATOMC_FORMAT ATOMC_OUT=- '$QEMU' -0 plain ./checked" | sed "s|$PWD/||" >shown
prints paragraphs cat shown <<'END_OF_ERRORS'
write outside a block: 4 bytes
    in main, leaks.c:2
    just after a block of 100 bytes
    allocated by main, leaks.c:2

leak: 100 bytes
    allocated by main, leaks.c:2

leak: 80 bytes
    allocated by main, leaks.c:2
atomc: third: 1 error, 180 bytes leaked
END_OF_ERRORS
on_terminal "ATOMC_FORMAT=text ATOMC_OUT=- '$QEMU' -0 plain ./checked" >shown
check paragraphs/text "grep -q '^write outside a block	main	' shown && ! grep -q allocated shown" shown
cat >nested.cc <<'EOF'
#include <cstdlib>
struct Pool { char *get(int n) { return (char *)malloc(n); } };
__attribute__((noinline)) char *taken(Pool &pool) { return pool.get(8); }
int main(int count, char **) { Pool pool; volatile char *a = taken(pool); a[9 + count] = 1; count += a[-1]; free((char *)a); a[3] = 2; return 0; }
EOF
alpha nested nested.cc -O0 -g && instrument nested_checked -t third nested
on_terminal "env -u ATOMC_FORMAT ATOMC_OUT=- '$QEMU' -0 plain ./nested_checked" | sed "s|$PWD/||" >shown
check paragraphs/calls "grep -q -x '    2 bytes after a block of 8 bytes' shown &&
    grep -q -x '    1 byte before a block of 8 bytes' shown &&
    grep -q -x '    3 bytes into a block of 8 bytes' shown" shown
prints paragraphs/callers grep -A3 '2 bytes after' shown <<'END_OF_CALLERS'
    2 bytes after a block of 8 bytes
    allocated by Pool::get(int), nested.cc:2
      called by taken(Pool&), nested.cc:3
      called by main, nested.cc:4
END_OF_CALLERS
# The description of the cache: results of one cache can be distinguished from others.
while IFS='|' read -r tool line; do
    instrument measured -t $tool plain
    on_terminal "env -u ATOMC_FORMAT '$QEMU' -0 plain ./measured" >shown
    check "configuration/${tool// /}" "[ \"\$(grep -F 'atomc: ${tool%% *}: ' shown)\" = 'atomc: ${tool%% *}: $line' ]" shown
done <<'END_OF_TOOLS'
cache|64 KB, 32-byte lines, direct-mapped, write-back
cache -D size=4096 -D line=64 -D ways=2 -D allocate=false -D size2=1048576 -D ways2=0|4 KB, 64-byte lines, 2-way, LRU, write-back, no write-allocate; level 2 1 MB, 64-byte lines, fully associative, LRU, write-back, no write-allocate
cache -D size=1000 -D line=8 -D ways=0 -D writeback=false|1000 bytes, 8-byte lines, fully associative, LRU, write-through
icache|8 KB, 32-byte lines, direct-mapped
dtb|64 pages of 8 KB, fully associative, LRU
itb -D ways=4|48 pages of 8 KB, 4-way, LRU
trace|atomc --help trace says how to read it
dynmem|lifetimes are in bytes that the program allocated meanwhile
END_OF_TOOLS
ATOMC_QUIET='' "$QEMU" -0 plain ./checked 2>shown >log || true
check sum/silent "[ ! -s shown ]" shown

# --list is grouped by questions for a person; a program gets a line for each tool.
on_terminal "'$ATOMC' --list" >shown
"$ATOMC" --list >listed
check list "[ \"\$(head -1 shown)\" = 'Start here' ] && sed -n 's/^  //p' shown | sort >tools && sort listed | diff - tools &&
    ! grep -q -e '^Others' -e '^ ' listed && ! grep -q '^Others' shown" shown

# Procedures without source are one row, whose numbers are sums: columns that do not add up are empty. Files have all.
cat >fold.atd <<'END_OF_PAGE'
tool fold "calls and blocks of procedures"
counter calls[procs], entered[procs], times[blocks]
for p in procs { before p calls[p]++
    for b in p.blocks { before b entered[p]++, times[b]++ } }
report "-" for p in procs where calls[p] > 0 sorted by calls[p] descending total
    "Calls" calls[p], "Share" percent calls[p], "Blocks" entered[p], "Procedure" p.name, "Size" p.ninsts
report "-" for p in procs where calls[p] > 0 sorted by calls[p] descending
    "Calls" calls[p], "Each" entered[p] / calls[p], "Least" least calls[p], "Procedure" p.name, "Line" p.line
report "-" for p in procs where calls[p] > 0 sorted by calls[p] descending top 2 "Calls" calls[p], "Procedure" p.name
report "-" for b in blocks where times[b] > 0 sorted by times[b] descending
    "Executed" times[b], "Procedure" b.proc.name, "File" b.file, "Line" b.line
report "-" for p in procs where calls[p] < 0 "Calls" calls[p], "Procedure" p.name
report "-" for b in blocks where b.proc.name == "main" and times[b] > 0 sorted by times[b] descending
    "PC" hex b.pc, "Executed" times[b], "Procedure" b.proc.name, "Line" b.line + 4000 total
END_OF_PAGE
sed -i 's/, "Least" least calls\[p\]//' fold.atd
instrument folded fold.atd plain
# The start of a program reads each variable: both environments have one size.
rows=200 on_terminal "env -u rows -u ATOMC_FORMAT OTHER_FORMAT=text '$QEMU' -0 plain ./folded" >shown
rows=200 on_terminal "env -u rows -u OTHER_FORMAT ATOMC_FORMAT=text '$QEMU' -0 plain ./folded" >whole
part() { # NUMBER FILE: the table
    awk -v RS= -v number="$1" 'NR == number' "$2" | sed 's/,//g'
}
whole_part() { # NUMBER: the same of the text, whose tables are parted by their titles only
    awk -v number="$1" '/^[A-Z][a-z]*\t/ { count++ } count == number' whole
}
own() { grep -w -e main -e second -e third; }
part 1 shown | sed 1d >table
check fold/sums "awk '/total/ { calls += \$2; blocks += \$4; next } /^[ 0-9]/ { calls -= \$1;
    blocks -= \$3 } END { exit calls || blocks }' table &&
    grep -q -x ' *[0-9]* *[0-9.]* *[0-9]* *([0-9]* without source)' table" table
whole_part 1 | sed 1d | tr '\t' ' ' >expected
check fold/rows \
    "[ \$(wc -l <table) = 6 ] &&
        grep -q \"(\$(grep -c -v -w -e total -e main -e second -e third expected) without source)\" table &&
    diff <(own <expected | awk '{ print \$1, \$3, \$4 }') <(own <table | awk '{ print \$1, \$3, \$4 }')" table
part 2 shown >table
check fold/quotients "grep -q -x ' *[0-9]* *([0-9]* without source)' table && [ \$(own <table | wc -l) = 3 ]" table
part 3 shown >table
check fold/limit "[ \$(wc -l <table) = 3 ] && ! grep -q 'without source' table" table
part 4 shown >table
grep '(.*without source)' table >folded_row
check fold/blocks "[ \$(awk '/^[ 0-9]/ { sum += \$1 } END { print sum }' table) = \$(whole_part 4 |
    awk 'NR > 1 { sum += \$1 } END { print sum }') ] && grep -q 'without source' table" table
part 5 shown >table
prints fold/none cat table <<'END_OF_TABLE'
Calls  Procedure
none
END_OF_TABLE
check fold/file "! grep -q -e source -e none whole && [ \$(whole_part 1 | wc -l) -gt 20 ]" whole
rows=9 on_terminal "env -u rows -u ATOMC_FORMAT OTHER_FORMAT=text '$QEMU' -0 plain ./folded" >shown
part 4 shown >table
check fold/cut "[ \$(wc -l <table) = 8 ] && sed -n '\$p' table | grep -q 'code without source is one row' &&
    [ \$(grep -c 'more rows' table) = 1 ] &&
    diff folded_row <(grep '(.*without source)' table)" table
# The address is the last column, or is omitted before a text is cut; the word of the total is in the subject's column;
# a line number is no count.
part 6 shown >table
check order "head -n 1 table | grep -q '^ *Executed  Procedure  Line *PC$' && grep -q -E '^ *1000  main +[0-9]{4}  0x' table &&
    grep -q -x -E ' *[0-9]+  total' table" table
# Without any source no row is folded, and no line is 0.
alpha bare terminal.c
instrument bare_folded fold.atd bare
rows=200 on_terminal "env -u ATOMC_FORMAT '$QEMU' -0 plain ./bare_folded" >shown
check fold/bare "! grep -q 'without source' shown && part 1 shown | own | wc -l | grep -q 3 && ! part 4 shown | grep -q ' 0\$' &&
    [ \$(part 1 shown | wc -l) -gt 20 ]" shown
# Libraries are not counted, which a message reports one time.
shared dynamic terminal.c -g
instrument dynamic_folded fold.atd dynamic
on_terminal "env -u ATOMC_FORMAT '$QEMU' -L /usr/alpha-linux-gnu -0 plain ./dynamic_folded" >shown
check fold/libraries "[ \$(grep -c -x '... libraries are not counted: --objects=all counts them' shown) = 1 ]" shown
instrument dynamic_all --objects=all fold.atd dynamic
on_terminal "env -u ATOMC_FORMAT '$QEMU' -L /usr/alpha-linux-gnu -0 plain ./dynamic_all" >shown
check fold/all "! grep -q 'libraries are not' shown && grep -q 'without source' shown" shown
# A number that was not counted and is an address of the program is hexadecimal on the screen; other large numbers,
# sums, and files are decimal.
cat >addresses.c <<'END_OF_SOURCE'
static int numbers[4] = {1, 2, 3, 4};
__attribute__((noipa)) long sum(const int *from, long large) { return from[0] + from[3] + large % 7; }
int main(void) {
    int here[4] = {5, 6, 7, 8};
    return sum(numbers, 5000000000) + sum(here, 5000000000) == 0;
}
END_OF_SOURCE
cat >addresses.atd <<'END'
tool addresses "arguments of sum"
counter first[int], large, added
histogram bounds log2
for p in procs where p.name == "sum" {
    before p    first[$a0]++
    before p    large = $a1
    before p    added += 0x120000460
    before p when $a0 == address("numbers") bounds << $a0
}
report "-" for row in first sorted by row.key == address("numbers") "From" row.key, "Large" large, "Added" added
report "-" for b in bounds where b.count > 0 "Least" b.low, "Greatest" b.high, "Calls" b.count
END
alpha addresses addresses.c -O1
instrument addressed addresses.atd addresses
qemu addressed >plain.text
script -qec "stty rows 40 cols 100; env -u ATOMC_QUIET -u ATOMC_FORMAT '$QEMU' -0 plain ./addressed" /dev/null \
    </dev/null | tr -d '\r' >shown
at=$(printf %d "0x$(alpha-linux-gnu-nm addresses | awk '$3 == "numbers" { print $1 }')")
sed -e '2s/^[0-9]*/STACK/' plain.text >found
prints addresses/file cat found <<END
From	Large	Added
STACK	5000000000	9663678656
$at	5000000000	9663678656
Least	Greatest	Calls
4294967296	8589934591	1
END
sed -E -e 's/^ *//; s/  */ /g' -e '2s/^0x[0-9a-f]*/STACK/' shown >found
prints addresses/screen cat found <<END
From Large Added
STACK 5,000,000,000 9,663,678,656
$(printf 0x%x "$at") 5,000,000,000 9,663,678,656

Least Greatest Calls
0x100000000 0x1ffffffff 1
END
