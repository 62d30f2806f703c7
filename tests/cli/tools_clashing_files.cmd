# any lines
# says b2.c.*multiple definition of .F2
cp "$PROGRAM/prog" prog
printf 'tool a "x"\nbefore program call F()\n' >a.atd
sed 's/tool a/tool b/' a.atd >b.atd
echo 'void undefined_in_a(void); void F(void) { undefined_in_a(); }' >a.c
echo 'void F(void) { } void F2(void) { }' >b.c
echo 'void F2(void) { }' >b2.c
"$ATOMC" a.atd a.c b.atd b.c b2.c prog -o out
