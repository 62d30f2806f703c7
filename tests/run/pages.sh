#!/bin/bash
# pages.sh: the pages of hiprof, cache and coverage in a browser: their numbers against the text reports, every link, sorting,
# filtering, folding, names that HTML has to escape, ten thousand procedures; no request, no script error.
# Requires: atomc (ATOMC), qemu-alpha, the Alpha cross compiler, chromium; run from the repository's root.
set -eu
export LC_ALL=C.UTF-8
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
if ! command -v chromium >/dev/null; then
    skipped pages "no browser: Debian's package chromium is not installed"
    exit 0
fi
base=$(mktemp -d)
trap '[ -n "${KEEP:-}" ] || rm -rf "$base"' EXIT
qemu=$(command -v "$QEMU")

# browse TEST FILE [FRAGMENT]: the document as it is when its scripts have run, in $base/dom. No host is reachable.
browse() {
    local test=$1 address
    address=file://$(readlink -f "$2")${3:+#$3}
    if ! timeout -s KILL 120 chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$base/profile" --no-first-run \
        --disable-background-networking --disable-component-update --no-proxy-server --host-resolver-rules='MAP * ~NOTFOUND' \
        --enable-logging=stderr --window-size=1200,900 --timeout=60000 --dump-dom "$address" >"$base/dom" 2>"$base/log" </dev/null; then
        failed "$test" "chromium failed" "$base/log"
        return 1
    fi
    grep CONSOLE "$base/log" >"$base/console" || true
    if [ -s "$base/console" ]; then
        failed "$test/script" "the browser complains" "$base/console"
        return 1
    elif ! grep -q 'id="[a-z0-9]*-">' "$base/dom"; then
        failed "$test" "the document is empty" "$base/dom"
        return 1
    fi
}

# browse_with TEST FILE SCRIPT [FRAGMENT]: the same with a script at the page's end; what it puts into `said` is then $base/said.
browse_with() {
    sed '$d' "$2" >"$base/with.html"
    printf '<pre id="said"></pre><script>{let said="";%s;document.getElementById("said").textContent="said:"+said+":"}</script></html>\n' \
        "$3" >>"$base/with.html"
    browse "$1" "$base/with.html" "${4:-}" && sed -n 's/.*said:\(.*\):<\/pre>.*/\1/p' "$base/dom" >"$base/said"
}

plain() { # markup: cells with tabs before them, numbers without commas, a tree's cell behind its depth
    sed -e 's/<td[^>]*--d: *\([0-9]*\)[^>]*>/\t\1 /g' -e 's/<td/\t<td/g' -e 's/<[^>]*>//g' -e 's/^\t//; s/[ \t]*$//' \
        -e 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&nbsp;/ /g; s/&amp;/\&/g' -e ':again; s/\([0-9]\),\([0-9][0-9][0-9]\)/\1\2/; tagain'
}
table() { # ID [FILE]: its rows, without titles
    sed -n "/<table id=\"$1\"/,/<\/table>/p" "${2:-$base/dom}" | tr '\n' ' ' | sed 's/<tr/\n<tr/g' | grep '<td' | plain
}
same() { # TEST EXPECTED FOUND
    if [ ! -s "$2" ]; then
        failed "$1" "there is nothing to compare with"
    elif cmp -s "$2" "$3"; then
        passed "$1"
    else
        diff "$2" "$3" >"$base/difference" || true
        failed "$1" "the page says (>) what it should not (<)" "$base/difference"
    fi
}
is() { # TEST WHAT EXPECTED FOUND
    if [ "$3" = "$4" ]; then passed "$1"; else failed "$1" "$2 is '$4', not '$3'"; fi
}

# Each link leads to one place in the document, and nothing else is asked for.
check_links() { # TEST
    grep -o 'href="[^"]*"' "$base/dom" | sort -u | sed 's/^href="//; s/"$//' >"$base/links"
    grep -o ' id="[^"]*"' "$base/dom" | sed 's/^ id="/#/; s/"$//' | sort >"$base/places"
    comm -23 "$base/links" <(sort -u "$base/places") >"$base/lost"
    if [ ! -s "$base/links" ]; then
        failed "$1/links" "there are none"
    elif [ -s "$base/lost" ]; then
        failed "$1/links" "they lead nowhere" "$base/lost"
    elif [ -n "$(uniq -d "$base/places")" ]; then
        failed "$1/links" "a place is there twice: $(uniq -d "$base/places" | head -n 3)"
    else
        passed "$1/links"
    fi
    if grep -o -E '<[a-z]+ [^>]*(src|srcset|data|action|poster)="|@import|url\([^)]*\)|<link|<iframe|<object|https?://' "$base/dom" >"$base/asks"; then
        failed "$1/alone" "it asks for more" "$base/asks"
    else
        passed "$1/alone"
    fi
}

# The browser made no request for the page but that for the file.
check_requests() { # TEST PAGE
    browse_with "$1/requests" "$2" 'said=performance.getEntriesByType("resource").length+" "+document.fonts.size' || return 0
    is "$1/requests" "requests and fonts" "0 0" "$(cat "$base/said")"
}

# Each column sorts as `sort` does, by the address; a click on the title does the same, one more turns it round.
check_sorting() { # TEST PAGE TABLE COLUMN
    table "$3" "$2" | cut -f"$4" | sort -g -r >"$base/expected"
    browse "$1/sorted" "$2" "$3/$4" || return 0
    table "$3" | cut -f"$4" >"$base/found"
    same "$1/sorted" "$base/expected" "$base/found"
    is "$1/shown" "the column's mark" "$4" "$(sed -n "/<table id=\"$3\"/,/<\/thead>/p" "$base/dom" | tr '\n' ' ' | sed 's/<th/\n<th/g' |
        grep '<th ' | grep -n 'aria-sort="descending"' | cut -d: -f1)"
    cp "$base/dom" "$base/by_address"
    browse_with "$1/click" "$2" "document.querySelectorAll('#$3 thead th')[$4-1].click();said=location.hash" || return 0
    table "$3" "$base/by_address" >"$base/expected"
    table "$3" >"$base/found"
    same "$1/click" "$base/expected" "$base/found"
    is "$1/address" "the address" "#$3/$4" "$(cat "$base/said")"
    browse_with "$1/twice" "$2" "{const h=document.querySelectorAll('#$3 thead th')[$4-1];h.click();h.click()}" || return 0
    table "$3" | cut -f"$4" >"$base/found"
    table "$3" "$2" | cut -f"$4" | sort -g >"$base/expected"
    same "$1/twice" "$base/expected" "$base/found"
}

# Rows without the script are those with it.
check_plain() { # TEST PAGE TABLE
    sed 's/<script>/<script type="none">/' "$2" >"$base/plain.html"
    table "$3" >"$base/expected"
    browse "$1/plain" "$base/plain.html" || return 0
    table "$3" >"$base/found"
    same "$1/plain" "$base/expected" "$base/found"
}

# The example of the samples in a folder with a name that has to be escaped, a procedure too; with a line that is in two procedures
# and one that is not executed.
folder="$base/a <b> & \"c\""
mkdir "$folder" "$base/run"
sed -e 's/%d ways/%d <i>ways<\/i> \&amp;/' -e 's/^static int column_of.*/& static inline void put(int row, int column) { column_of[row] = column; }/' \
    -e 's/column_of\[row\] = column;$/put(row, column);/' \
    -e 's/^int main(void) {/int main(int argc, char **argv) {\n    put(argc - 1, argc);\n    if (argc > 1)\n        printf("%s never\\n", argv[1]);/' \
    docs/examples/queens.c >"$folder/queens.c"
alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax "$folder/queens.c" -o "$base/plain"
alpha-linux-gnu-objcopy --redefine-sym 'is_safe=set<int, "&amp;">::is_safe' "$base/plain" "$base/queens"

# run TOOL [OPTION...]: its results in $base/run.
run() {
    local tool=$1
    shift
    "$ATOMC" -t "$tool" -D html=true "$@" "$base/queens" -o "$base/run/queens.atom" >"$base/log" 2>&1 &&
        (cd "$base/run" && env -i "$qemu" -0 queens ./queens.atom >"$base/output" 2>&1) && [ -s "$base/run/$tool.html" ] && return 0
    cat "$base/output" >>"$base/log"
    failed "pages/$tool" "it writes no page" "$base/log"
    return 1
}
# The calls that procedures' sections show, once as callers', once as callees': caller, callee, times, what follows.
section_calls() { # FILE callers|callees
    tr '\n' ' ' <"$1" | sed 's/<section id="p/\n&/g' | sed -n '/^<section id="p/{s/<\/section>.*//;p}' |
        sed 's/<h3>/\nS\t/g; s/<\/h3>/\n/g; s/<th>Called by/\ncallers\n/g; s/<th>Calls/\ncallees\n/g; s/<tr>/\nR/g' | plain |
        awk -F'\t' -v wanted="$2" '$1 == "S" { name = $2 } /^call/ { side = $1 }
            $1 == "R" && side == wanted && $NF != "no caller" {
                print (side == "callers" ? $NF "\t" name : name "\t" $NF) "\t" $2 (NF > 3 ? "\t" $3 : "") }' | sort
}
# The source with the counts beside it: line, counts, text; only lines with counts.
source_rows() {
    sed -n '/<pre>/,/<\/pre>/p' "$base/dom" | grep '<span id="\{0,1\}f' | plain | sed 's/^ *//; s/  */ /g'
}

# The text of the source as the page shows it, behind counts of so many characters.
source_text() { # WIDTH
    sed -n '/<section id="f[0-9]*" class="source">/,/<\/section>/p' "$base/dom" | sed -n '/<pre>/,/<\/pre>/p' | sed 's/<[^>]*>//g' | sed '$d' |
        sed -e 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&nbsp;/ /g; s/&amp;/\&/g' | cut -c "$(($1 + 10))-"
}

# shellcheck source=tests/run/pages.lib
. tests/run/pages.lib
[ "$failures" = 0 ]
