# status 0
# any lines
# leaves prog.atom
printf 'tool t "a test"\ncounter n\nfor p in procs where p.name like "^main$" { before p n++ }\nreport "-" "N" n\n' >t.atd
$ATOMC t.atd $PROGRAM/prog -o prog.atom
