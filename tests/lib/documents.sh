# documents.sh: runs the console examples of a page of documentation in the folder in which a reader runs them. Sourced
# by cases. An example is a fenced block with the word console. Its lines that begin with `$ ` are run; the lines after
# a command are its output, including standard error; a line `...` matches any lines. Functions remain defined for later
# lines.

# Only these variables of the environment stay: a program executes some hundred instructions for each, which are counted.
few_variables() {
    local name
    for name in $(compgen -e); do
        case $name in
        PATH | HOME | PWD | TERM | LANG | LC_ALL | TMPDIR | GLIBC_TUNABLES | QEMU_LD_PREFIX | ATOMC_CACHE) ;;
        *) export -n "${name?}" ;;
        esac
    done
}

# page_prints PAGE FOLDER: runs the page's examples in the folder, and prints the examples whose output differs. Sets
# steps.
page_prints() {
    local page=$1 folder=$2 step here=$PWD functions
    rm -rf steps && mkdir steps
    : >steps/functions
    awk '/^```/ { inside = /^```console/; next }
        inside && /^\$ / { step++; print substr($0, 3) >("steps/" step ".command"); printf "" >("steps/" step ".expected"); next }
        inside && step { print >("steps/" step ".expected") }' "$page"
    for ((step = 1; ; step++)); do
        [ -e steps/$step.command ] || break
        functions=$(<steps/functions)
        (cd "$folder" && few_variables && exec bash -c "$functions
$(<"$here/steps/$step.command")
declare -f >'$here/steps/functions'") >found 2>&1 || true
        [ "$(<steps/$step.expected)" = "$(<found)" ] 2>/dev/null ||
            awk -v elsewhere="$elsewhere" -f "$tests/lib/matches.awk" steps/$step.expected found ||
            { cat steps/$step.command; diff steps/$step.expected found || true; }
    done
    steps=$((step - 1))
}
