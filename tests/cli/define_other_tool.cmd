# any lines
cp "$PROGRAM/prog" prog
"$ATOMC" -t branch -t prof -D brnch.x=1 prog -o out
