# any lines
# status 0
# Nothing is written, but the places are looked for.
cp "$STATIC/prog" prog; printf 'tool t\nfor p in procs where p.name == "nobody" { after program call Finish() }\n' >t.atd
"$ATOMC" --check t.atd prog
