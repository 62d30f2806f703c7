#!/bin/bash
# together.sh: several tools on one program at once: each leaves exactly what it leaves alone.
# Requires: atomc (ATOMC), the test programs, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage

# together NAME PROGRAM LEVEL WORKLOAD TOOL[:FILE]...: TOOL is a stock tool, or a path with a slash; it writes FILE.
together() {
    local test=together/$1 inputs=$BUILD/programs/$2/inputs program tool file standard_input=''
    local -a arguments=() options=() tools=() alone=() files=() lacking=()
    if ! program=$(tests/programs/build.sh "$2" "$3" 2>/dev/null); then
        skipped "$test" "its source could not be fetched"
        return
    fi
    # shellcheck source=/dev/null
    . "tests/programs/$2/program.sh"
    "workload_$4"
    shift 4
    for tool in "$@"; do
        file=${tool#*:}
        tool=${tool%%:*}
        alone=(-t "$tool")
        case $tool in
        *.inst.c) alone=("$tool" "${tool%.inst.c}.anal.c") ;;
        */*) alone=("$tool") ;;
        esac
        options+=("${alone[@]}")
        files+=("$file")
        if ! "$ATOMC" "${alone[@]}" "$program" -o "$scratch/program" >"$scratch/log" 2>&1; then
            failed "$test" "atomc fails with $tool alone" "$scratch/log"
            return
        fi
        run_program "$scratch/alone-$file" name "$scratch/program" "$inputs" "$standard_input" -- "${arguments[@]}"
        [ -s "$scratch/alone-$file/files/$file" ] || lacking+=("$file")
    done
    if ! "$ATOMC" "${options[@]}" "$program" -o "$scratch/program" >"$scratch/log" 2>&1; then
        failed "$test" "atomc fails" "$scratch/log"
        return
    fi
    run_program "$scratch/all" name "$scratch/program" "$inputs" "$standard_input" -- "${arguments[@]}"
    for file in "${files[@]}"; do
        cmp "$scratch/alone-$file/files/$file" "$scratch/all/files/$file" >>"$scratch/log" 2>&1 || lacking+=("$file")
        cmp "$scratch/alone-$file/stdout" "$scratch/all/stdout" >>"$scratch/log" 2>&1 || lacking+=("standard output")
    done
    if [ ${#lacking[@]} = 0 ]; then
        passed "$test"
    else
        failed "$test" "not as alone: ${lacking[*]}" "$scratch/log"
    fi
}

# Two have routines OpenFile and CloseFile of their own.
branch=docs/examples/branch.atd
together bzip2 bzip2 O2 decompress prof:prof.out cache:cache.out $branch:btaken.out audit:audit.out
together lua lua O2 errors prof:prof.out cache:cache.out $branch:btaken.out audit:audit.out
# Counters and reports, with sets of the same names, beside calls.
mkdir "$scratch/tools"
sed 's/prof\.out/prof2.out/' tests/computed/prof.atd >"$scratch/tools/prof.atd"
together counters bzip2 O2 decompress "$scratch/tools/prof.atd:prof2.out" audit:audit.out \
    branch:btaken.out prof:prof.out

# A tool in ATOM's interface, whose analysis code calls what only such tools have.
cat >"$scratch/tools/calls.atd" <<'END'
tool calls "counts like the one in C"
counter calls
for p in procs where p.name == "memcpy" { before p calls++ }
report "calls.out" "calls" calls
END
cat >"$scratch/tools/memcpy.inst.c" <<'END'
#include <cmplrs/atom.inst.h>
Instrument(int iargc, char **iargv, Obj *obj) {
    AddCallProto("OpenFile(int)"); AddCallProto("Count()"); AddCallProto("CloseFile(char *, int[2])");
    AddCallProc(FindProc(obj, "memcpy"), ProcBefore, "Count");
    AddCallProgram(ProgramBefore, "OpenFile", -1);
    { int numbers[2]; numbers[0] = 5; numbers[1] = 7; AddCallProgram(ProgramAfter, "CloseFile", "memcpy.out", numbers); }
}
END
cat >"$scratch/tools/memcpy.anal.c" <<'END'
#include <stdio.h>
#include <cmplrs/atom.anal.h>
static unsigned long calls;
OpenFile(int n) { calls = n == -1 ? 0 : 1000000; }
Count() { ThreadLockedAdd(&calls, 1); }
CloseFile(char *name, int *numbers) { FILE *file = fopen(name, "w"); fprintf(file, "%lu %d\n", calls, numbers[0] * numbers[1]++); fclose(file); }
END
together atom bzip2 O2 decompress prof:prof.out "$scratch/tools/memcpy.inst.c:memcpy.out" "$scratch/tools/calls.atd:calls.out"
# Switches and samples keep their states apart.
for number in 1 2; do
    cat >"$scratch/tools/windows$number.atd" <<END
tool windows "each malloc opens a window that the next free closes"
switch inside = off
counter seen, sampled
for p in procs where p.name == "malloc" {
    before p            turn inside on
}
for p in procs where p.name like "BZ2_*" {
    before p when \$inside seen++, turn inside off
    before p sample $((number + 2))  sampled++
}
report "windows$number.out" "Seen" seen, "Sampled" sampled
END
done
together switches bzip2 O2 decompress "$scratch/tools/windows1.atd:windows1.out" prof:prof.out \
    "$scratch/tools/windows2.atd:windows2.out"

# ---- order, parameters and file names, on a small program

cd "$scratch"
cat >program.c <<'END'
int main(void) { return 0; }
END
alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax program.c -o program
order() { # NAME: a tool whose routine Say, and helper, every one of them has
    cat >"$1.c" <<END
#include <stdio.h>
int counter = 0;
void helper(void) { counter++; }
void Say(const char *where, long value) { helper(); printf("$1 %d %s %ld\n", counter, where, value); }
END
    cat >"$1.atd" <<END
tool $1 "says where it is"
analysis "$1.c"
param int value = 1
before program      call Say("before program", value)
for p in procs where p.name == "main" {
    for b in p.blocks where b.pc == p.pc { before b call Say("before block", value) }
    before p        call Say("before proc", value)
}
after program       call Say("after program", value)
END
    }
order one
order two
check_order() { # TEST OPTIONS...: standard output of the program against expected
    local test=$1
    shift
    if "$ATOMC" "$@" program -o program.atom >log 2>&1 && "$QEMU" program.atom >found 2>&1 &&
        diff expected found >>log; then
        passed "together/$test"
    else
        failed "together/$test" "not the calls expected" log
    fi
}
expect() { # ONE TWO: values of the parameters
    cat >expected <<END
one 1 before program $1
two 1 before program $2
one 2 before proc $1
two 2 before proc $2
one 3 before block $1
two 3 before block $2
one 4 after program $1
two 4 after program $2
END
}
expect 1 1
check_order order one.atd two.atd
expect 3 4
check_order definitions one.atd -D value=3 two.atd -D value=4
check_order qualified one.atd two.atd -D two.value=4 -D one.value=3
check_order before-the-first -D value=3 one.atd -D two.value=4 two.atd
[ "$failures" = 0 ]
