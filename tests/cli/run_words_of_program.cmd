# status 0
# any lines
cp "$PROGRAM/prog" prog
for words in "--json" "-env x" "-tool x" "--help"; do ATOMC_CACHE= "$ATOMC" run -e 'counter n for p in procs where p.name == "main" { before p n++ } report "-" "Calls" n' -- ./prog $words; done
