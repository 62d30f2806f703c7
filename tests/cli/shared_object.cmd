alpha-linux-gnu-gcc -shared -fPIC "$PROGRAM/prog.c" -o prog.so
"$ATOMC" -t branch prog.so -o out
