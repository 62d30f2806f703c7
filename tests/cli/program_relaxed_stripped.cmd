# status 0
# any lines
# leaves out
alpha-linux-gnu-gcc -O2 -s -static "$PROGRAM/prog.c" -o prog; ! timeout 20 qemu-alpha prog
"$ATOMC" -t empty prog -o out
