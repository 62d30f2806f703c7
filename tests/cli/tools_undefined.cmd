# any lines
# says a.c.*undefined reference to .undefined_in_a
cp "$PROGRAM/prog" prog
printf 'tool a "x"\nbefore program call F()\n' >a.atd
sed 's/tool a/tool b/' a.atd >b.atd
echo 'void undefined_in_a(void); void F(void) { undefined_in_a(); }' >a.c
echo 'void F(void) { } void undefined_in_a(void) { }' >b.c
"$ATOMC" a.atd a.c b.atd b.c prog -o out
