# any lines
# says hint: 2 or 4 can be
$ATOMC -t cache -D ways=3 $PROGRAM/prog
