# status 125
# any lines
$ATOMC run $PROGRAM/prog -t prof
