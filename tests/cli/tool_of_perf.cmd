# any lines
$ATOMC -t "perf stat" $PROGRAM/prog
