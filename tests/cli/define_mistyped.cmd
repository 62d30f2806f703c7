# any lines
# says hint: its parameters are .*size.*ways.*; atomc --help cache
$ATOMC -t cache -D asoc=2 $PROGRAM/prog
