# any lines
echo 'tool t' >t.atd
"$ATOMC" --check t.atd -D x=1
