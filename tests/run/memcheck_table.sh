# memcheck_table: docs/internals/memcheck.md counts the present planted defects. Finding them takes minutes:
# tools_memcheck.
# size: quick
alone=$(sed -n 's/^Only for Alpha, .*: \(.*\)\.$/\1/p' "$top/docs/internals/memcheck.md")
for source in "$top"/tests/third/*.c "$top"/tests/third/*.cc; do
    name=$(basename "${source%.*}")
    case " $alone " in *" $name "*) continue ;; esac
    awk -v name="$name" '{ n = split($0, said, /[ ]*\/\/! */); for (i = 2; i <= n; i++) print said[i] "\t" name ":" FNR }' \
        "$source"
done | sort -u | cut -f1 | uniq -c | awk '{ n = $1; $1 = ""; print substr($0, 2) "\t" n }' >expected
awk -F' *[|] *' '/^[|] [a-z]/ && $3 ~ /^[0-9]+$/ { print $2 "\t" $3 }' "$top/docs/internals/memcheck.md" >found
check planted "[ \$(wc -l <found) -gt 5 ] && diff expected found"
