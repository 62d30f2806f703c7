# status 0
# any lines
# leaves prog.atom
printf 'tool t "a test"\ncounter n\nset s = proc p where p.file == "prog.c"\nfor p in s { before p n++ }\nreport "-" "N" n\n' >t.atd
$ATOMC t.atd $PROGRAM/prog -o prog.atom
