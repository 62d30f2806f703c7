# docs: every console example of README.md, docs/*.md and docs/internals/json.md prints the output in the page. It is
# run in the folder that the page names in its first lines: the folder that `atomc examples` makes, reached by the
# commands that README.md gives to a reader of a clone. Examples of tests/documents do so, too; they use the files of
# docs/examples that no document shows.
. "$tests/lib/documents.sh"
# The lines of README.md that a reader pastes first, in the clone.
sed -n '/^    export PATH=/,/^$/s/^    //p' "$top/README.md" >begin
check begin "[ \$(wc -l <begin) = 2 ] && grep -q 'atomc examples' begin"
mkdir home
# shellcheck disable=SC2154
reader=$(cd "$top" && HOME=$scratch/home && eval "$(cat "$scratch/begin")" >&2 && printf '%s\n' "$PWD" "$PATH") 2>log
check there "[ -e '${reader%%
*}/gallery' ]" log
export PATH=${reader#*
} HOME=$scratch/home
# The atomc under test, wherever it was built; and the emulator that hides the variable for large pages from programs.
mkdir bin && ln -s "$ATOMC" bin/atomc && ln -s "$QEMU" bin/qemu-alpha
export PATH=$scratch/bin:$PATH GLIBC_TUNABLES=$large_pages
for page in $(cd "$top" && grep -l '^```console' README.md docs/*.md docs/internals/json.md tests/documents/*.md); do
    rm -rf folder
    atomc examples folder >made
    page_prints "$top/$page" folder >wrong
    check "$page" "[ $steps -gt 0 ] && [ ! -s wrong ]" wrong
    [ "$page" = README.md ] || check "$page/where" "head -n 8 '$top/$page' | grep -q 'atomc examples'"
done
# Each link leads to a file, and to a heading in it.
(cd "$top" &&
    awk -f tests/lib/links.awk {README,CHANGELOG,CONTRIBUTING}.md docs/*.md \
        docs/internals/*.md docs/internals/engine/*.md docs/internals/runtime/*.md \
    packages/gallery/*/README.md) >links 2>&1
check links "[ ! -s links ]" links
# The table of bad input names a file and its words: `FILE: `WORDS`, `WORDS`; FILE: ...`.
awk '/^<!-- bad input -->/ { inside = 1; next } /^<!-- end -->/ { inside = 0 } inside && /^\|/ && ++rows > 2' \
    "$top/docs/internals/testing.md" >rows
while IFS= read -r row; do
    tests_of_row=${row%|} && tests_of_row=${tests_of_row##*| }
    while IFS= read -r file_and_words; do
        file=${file_and_words%%:*}
        grep -o '`[^`]*`' <<<"${file_and_words#*:}" | tr -d '`' | while IFS= read -r words; do
            grep -q -F -e "$words" "$tests/$file" || echo "$file: $words"
        done
    done < <(sed 's/; */\n/g' <<<"$tests_of_row")
done <rows >wrong-tests 2>&1
check bad-input "[ \$(wc -l <rows) -gt 15 ] && [ ! -s wrong-tests ]" wrong-tests
