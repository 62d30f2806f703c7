# together: several tools on one program: each writes exactly the same as alone.
cp "$tests"/together/* .

# Order, parameters and names of routines, on a small program.
echo 'int main(void) { return 0; }' >program.c
alpha program program.c -g
for tool in one two; do
    sed "s/NAME/$tool/g" order.atd >$tool.atd
    sed "s/NAME/$tool/g" order.c >$tool.c
done
while read -r test one two words; do
    instrument instrumented $words program
    prints "$test" qemu instrumented <<END
one 1 before program $one
two 1 before program $two
one 2 before proc $one
two 2 before proc $two
one 3 before block $one
two 3 before block $two
one 4 after program $one
two 4 after program $two
END
done <<'END'
order 1 1 one.atd two.atd
definitions 3 4 one.atd -D value=3 two.atd -D value=4
qualified 3 4 one.atd two.atd -D two.value=4 -D one.value=3
before-the-first 3 4 -D value=3 one.atd -D two.value=4 two.atd
END

# A file that is open from the program's start to its end, while other tools write their files.
text='-t trace -D trace.form=text'
for tools in "$text" "$text -t io" "-t io -t hiprof $text -t syscall -D syscall.time=true"; do
    rm -f trace.out
    instrument instrumented $tools program
    check "trace$tools" "qemu instrumented"
    [ -f trace.alone ] || mv trace.out trace.alone
    [ "$tools" = "$text" ] || same "trace$tools/file" trace.alone trace.out
done

# together TEST TOOL:FILE...: TOOL is a stock tool or a file; it writes FILE. The program is that of `use`.
together() {
    local test=$1 each words alone all=
    shift
    for each in "$@"; do
        case $each in
        *.inst.c:*) words="${each%:*} ${each%.inst.c:*}.anal.c" ;;
        *.atd:*) words=${each%:*} ;;
        *) words="-t ${each%:*}" ;;
        esac
        all+=" $words" alone=alone/$name/${each//\//-}
        [ ! -e "$alone" ] || continue
        instrument alone.program $words "$program"
        run "$alone" alone.program
    done
    instrument all.program $all "$program"
    run all all.program
    for each in "$@"; do
        alone=alone/$name/${each//\//-}
        same "$test/${each##*/}" "$alone/files/${each#*:}" "all/files/${each#*:}"
        check "$test/${each##*/}/stdout" "cmp $alone/stdout all/stdout"
    done
}
branch=$top/docs/examples/branch.atd
if [ "$SIZE" = all ] && use lua O2 errors; then
    together lua prof:prof.out cache:cache.out "$branch:branch.out" audit:audit.out
fi
use bzip2 O2 $(pick damaged decompress) || return 0
# Two have routines OpenFile and CloseFile of their own.
together bzip2 prof:prof.out cache:cache.out "$branch:branch.out" audit:audit.out
# Counters and reports, with sets of the same names, beside calls.
sed 's/prof\.out/prof2.out/' "$tests/computed/prof.atd" >prof.atd
together counters prof.atd:prof2.out audit:audit.out branch:branch.out prof:prof.out
# A tool in ATOM's interface, whose analysis code calls functions that only such tools have.
together atom prof:prof.out memcpy.inst.c:memcpy.out calls.atd:calls.out
# Switches and samples keep their states apart.
for number in 1 2; do
    sed "s/NUMBER/$number/g" windows.atd >windows$number.atd
done
together switches windows1.atd:windows1.out prof:prof.out windows2.atd:windows2.out
