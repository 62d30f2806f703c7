# any lines
# status 0
# leaves out
cp "$PROGRAM/prog" prog
"$ATOMC" -t prof -D out=/dev/full prog -o out && qemu-alpha out one
