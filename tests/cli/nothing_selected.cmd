# any lines
# status 0
# leaves out
cp "$STATIC/prog" prog; printf 'tool t\nset none = proc p where p.size > 1000000000\nfor p in none { before p call Enter() }\n' >t.atd; echo 'void Enter(void) {}' >t.c
"$ATOMC" t.atd t.c prog -o out
