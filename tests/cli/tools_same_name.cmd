# any lines
# status 0
printf 'tool a "x"\nparam string file = "one"\ncounter c\nbefore program c++\nreport file "c" c\n' >a.atd
"$ATOMC" --dump=plan a.atd a.atd -D file=two
