# import: atomc import: results of callgrind, cachegrind, lcov and folded stacks become files of rows with the same
# numbers; errors are reported with their line, and no file is left.
cat >program.c <<'E'
__attribute__((noinline)) long inner(long n) { volatile long sum = 0; for (long i = 0; i < n; i++) sum += i; return sum; }
__attribute__((noinline)) long once(long n) { return inner(n) + inner(2 * n); }
int main(void) { long sum = 0; for (long i = 0; i < 30; i++) sum += once(i); return sum == 1; }
E
alpha program program.c -g
"$ATOMC" -t hiprof -t coverage -D coverage=true program -o program.tool >log 2>&1 ||
    "$ATOMC" -t hiprof -t coverage program -o program.tool
env -i ATOMC_FORMAT=rows ATOMC_OUT=out "$QEMU" ./program.tool || true

# ---- there and back: files that atomc has exported ----------------------------------------------------------------------

"$ATOMC" export --format=folded out -o stacks
"$ATOMC" import stacks -o folded
check folded "'$ATOMC' export --format=folded folded | cmp - stacks && [ \$(wc -l <stacks) -gt 10 ]"
"$ATOMC" export --format=callgrind out -o costs
"$ATOMC" import costs -o callgrind
total=$(sed -n 's/^totals: //p' costs)
check callgrind/total "[ \"\$(jq -s 'map(arrays | .[3]) | add' callgrind/1/callgrind.1.rows)\" = $total ]" costs
check callgrind/procedures "[ \$(jq -s 'map(arrays | select(.[0] == \"inner\") | .[3]) |
    add' callgrind/1/callgrind.1.rows) = \$('$ATOMC' merge out/hiprof.1.rows | awk -F '\t' '\$1 == \"inner\" { print \$5 }') ]"
check callgrind/calls "jq -s -e 'any(.[]; type == \"array\" and .[0] == \"once\" and .[2] == \"inner\" and
    .[4] == 60)' callgrind/1/callgrind.2.rows"
check callgrind/program "[ \$(jq -r 'objects | .program | values' callgrind/1/callgrind.1.rows) = program ]"
check callgrind/chart "'$ATOMC' chart callgrind --report=costs | grep -q inner"
check merge "[ \$('$ATOMC' merge callgrind/1/callgrind.1.rows callgrind/1/callgrind.1.rows --format=json |
    jq '[.rows[].Instructions] | add') = $((2 * total)) ]"

# ---- what others write --------------------------------------------------------------------------------------------------------

# Names with numbers, relative positions, omitted costs, inlined code of another file, calls, jumps.
cat >cg <<'E'
# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 42
cmd:  /usr/bin/prog -x 1
part: 1
positions: instr line
events: Ir Dr
summary: 64 3
ob=(1) /usr/bin/prog
fl=(1) a.c
fn=(1) main
0x400100 10 5 1
+4 +1 7
* * 1
fi=(2) inline.h
+4 3 2 2
fe=(1)
cob=(2) libc.so
cfi=(3) b.c
cfn=(2) work
calls=4 0x400200 20
+4 12 40
fn=(2)
fl=(3)
0x400200 20 9
jcnd=1/2 +8 21
0x400204 20
E
"$ATOMC" import cg -o cg.rows
jq -c 'arrays' cg.rows/1/callgrind.1.rows >found
cat >expected <<'E'
["work","b.c",20,"0x400200",9,0]
["main","a.c",11,"0x400104",8,0]
["main","a.c",10,"0x400100",5,1]
["main","inline.h",3,"0x400108",2,2]
["work","b.c",20,"0x400204",0,0]
E
same cg/costs expected found
check cg/calls "[ \"\$(jq -c arrays cg.rows/1/callgrind.2.rows)\" = '[\"main\",\"a.c\",\"work\",\"b.c\",4,40,0]' ] &&
    [ \$(jq -r 'objects | .program | values' cg.rows/1/callgrind.1.rows) = prog ]"
cat >cachegrind.out.1 <<'END'
desc: I1 cache: 32768 B
cmd: ./a.out
events: Ir I1mr
fl=x.c
fn=f
3 10 1
4 20 0
fn=g
9 1 1
3 2 0
summary: 33 2
END
"$ATOMC" import cachegrind.out.1 -o cachegrind
check cachegrind "[ \"\$(jq -c arrays cachegrind/1/callgrind.1.rows |
    tr '\n' ' ')\" = '[\"f\",\"x.c\",4,20,0] [\"f\",\"x.c\",3,10,1] [\"g\",\"x.c\",3,2,0] [\"g\",\"x.c\",9,1,1] ' ]"
cat >info <<'E'
TN:test
SF:/src/a.c
FN:3,main
FN:10,20,helper
FNDA:1,main
FNDA:7,helper
FNL:0,30,40
FNA:0,2,third
BRDA:4,0,0,5
BRDA:4,0,1,-
DA:3,1
DA:4,12,abcdef
DA:4,3
LF:2
LH:2
end_of_record
TN:
SF:b <c>,d.c
DA:1,0
end_of_record
E
"$ATOMC" import info --program='a b' -o lcov
check lcov "[ \"\$(cat lcov/1/*.rows | jq -c arrays |
    tr '\n' ' ')\" = '[\"/src/a.c\",3,1] [\"/src/a.c\",4,15] [\"b <c>,d.c\",1,0] [\"main\",\"/src/a.c\",3,1] [\"helper\",\"/src/a.c\",10,7] [\"third\",\"/src/a.c\",30,2] [\"/src/a.c\",4,\"0,0\",5] [\"/src/a.c\",4,\"0,1\",0] ' ]" lcov/1/lcov.2.rows
check lcov/program "[ \"\$(jq -r 'objects | .program | values' lcov/1/lcov.1.rows)\" = 'a b' ]"
printf 'main;a b;c 3\n\nmain 2\nmain;a b 1\nmain;a b;c 4\n' >perf
"$ATOMC" import perf -o perf.rows
check perf "[ \"\$(jq -c arrays perf.rows/1/folded.1.rows | tr '\n' ' ')\" = '[1,0,\"main\",2] [2,1,\"a b\",1] [3,2,\"c\",7] ' ]"
check collected "'$ATOMC' collect --json cg.rows lcov perf.rows -o p.sqlite | jq -c .runs |
    grep -qx '\[{\"run\":1,\"new\":true},{\"run\":2,\"new\":true},{\"run\":3,\"new\":true}\]' &&
    '$ATOMC' collect --json lcov -o p.sqlite | jq -e '.runs == [{run: 2, new: false}]'"

# ---- what is wrong -------------------------------------------------------------------------------------------------------------

wrong() { # TEST LINE-AND-REASON TEXT [WORD...]
    printf "$3" >input
    "$ATOMC" import input -o result "${@:4}" >said 2>&1 && status=0 || status=$?
    check "wrong/$1" "[ $status = 1 ] && grep -q 'error: input: $2' said && [ ! -e result ] && ! ls -d result.* 2>/dev/null" said
}
wrong nothing 'it is no result of callgrind' ''
wrong text 'it is no result of callgrind' 'Hello, world\n'
wrong no-events 'line 2: no line .events:.' 'version: 1\n3 4\n'
wrong no-costs 'line 2: it has no costs' 'version: 1\nevents: Ir\n'
wrong cost 'line 2: it is neither' 'events: Ir\n3 4 5\n'
wrong cost-word 'line 2: it is neither' 'events: Ir\n3 x\n'
wrong word 'line 2: it is neither' 'events: Ir\nwhat is this\n'
wrong number 'line 2: a number that stands for a name has none' 'events: Ir\nfn=(7)\n3 4\n'
wrong large 'line 2: it is neither' 'events: Ir\n3 99999999999999999999\n'
wrong sum 'line 3: counts of one place are beyond 64 bits' 'events: Ir\n3 9000000000000000000\n3 9000000000000000000\n'
wrong calls 'line 2: calls of no function' 'events: Ir\ncalls=1 2\n3 4\n'
wrong late 'line 3: .events:. stands after costs' 'events: Ir\n3 4\nevents: Dr\n'
wrong stack 'line 2: not a stack' 'a;b 3\na;b x\n'
wrong stack-sum 'line 2: counts of one place' 'a 9000000000000000000\na 9000000000000000000\n'
wrong nul 'line 1: it has a NUL' 'a\000;b 3\n' --format=folded
wrong record 'line 2: it is no record' 'SF:a\nDA:1\n'
wrong no-file 'line 2: it belongs to no file' 'TN:\nDA:1,2\n'
wrong empty 'there are no files of rows' 'TN:\nSF:a\nend_of_record\n'
"$ATOMC" import cg -o folded >said 2>&1 && status=0 || status=$?
check wrong/there "[ $status = 1 ] && grep -q 'folded: cannot write: File exists' said && ! ls -d folded.* 2>/dev/null" said
check wrong/folder "! '$ATOMC' import folded -o result 2>said && grep -q 'Is a directory' said" said
check wrong/form "! '$ATOMC' import cg --format=perf -o result 2>said && grep -q 'there is no such form' said" said
