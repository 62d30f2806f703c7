# The words of the text, at times that grow.
cut -c 8- traced.out >found
same event-trace/traced text found
check event-trace/times "[ -s traced.out ] && cut -c -6 traced.out | sort -n -u | diff - <(cut -c -6 traced.out)" traced.out
