# says missing.c.*No such file
# any lines
cp "$PROGRAM/prog" prog
echo 'tool t
after program call Missing()' >t.atd
"$ATOMC" t.atd missing.c prog -o out
