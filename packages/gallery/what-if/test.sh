# The file is sorted by count, and backwards where that is equal.
instrument backwards.atom -t what-if/backwards words && qemu backwards.atom >found.out
sort text | uniq -c | sort -k1,1nr -k2,2r | awk '{ print $2, $1 }' >expected
cut -d ' ' -f 1,2 words.txt >found
same what-if/backwards expected found
check what-if/output "cmp expected.out found.out"
