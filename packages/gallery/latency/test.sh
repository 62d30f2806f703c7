# A call for each word of the text; none is shorter than the procedure's own instructions can be, nor all together longer than the run.
all=$(awk -F '\t' '{ sum += $3 } END { print sum }' executed)
check latency/latency "awk -F '\t' 'NR > 1 { calls += \$3; least += \$1 * \$3 } END { exit !(calls == $occurrences && least > 0 && least < $all) }' latency.out" latency.out
