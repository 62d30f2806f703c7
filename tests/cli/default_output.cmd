# any lines
# status 0
# leaves prog.atom
cp "$PROGRAM/prog" prog
"$ATOMC" -t empty prog && qemu-alpha ./prog.atom hello
