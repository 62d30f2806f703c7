# docs: every console example of README.md and docs/*.md prints what stands there; a line `...` is any lines.
# An example is a fenced block that says console. Its lines that begin with `$ ` are run, in a folder that holds docs/examples/ and the gallery, one for
# each page; what follows a line is what it prints, standard error included.
mkdir bin
ln -s "$ATOMC" bin/atomc
export PATH=$scratch/bin:$PATH
for page in $(cd "$top" && grep -l '^```console' README.md docs/*.md); do
    rm -rf folder steps wrong
    mkdir steps
    cp -r "$top/docs/examples" folder
    cp -r "$top/gallery" folder
    awk '/^```/ { inside = /^```console/; next }
        inside && /^\$ / { step++; print substr($0, 3) >("steps/" step ".command"); printf "" >("steps/" step ".expected"); next }
        inside && step { print >("steps/" step ".expected") }' "$top/$page"
    for ((step = 1; ; step++)); do
        [ -e steps/$step.command ] || break
        (cd folder && bash -c "$(cat ../steps/$step.command)") >found 2>&1 || true
        awk -v elsewhere="$elsewhere" -f "$tests/lib/matches.awk" steps/$step.expected found ||
            { cat steps/$step.command; diff steps/$step.expected found || true; } >>wrong
    done
    check "$page" "[ $step -gt 1 ] && [ ! -e wrong ]" wrong
done
# The table of bad input names a file and its words: `FILE: `WORDS`, `WORDS`; FILE: ...`.
awk '/^<!-- bad input -->/ { inside = 1; next } /^<!-- end -->/ { inside = 0 } inside && /^\|/ && ++rows > 2' "$top/docs/testing.md" >rows
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
