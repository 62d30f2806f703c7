#!/bin/bash
# line_sums.sh FILE.rows: the sums of the columns Executed and Instructions over rows with a source line.
jq -s -r '(.[0].columns | map(.title)) as $titles
    | ($titles | index("Executed")) as $executed | ($titles | index("Instructions")) as $instructions
    | ($titles | index("File")) as $file | ($titles | index("Line")) as $line
    | [.[1:][] | select(type == "array" and .[$file] != "" and .[$line] > 0)]
    | "\(map(.[$executed]) | add) \(map(.[$instructions]) | add)"' "$1"
