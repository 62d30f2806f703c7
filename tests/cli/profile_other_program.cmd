# any lines
printf '{"tool": "prof", "report": "prof.out", "rows": [\n{"PC": "0x120000000", "Instructions": 3, "Procedure": "elsewhere"}]}\n' >prof.json
"$ATOMC" -t prof --profile=prof.json "$PROGRAM/prog"
