# any lines
alpha-linux-gnu-gcc "$PROGRAM/prog.c" -no-pie -o prog
"$ATOMC" --objects=main,libnone -t branch prog -o out
