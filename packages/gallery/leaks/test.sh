# The words are never freed: each different word is a block of 24 bytes, its length and 1, which insert allocates.
check leaks/words "awk -F '\t' '\$4 ~ /;insert;malloc\$/ { bytes += \$1; kept += \$2 } END { print bytes, kept }' leaks.out |
    grep -x '$(sort -u text | awk '{ bytes += 24 + length($0) + 1 } END { print bytes, NR }')'" leaks.out
# tests/run/leaks.sh compares all ways to allocate and free.
