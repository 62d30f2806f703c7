# The program's only procedure that is called by a pointer: by the C library's qsort.
entered=$(awk -F '\t' '$4 == "compare" && $2 == 8 { print $3 }' executed)
awk -F '\t' '$5 == "compare" { calls += $3; if ($4 != 1 || $6 != "100.00") print } END { print calls }' targets.out >found
check targets/words "[ $entered -gt 0 ] && grep -x $entered found && [ \$(wc -l <found) = 1 ]" targets.out
# tests/run/targets.sh has calls of several targets.
