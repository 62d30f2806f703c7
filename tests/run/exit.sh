# exit: the program ends with the status, and its reports are exact: instructions and blocks agree, in handlers, with
# signals blocked, taken or ignored, in threads and in children.
cp "$tests"/exit/* .
alpha static program.c -O1 -g -pthread
shared dynamic program.c -O1 -g -pthread
sums_agree() { # FILE: instructions, the sum of blocks
    awk 'NR == 2 { exit !($1 >= 1 && $1 == $2) }' "$1/sums" &&
        [ "$(awk 'NR == 2 { print $1 }' "$1/sums")" = "$(awk '/^total/ { print $2 }' "$1/procs")" ]
}
# ends NAME STATUS OPTION...: runs it, with its results in the folder NAME.
ends() {
    local name=$1 status=$2
    shift 2
    ATOMC_OUT=$name ending "$name.log" "$@"
    check "$name/status" "tail -1 '$name.log' | grep -qx 'exit status $status'" "$name.log"
}
# At each of several consecutive instructions, so in the middle of blocks, before branches, calls and returns.
for at in 1 2 5000 5001 5002 5003 5004 5005 5006 5007; do
    instrument instrumented exit.atd -D at=$at static
    ends $at $((at % 100)) instrumented
    check at/$at "sums_agree $at && awk 'NR == 2 { exit !(\$1 == $at && \$3 == 1) }' $at/sums &&
        grep -qx 'the end 7' $at/last" $at/sums
done
for program in static dynamic; do
    [ -e $program ] || continue
    instrument instrumented exit.atd -D at=5000 -D add=130 $program
    for kind in plain handler taken ignored threads; do
        out=$program.$kind
        ends $out 130 -L /usr/alpha-linux-gnu instrumented $kind
        check "$program/$kind" "sums_agree $out && awk 'NR == 2 { exit !(\$1 >= 5000 && \$3 >= 1) }' $out/sums &&
            [ \$(wc -l <$out/last) = 1 ]" $out/sums
    done
    # A child of vfork ends alone, without results; a child of fork with results of its own, and the parent goes on.
    ends $program.vfork 30 -L /usr/alpha-linux-gnu instrumented vfork
    check "$program/vfork" "sums_agree $program.vfork &&
        awk 'NR == 2 { exit !(\$1 < 5000 && \$3 == 0) }' $program.vfork/sums" $program.vfork/sums
    ends $program.fork 130 -L /usr/alpha-linux-gnu instrumented fork
    check "$program/fork" "[ -e $program.fork/sums.1 ] && sums_agree $program.fork &&
        awk 'NR == 2 { exit !(\$1 > 4000 && \$1 == \$2 && \$3 == 1) }' $program.fork/sums.1" $program.fork/sums.1
done
