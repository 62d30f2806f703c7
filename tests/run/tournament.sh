# tournament: the gallery's model of a branch predictor, against another one, in awk, that reads a trace of the same run.
cp "$tests"/tournament/outcomes.atd .
sed 's/"Procedure" b.proc.name/"PC" b.pc/; s/^    display.*//' "$top/packages/gallery/predictor/tournament.atd" >tournament.atd
shared orders "$top/docs/examples/cookbook/orders.cc" -g
instrument instrumented outcomes.atd tournament.atd -D 'file=*' orders || return 0
qemu -L /usr/alpha-linux-gnu instrumented >log
awk -f "$tests/tournament/model.awk" outcomes | sort >expected
awk -F '\t' -v OFS='\t' 'NR > 1 && !/^total/ { print $1, $3, $4, $6, $7 }' tournament.out | sort >found
same model expected found
check branches "[ \$(wc -l <expected) -gt 50 ] && [ \$(wc -l <outcomes) -gt 50000 ]" expected
# The choice between the two guesses makes a difference.
check chooser "awk -F '\t' '/^total/ { exit !(\$4 != \$6 && \$4 != \$7 && \$4 > 0) }' tournament.out" tournament.out
