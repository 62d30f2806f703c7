# any lines
# status 127
# leaves out
alpha-linux-gnu-gcc "$PROGRAM/prog.c" -o prog; "$ATOMC" -t empty prog -o out
qemu-alpha out
