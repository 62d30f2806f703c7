# sums.sh: checks of tools in tests/data that make each sum of what blocks execute at once, and at each instruction.
# Requires: tests/lib/prelude.sh.
# shellcheck shell=bash

# Sums that differ from the counts of each instruction have a line with an address; the last line has the number of
# blocks.
check_sums() { # TEST FILE
    check "$1" "! grep ^0x $2 && [ \$(tail -n 1 $2) -gt 100 ]" "$2"
}

# The tool many_sums in tests/data, with more of these sums in each block.
write_many_sums() { # COUNT
    local sum='    before b sums[($(sp) >> 23 ^ $(sp) >> 5) & 3] += b.ninsts'
    sed "s/ONE MORE EACH/$1/" "$tests/data/many_sums.atd" | while IFS= read -r line; do
        [ "$line" = "    # more" ] && yes "$sum" | head -n "$1" || printf '%s\n' "$line"
    done >"many_sums$1.atd"
}

# The output of keyed_sums in the folder: all executed instructions are in its rows, and in the buckets of each thread.
check_keys() { # TEST FOLDER
    check_sums "$1/sums" "$2/keyed_sums.differ"
    check "$1/buckets" "diff <(cut -f 2 $2/keyed_sums.sizes | sort) <(cut -f 2 $2/keyed_sums.bucket | sort)"
    check "$1/limit" "awk '/^[A-Z]/ { limited = /^Limited/ } /[0-9]/ { sum += \$1;
        if (!limited) ran += \$1 } END { exit !(ran > 1000 && sum == 0) }' $2/keyed_sums.rows"
}
