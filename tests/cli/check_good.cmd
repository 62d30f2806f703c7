# any lines
# status 0
echo 'tool t
after program call Finish()' >t.atd
echo 'void Finish(void) {}' >t.c
"$ATOMC" --check t.atd t.c
