# any lines
echo "tool t" >t.atd
"$ATOMC" --check --dump=sites t.atd
