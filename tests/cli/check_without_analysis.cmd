# status 0
# any lines
echo 'tool t
after program call Finish(1)' >t.atd
"$ATOMC" --check t.atd
