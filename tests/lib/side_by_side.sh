# side_by_side.sh: parts of a case that run beside each other, in processes of their own.
# Requires: tests/lib/prelude.sh.
# shellcheck shell=bash

# side_by_side FUNCTION: calls FUNCTION WORD... for each line of standard input, in an empty folder; JOBS at a time if SIZE is all.
# What fails is said by its lines: `failures` stays as it is.
side_by_side() {
    local number=0 running=0 most
    most=$(pick 1 "${JOBS:-2}")
    local -a words
    while read -r -a words || [ $running -gt 0 ]; do
        if [ ${#words[@]} -gt 0 ]; then
            mkdir "part$((++number))"
            (
                cd "part$number"
                "$1" "${words[@]}" </dev/null
                rm -rf "$PWD"
            ) &
            running=$((running + 1))
        fi
        if [ $running -ge "$most" ] || [ ${#words[@]} = 0 ]; then
            wait -n || failed "part" "it ended with status $?"
            running=$((running - 1))
        fi
    done
}
