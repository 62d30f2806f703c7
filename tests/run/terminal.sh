# terminal: what people see: tables on a terminal are aligned, the greatest counts first, and no longer than the screen; files are as ever,
# and announced where standard error is a terminal, or if ATOMC_QUIET is 0.
cp "$tests/data/terminal.c" .
alpha plain terminal.c -g
cat >terminal.atd <<'END'
# terminal: the procedures' calls, in a file and not; a histogram stays in its order.
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
on_terminal() { # COMMAND: what it shows
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
# No line is longer than the terminal is wide: the widest texts are cut first, then columns are left out, the subject never.
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
    script -qec "stty rows 40 cols $1; env -u ATOMC_QUIET -u ATOMC_FORMAT '$QEMU' -0 plain ./wide" /dev/null </dev/null | tr -d '\r'
}
for width in 200 112 80 40 20 5; do
    narrow $width >"wide$width"
    check "width$width" "awk 'length > $width && !/^[.][.][.] / && $width > 20 { exit 1 }' wide$width" "wide$width"
done
cat wide112 wide80 wide40 wide20 >shown
prints narrow cat shown <<'END'
 Calls   Twice      Address  File                             Text                              Other  Procedure
40,000  80,000  0x120009c40  ...h/a/long/name/and/its/file.c  what begins with the words th...  short  third
 Calls   Twice      Address  File                    Text              Procedure
40,000  80,000  0x120009c40  ...name/and/its/file.c  what begins w...  third
... 1 more column: ATOMC_FORMAT=text writes all
 Calls   Twice      Address  Procedure
40,000  80,000  0x120009c40  third
... 3 more columns: ATOMC_FORMAT=text writes all
 Calls  Procedure
40,000  third
... 5 more columns: ATOMC_FORMAT=text writes all
END
# Who redirects standard error finds in it what the program writes.
check redirected "! grep -q atomc log" log
on_terminal "$run ./silent" >shown
check silent "grep -q '^total' shown && ! grep -q atomc shown" shown
on_terminal "ATOMC_QUIET=1 '$QEMU' -0 plain ./instrumented; ATOMC_QUIET=1 '$QEMU' -0 plain ./silent" >shown
check quiet "! grep -q atomc shown" shown
ATOMC_QUIET=0 "$QEMU" -0 plain ./silent 2>shown >log || true
prints forced cat shown <<<"atomc: wrote terminal.out (10 rows)"
# The checker of memory ends with a sum, there alone.
cat >leaks.c <<'EOF'
#include <stdlib.h>
int main(void) { volatile char *a = malloc(100); a[100] = 1; a = malloc(80); a[0] = 1; a = NULL; return 0; }
EOF
alpha leaks leaks.c -O1 && instrument checked -t third leaks
ATOMC_QUIET=0 "$QEMU" -0 plain ./checked 2>shown >log || true
prints sum cat shown <<'END_OF_SUM'
atomc: wrote third.out (3 rows)
atomc: third: 1 error, 180 bytes leaked
END_OF_SUM
ATOMC_QUIET='' "$QEMU" -0 plain ./checked 2>shown >log || true
check sum/silent "[ ! -s shown ]" shown

# --list is grouped by questions for a person; a program gets a line for each tool.
on_terminal "'$ATOMC' --list" >shown
"$ATOMC" --list >listed
check list "[ \"\$(head -1 shown)\" = 'Start here' ] && sed -n 's/^  //p' shown | sort >tools && sort listed | diff - tools &&
    ! grep -q -e '^Others' -e '^ ' listed && ! grep -q '^Others' shown" shown
