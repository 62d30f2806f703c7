# says ATOMC_FORMAT=json
# any lines
printf 'PC\tInstructions\tPercent\tProcedure\n0x120000600\t7\t100.00\tmain\n' >prof.out
"$ATOMC" -t prof --profile=prof.out "$PROGRAM/prog"
