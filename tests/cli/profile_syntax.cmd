# says a profile is JSON
# any lines
printf '{"tool": "prof", "report": "prof.out", "rows": [\n{"PC": "0x120000000" "Instructions": 3}]}\n' >prof.json
"$ATOMC" -t prof --profile=prof.json "$PROGRAM/prog"
