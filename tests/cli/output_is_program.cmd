# any lines
# The program itself must not be lost.
cp "$PROGRAM/prog" prog
"$ATOMC" -t empty prog -o prog || { status=$?; cmp prog "$PROGRAM/prog"; exit $status; }
