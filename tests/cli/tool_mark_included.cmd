# any lines
printf '\357\273\277tool t\ninclude "b.inc"\nbefore program n++\nreport "-" "n" n' >a.atd; printf '\357\273\277counter n, m\nbefor program n++\n' >b.inc
"$ATOMC" --check a.atd
