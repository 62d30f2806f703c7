# any lines
cp "$PROGRAM/prog" prog
"$ATOMC" -t brunch prog -o out
