# any lines
# status 125
cp "$PROGRAM/prog" prog
"$ATOMC" prof prog; "$ATOMC" run prof ./prog
