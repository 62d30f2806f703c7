# documents.sh: the console examples of a page of documentation, run where a reader runs them. Sourced by cases.
# An example is a fenced block that says console. Its lines that begin with `$ ` are run; what follows a line is what it prints, standard
# error included; a line `...` is any lines. Functions stay for the lines behind.

# page_prints PAGE FOLDER: runs the page's examples in the folder, and prints those that print something else. Sets steps.
page_prints() {
    local page=$1 folder=$2 step
    rm -rf steps && mkdir steps
    awk '/^```/ { inside = /^```console/; next }
        inside && /^\$ / { step++; print substr($0, 3) >("steps/" step ".command"); printf "" >("steps/" step ".expected"); next }
        inside && step { print >("steps/" step ".expected") }' "$page"
    for ((step = 1; ; step++)); do
        [ -e steps/$step.command ] || break
        (cd "$folder" && bash -c "$(cat "$OLDPWD/steps/functions" 2>/dev/null)
$(cat "$OLDPWD/steps/$step.command")
declare -f >'$OLDPWD/steps/functions'") >found 2>&1 || true
        awk -v elsewhere="$elsewhere" -f "$tests/lib/matches.awk" steps/$step.expected found ||
            { cat steps/$step.command; diff steps/$step.expected found || true; }
    done
    steps=$((step - 1))
}
