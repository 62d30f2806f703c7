#!/bin/bash
# atom_audit.sh: every function that include/ declares is called in tests/hatch, and every name of its enumerations and macros
# occurs there; each error of ATOM's interface is in an expected text.
# Requires: run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The code of the tests, without comments and strings; a declaration is no call.
find tests/hatch \( -name '*.c' -o -name '*.cpp' \) -exec cat {} + | sed 's/"[^"]*"/""/g; s|/\*[^*]*\*/||g; /^ *extern /d' >"$scratch/code"
# The headers without comments, each statement on a line.
cat include/atom.inst.h include/atom.anal.h | sed 's|//.*||' | tr '\n' ' ' | sed 's|/\*[^*]*\(\*[^/][^*]*\)*\*/||g; s/;/;\n/g' >"$scratch/headers"
# declared: the word before the first parenthesis of a statement that is neither a type nor a macro
grep -o -E '\b[A-Z][A-Za-z]+\([^;]*\);$' "$scratch/headers" | sed 's/(.*//' | sort -u >"$scratch/functions"
sed -n 's/.*enum *{\([^}]*\)}.*/\1/p' "$scratch/headers" | tr ',' '\n' | sed 's/=.*//; s/ //g; /^ATOM_/d; /^$/d' >"$scratch/names"
sed -n 's/^#define \([A-Z][A-Za-z_0-9]*\).*/\1/p' include/atom.inst.h include/atom.anal.h |
    grep -v -E '^(ATOM_|AddCall|ReplaceEntry)' >>"$scratch/names"
sort -u -o "$scratch/names" "$scratch/names"

# missing NAMES PATTERN_END: names that the code has not
missing() {
    while read -r name; do
        grep -q -E "\\b$name\\b$2" "$scratch/code" || echo "$name"
    done <"$1"
}
report() { # TEST FILE LEAST MISSING
    local count
    count=$(wc -l <"$2")
    if [ "$count" -lt "$3" ]; then
        failed "audit/$1" "only $count found in the headers: the search is wrong"
    elif [ -s "$4" ]; then
        failed "audit/$1" "$(wc -l <"$4") of $count are in no test" "$4"
    else
        passed "audit/$1 ($count)"
    fi
}
missing "$scratch/functions" ' *\(' >"$scratch/no_call"
report functions "$scratch/functions" 110 "$scratch/no_call"
missing "$scratch/names" '' >"$scratch/no_use"
report enumerators "$scratch/names" 200 "$scratch/no_use"

while read -r name; do
    grep -q "\`$name[(\`]" docs/atom.md || echo "$name"
done <"$scratch/functions" >"$scratch/not_described"
report described "$scratch/functions" 110 "$scratch/not_described"

# Each message of the interface as a pattern: what is not a conversion has to be there.
sed -n 's/^MESSAGE(HATCH_\([A-Z_]*\), SEVERITY_[A-Z]*, "\(.*\)")$/\1\t\2/p' support/messages.def >"$scratch/messages"
find tests/hatch -name '*.expected' -exec cat {} + >"$scratch/texts"
cat tests/run/hatch.sh tests/run/atom*.sh >>"$scratch/texts"
while IFS=$'\t' read -r id text; do
    pattern=$(printf '%s' "$text" | sed 's/\\n.*//; s/\\"/"/g; s/[][*.^$\\]/\\&/g; s/%[a-z]*[sdux]/.*/g')
    grep -q -e "error: $pattern" -e "warning: $pattern" "$scratch/texts" || echo "HATCH_$id"
done <"$scratch/messages" >"$scratch/no_text"
report messages "$scratch/messages" 25 "$scratch/no_text"
exit "$((failures > 0))"
