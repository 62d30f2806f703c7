# any lines
cp "$PROGRAM/prog" prog
printf 'tool %s "x"\ncounter c\nbefore program c++\nreport "out.txt" "c" c\n' a >a.atd
sed 's/tool a/tool b/' a.atd >b.atd
"$ATOMC" a.atd b.atd prog -o out
