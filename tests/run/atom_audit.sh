# atom_audit: every function that atom/include/ declares is called in tests/atom and has a comment, every name of the
# enumerations and macros occurs in tests/atom, and each message of ATOM's interface is in an expected text.
headers=("$top"/atom/include/{atom.inst,atom.anal,alpha/atom.inst}.h)

# The headers without comments, each statement on a line. A function is the word before the first parenthesis of a statement that
# is neither a type nor a macro.
cat "${headers[@]}" | sed 's|//.*||' | tr '\n' ' ' | sed 's|/\*[^*]*\(\*[^/][^*]*\)*\*/||g; s/;/;\n/g' >statements
grep -o -E '\b[A-Z][A-Za-z]+\([^;]*\);$' statements | sed 's/(.*//' | sort -u >functions
{
    sed -n 's/.*enum *{\([^}]*\)}.*/\1/p' statements | tr ',' '\n' | sed 's/=.*//; s/ //g; /^ATOM_/d; /^$/d'
    cat "${headers[@]}" | sed -n 's/^#define \([A-Z][A-Za-z_0-9]*\).*/\1/p' | grep -v -E '^(ATOM_|ALPHA_|AddCall|ReplaceEntry)'
} | sort -u >names

# The code of the tests, without comments and strings; a declaration is no call.
find "$tests/atom" \( -name '*.c' -o -name '*.cpp' \) -exec cat {} + | sed 's/"[^"]*"/""/g; s|/\*[^*]*\*/||g; /^ *extern /d' >code
grep -o -E '\w+ *\(' code | tr -d ' (' | sort -u >called
grep -o -E '\w+' code | sort -u >used
# A comment is to the right of a declaration, or above a group of declarations without empty lines.
awk '/\*\/$/ && !/^[A-Za-z]/ { above = 1; next } /^$/ { above = 0 } /^[A-Za-z]/ && (above || /\/\*/)' "${headers[@]}" |
    grep -o -E '\b[A-Z][A-Za-z]+\(' | tr -d '(' | sort -u >described

# Each message as a pattern: all text except conversions must occur.
find "$tests/atom" -name '*.expected' -exec cat {} + >texts
cat "$tests"/run/atom*.sh >>texts
sed -n 's/^MESSAGE(ATOM_\([A-Z_]*\), SEVERITY_[A-Z]*, "\(.*\)")$/\1\t\2/p' "$top/support/messages.def" |
    while IFS=$'\t' read -r id text; do
        pattern=$(printf '%s' "$text" | sed 's/\\n.*//; s/\\"/"/g; s/[][*.^$\\]/\\&/g; s/%[a-z]*[sdux]/.*/g')
        echo "$id"
        ! grep -q -e "error: $pattern" -e "warning: $pattern" texts || echo "$id" >>said
    done | sort >messages
sort -o said said

# The text to find, the minimum number of occurrences, and the file. Fewer: the search is wrong.
while read -r test what least where; do
    check "$test" "[ \$(wc -l <$what) -ge $least ] && ! comm -23 $what $where | grep ."
done <<'END'
functions functions 110 called
enumerators names 200 used
described functions 110 described
messages messages 25 said
END
