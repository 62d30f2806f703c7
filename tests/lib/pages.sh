# pages.sh: for the case pages: tests/tools/pages.js opens pages that tools write in a browser. Requires:
# tests/lib/prelude.sh, chromium.
# shellcheck shell=bash disable=SC2154

# view FRAME PAGE[#FRAGMENT] [ACTION [WORD...]]: one page that the browser opens, and an action on the page.
view() {
    echo "<iframe name=\"$1\" src=\"$2\" onload=\"shown(this$([ $# = 2 ] || printf ", '%s'" "${@:3}"))\"></iframe>" >>views
}

# browse: all views, in one browser, which reaches no host. Their output is then in files FRAME.NAME: FRAME.said,
# FRAME.TABLE and so on.
browse() {
    { echo '<meta charset="utf-8"><body><script>' && cat "$tests/tools/pages.js" && echo '</script>' && cat views; } >views.html
    check browser "timeout -s KILL 1500 chromium --headless=new --no-sandbox --disable-gpu --user-data-dir='$scratch/profile' \
        --no-first-run --disable-background-networking --disable-component-update --no-proxy-server \
        --host-resolver-rules='MAP * ~NOTFOUND' --enable-logging=stderr --window-size=1200,900 --timeout=60000 \
        --allow-file-access-from-files --dump-dom 'file://$scratch/views.html' >dump 2>browser.log </dev/null" browser.log
    check no-complaint "! grep CONSOLE browser.log"
    sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' dump |
        awk '/^<\/?pre>/ { file = "" } /^@file / { file = $2; printf "" >file; next } file != "" { print >file }'
}

# Tests that all pages must pass. Each column is sorted as by `sort`, with the parameter in the address. A click on the
# title gives the same order, a second click the reverse. The rows without the script are the rows with the script.
view_all() { # PAGE COLUMN
    view "$1" "$1.out.html" requests
    sed 's/<script>/<script type="none">/' "$1.out.html" >"$1-plain.html"
    view "$1-plain" "$1-plain.html"
    view "$1-sorted" "$1.out.html#procedures/$2" sorted
    view "$1-click" "$1.out.html" click "$2"
    view "$1-twice" "$1.out.html" twice "$2"
}
check_all() { # PAGE COLUMN TABLE
    check "$1/links" "[ -e $1.wrong ] && [ ! -s $1.wrong ]" "$1.wrong"
    prints "$1/requests" cat "$1.said" <<<"0 0"
    same "$1/plain" "$1-plain.$3" "$1.$3"
    cut -f"$2" "$1-plain.procedures" | sort -g -r >expected
    cut -f"$2" "$1-sorted.procedures" >found
    same "$1/sorted" expected found
    prints "$1/shown" cat "$1-sorted.said" <<<"$2"
    same "$1/click" "$1-sorted.procedures" "$1-click.procedures"
    prints "$1/address" cat "$1-click.said" <<<"#procedures/$2"
    cut -f"$2" "$1-plain.procedures" | sort -g >expected
    cut -f"$2" "$1-twice.procedures" >found
    same "$1/twice" expected found
}
