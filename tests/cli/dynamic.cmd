alpha-linux-gnu-gcc "$PROGRAM/prog.c" -no-pie -o prog
"$ATOMC" --copy=all --objects=all -t branch prog -o out
