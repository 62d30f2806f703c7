# any lines
# status 0
# leaves out
cp "$STATIC/prog" prog; printf 'tool t\ncounter n, m\nset them = proc p where "xyz_xyz" == p.name or p.name == "mian"\nfor p in procs where p.name == "mian" { before p n++ }\nfor p in them { before p n++ }\nfor p in procs { before p when p.name == "mian" n++ }\nfor p in procs where p.name == "xyz_xyz" { before p n++ }\nreport "-" for p in procs where p.name == "mian" "n" n\nreport "!" "n" n' >t.atd
"$ATOMC" t.atd prog -o out
