# any lines
# main in an object file of the command line.
cp "$PROGRAM/prog" "$PROGRAM/prog.o" .; echo 'tool t' >t.atd
"$ATOMC" t.atd prog.o prog -o out
