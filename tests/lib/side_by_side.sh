# side_by_side.sh: parts of a case that run beside each other, in processes of their own.
# Requires: tests/lib/prelude.sh.
# shellcheck shell=bash

# side_by_side FUNCTION: calls FUNCTION WORD... for each line of standard input, in an empty folder; JOBS at a time if SIZE is all.
# Failures are reported by their lines: `failures` does not change. A part that does not finish leaves its folder.
side_by_side() {
    local number=0 running=0 most part
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
            # The exit status is not used: if two parts end at the same time, bash may have forgotten one (127).
            wait -n || true
            running=$((running - 1))
        fi
    done
    wait
    for part in part*; do
        [ ! -d "$part" ] || failed "$part" "it did not come to its end"
    done
}
