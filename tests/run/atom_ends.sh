# atom_ends: analysis code that crashes, aborts, recurses endlessly, exits or never returns: a message names the routine
# and its line, and the program's own handlers are not called; instrumentation code that changes the directory; files
# left by an atomc that a closed pipe ends.
cp "$tests"/atom/ends/* .
alpha program program.c -g
line() { # PATTERN: of ends.anal.c
    grep -n "$1" ends.anal.c | sed 's/:.*//;q'
}
# ends TEST STATUS SAID WORDS...: all ways to run the program have this status and message.
ends() {
    local test=$1 status=$2 said=$3 way
    shift 3
    for way in "" handler "handler stack" "handler siginfo" "handler stack siginfo"; do
        # shellcheck disable=SC2086
        ending found "$@" $way
        check "$test/${way// /-}" \
            "grep -x -e 'atomc: the analysis code $said' found && tail -n 1 found | grep -x 'exit status $status' &&
            ! grep -e 'handler' -e 'sum' found" found
    done
}
for options in "" --call=wrapper $(pick "" "--call=direct --call=inline --copy=all --stack=program"); do
    for routine in Store Load Abort Recursion Exit; do
        # shellcheck disable=SC2086
        instrument ended program ends.inst.c ends.anal.c -toolargs=$routine $options || continue
        at=" in $routine ([^ ]*ends.anal.c:$(line "^void $routine"))" pc=", pc 0x[0-9a-f]*"
        case $routine in
        Store | Load) ends "$routine$options" 139 "crashed with signal 11$at$pc" ended ;;
        Abort) ends "$routine$options" 134 "called abort in .*, called by Abort ([^ ]*ends.anal.c:$(line "^void Abort"))$pc" \
            ended ;;
        Recursion)
            ends "$routine$options" 139 \
                "has no stack left: too many calls or too large variables, in deeper ([^ ]*ends.anal.c:$(line deeper))$pc" ended
            ;;
        Exit) prints "$routine$options" ending /dev/stdout ended < <(printf '%s\n' "after the program: 6" "exit status 7") ;;
        esac
    done
done
# The same with a description.
for routine in Store Load; do
    instrument ended ends.atd -D name=$routine program &&
        ends "description-$routine" 139 \
        "crashed with signal 11 in $routine ([^ ]*ends.anal.c:$(line "^void $routine")), pc 0x[0-9a-f]*" ended
done
# A stack that the program itself has filled is the program's matter, also where a call finds it full.
qemu program handler stack deep >plain 2>&1 || true
for options in "" --stack=program --call=wrapper; do
    # shellcheck disable=SC2086
    instrument ended program ends.inst.c ends.anal.c -toolargs=Count $options
    prints "own-stack$options" bash -c '"$0" "$@" | head -n 1' "$QEMU" ended handler stack deep <plain
done

# Both signals are sent at the same time: each takes five seconds. (Shells ignore INT for background processes.)
instrument stuck program ends.inst.c ends.anal.c -toolargs=Loop
running=
for item in TERM:143 INT:130; do
    for way in "" handler; do
        # shellcheck disable=SC2086
        env --default-signal=INT "$QEMU" stuck $way >said.${item%:*}.$way 2>&1 &
        running+="$! $item:$way "
    done
done
for each in $running; do case $each in [0-9]*) computed "$each" 30 ;; esac done
for each in $running; do case $each in TERM* | INT*) kill -"${each%%:*}" "$process" ;; *) process=$each ;; esac done
for each in $running; do
    case $each in [0-9]*) process=$each && continue ;; esac
    IFS=: read -r signal wanted way <<<"$each"
    status=0
    wait "$process" || status=$?
    said="has waited 5 seconds for the analysis code, and ends the program: in Loop ([^ ]*ends.anal.c:$(line "^void Loop"))"
    check "stuck-$signal-$way" "[ $status = $wanted ] && grep '$said' said.$signal.$way" "said.$signal.$way"
done

# The output is at its path, whatever the instrumentation code does; errors still quote its lines.
mkdir elsewhere
instrument here program ends.inst.c ends.anal.c -toolargs="Count elsewhere"
check directory "[ -x here ] && [ -z \"\$(ls elsewhere)\" ]"
sed 's/if (iargc > 2) chdir.*/chdir("elsewhere"); GetInstInfo(0, 99);/' ends.inst.c >wrong.inst.c
prints quoted "$ATOMC" program wrong.inst.c ends.anal.c -toolargs=Count -o none <<'END'
wrong.inst.c:11:5: error: GetInstInfo: parameter number 1: an Inst needed, but this is NULL
      chdir("elsewhere"); GetInstInfo(0, 99);
      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
END

# If the reader of a pipe has ended, atomc ends and leaves no file.
mkdir temporary
cat >talks.inst.c <<'END'
#include <stdio.h>
#include <cmplrs/atom.inst.h>
Instrument(int iargc, char **iargv, Obj *obj) { for (;;) puts("still here"); }
END
{ TMPDIR=$scratch/temporary "$ATOMC" program talks.inst.c ends.anal.c -o none ||
    echo "status $?" >ended_with; } | head -n 1 >first
check pipe "grep -x 'still here' first && grep -x 'status 141' ended_with && [ -z \"\$(ls -A temporary)\" ]" ended_with
