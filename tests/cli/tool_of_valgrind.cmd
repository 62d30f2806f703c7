# any lines
$ATOMC -t massif $PROGRAM/prog
