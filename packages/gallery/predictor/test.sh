# Executions of conditional branches.
branches=$(awk -F '\t' '$5 ~ /words.c$/ && $7 ~ /^f?b(eq|ne|l[bte]|lbc|lbs|g[te])$/ { sum += $3 } END { print sum }' executed)
check predictor/tournament "awk -F '\t' '/^total/ { exit !(\$3 == $branches && \$4 > 0 && \$4 < \$3) }' tournament.out" tournament.out
# tests/run/tournament.sh compares each branch with another model.
