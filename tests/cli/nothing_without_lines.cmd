# status 0
# any lines
# leaves prog.atom
printf 'tool t "a test"\ncounter n\nfor p in procs where p.file like "*prog.c" { before p n++ }\nreport "-" "N" n\n' >t.atd
cp $PROGRAM/prog prog
alpha-linux-gnu-strip -g prog
$ATOMC t.atd prog -o prog.atom
