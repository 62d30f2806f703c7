# editors: the syntax files of the editors have all words of the language, and no others: editors/update.sh corrects a
# difference.
cp -r "$top/editors/vim" "$top/editors/vscode" .
"$top/editors/update.sh" .
vim=vim/syntax/atd.vim vscode=vscode/syntaxes/atd.tmLanguage.json
for editor in vim vscode; do
    check "$editor" "diff -r '$top/editors/$editor' $editor"
done

# The lists exist, each at its place: the scanner's words, and some values.
awk -f "$top/grammar/operators.awk" "$top/plan/operators.def" "$top/grammar/atd.l" >scanner
for word in $(sed -n 's/^"\([a-z0-9]*\)" *WORD(.*/\1/p' scanner); do
    grep -q -E "^syn keyword atd(Word|Constant) (.* )?$word( |\$)" $vim || echo "vim: $word"
    grep -E '"(keyword.control|constant.language).atd"' $vscode | grep -q -E "[(|]${word}[|)]" || echo "vscode: $word"
done >missing
for value in addr taken a5 fret arg; do
    grep -q -E "atdValue .*[(|]${value}[\\|]" $vim || echo "vim: \$$value"
    grep '"variable.language.atd"' $vscode | grep -q -E "[(|]${value}[|)]" || echo "vscode: \$$value"
done >>missing
check words "[ ! -s missing ]" missing

is_json() { # FILE: JSON's grammar as a regular expression
    perl -0777 -ne 'exit !/^(?<value> \s* (?:
        \{ \s* (?: (?<pair> \s* (?<string> " (?: [^"\\\x00-\x1f] | \\["\\\/bfnrt] | \\u[0-9a-fA-F]{4} )* " ) \s* : (?&value))
            (?: , (?&pair))* )? \}
        | \[ \s* (?: (?&value) (?: , (?&value))* )? \]
        | (?&string) | -?\d+ (?: \.\d+ )? (?: [eE][-+]?\d+ )? | true | false | null ) \s*)\z/x' "$1"
}
for file in vscode/*.json vscode/syntaxes/*.json; do
    check "json/${file##*/}" "is_json $file"
done
