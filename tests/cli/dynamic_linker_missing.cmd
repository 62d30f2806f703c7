# any lines
# status 127
# leaves out
alpha-linux-gnu-gcc "$PROGRAM/prog.c" -o prog; "$ATOMC" -t empty prog -o out
env -u QEMU_LD_PREFIX qemu-alpha out
