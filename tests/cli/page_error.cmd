# any lines
"$ATOMC" -e "for b in blocks where b.nints > 4 { before b call F() }" "$PROGRAM/prog"
