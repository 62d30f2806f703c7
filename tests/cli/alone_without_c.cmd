# status 1
# any lines
# says ^hint: atomc works beside its own files only
cp $ATOMC atomc
printf 'tool t "a test"\ncounter n\nfor p in procs { before p n++ }\nreport "-" "N" n\n' >t.atd
./atomc t.atd $PROGRAM/prog
