# any lines
# says a.atd:2:.*no C routine
# says b.atd:2:.*no C routine
cp "$PROGRAM/prog" prog
printf 'tool a "x"\nbefore program call Missing()\n' >a.atd
printf 'tool b "x"\nbefore program call OpenFile()\n' >b.atd
"$ATOMC" a.atd -t prof b.atd prog -o out
