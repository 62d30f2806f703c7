alpha-linux-gnu-gcc "$PROGRAM/prog.c" -no-pie -o prog
mkdir -p there/lib
cp /usr/alpha-linux-gnu/lib/ld-linux.so.2 there/lib
"$ATOMC" --objects=all --root=there -t branch prog -o out
