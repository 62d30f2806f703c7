# any lines
printf '{"tool": "io", "report": "io.out", "rows": [\n{"File": "x", "Bytes": 3}]}\n' >io.json
"$ATOMC" -t prof --profile=io.json "$PROGRAM/prog"
