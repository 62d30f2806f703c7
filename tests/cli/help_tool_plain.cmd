# any lines
# status 0
echo 'tool t
before program call F()' >t.atd
"$ATOMC" -h t.atd
