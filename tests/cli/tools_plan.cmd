# any lines
# status 0
printf 'tool a "x"\nset s = proc p where p.id < 3\ncounter c[s], d\nfor p in s { before p c[p] += index(p) before p when p in s d++ }\nreport "a" for p in s "c" c[p], "d" d\n' >a.atd
sed 's/tool a/tool b/; s/report "a"/report "b"/' a.atd >b.atd
printf 'tool c "x"\nbefore program call F(1)\n' >c.atd
"$ATOMC" --dump=plan b.atd a.atd c.atd
