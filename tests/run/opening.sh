# opening: commands that only examine a tool, `atomc --check` and the language server, do not execute its code. C that
# runs inside of atomc needs permission in all cases: for a file, a folder, a package; a package that is not trusted
# does not run by its path either.
alpha program "$tests/data/looks.c" -g
export XDG_DATA_HOME=$PWD/data
mkdir folder && cp "$tests"/opening/* folder && cd folder

ran() { [ -e RAN ] && rm RAN; }
looks() { # TEST WORD...: it succeeds, and executes nothing
    local test=$1
    shift
    status=0
    "$ATOMC" "$@" >../log 2>&1 </dev/null || status=$?
    check "looks/$test" "[ $status = 0 ] && ! ran" ../log
}
looks check --check page.atd
looks check-json --check --json page.atd
looks dump --dump=plan page.atd
looks header --header page.atd
looks stub --stub page.atd
looks help --help page.atd
looks help-json --help --json page.atd
looks instrumentation --check whole.inst.c
sed 's/stalls(Block)/stalls(Block, int)/' page.atd >other.atd
check looks/prototypes "! '$ATOMC' --check other.atd 2>../log && grep -q stalls ../log && ! ran" ../log

# A precompiled header is loaded into the compiler: a file beside a source that is no text is not used. So the compiled
# C is the C that the user reads. (Here it would only have another number.)
for compiler in gcc alpha-linux-gnu-gcc; do
    mkdir "$compiler" && echo 'enum { NUMBER = 1 };' >"$compiler/number.h"
    if [ $compiler = gcc ]; then
        echo 'use int number(Block) from "number.inst.c"' >"$compiler/number.atd"
        cat >"$compiler/number.inst.c" <<'END'
#include "number.h"
#include <cmplrs/atom.inst.h>
int number(Block *block) { return NUMBER; }
char check[NUMBER == 2 ? 1 : -1];
END
        set -- -std=gnu89 -g -O1 -fPIC -w -fno-optimize-sibling-calls -fno-omit-frame-pointer
    else
        echo 'analysis "number.c"' >"$compiler/number.atd"
        printf '#include "number.h"\nint number(void) { return NUMBER; }\nchar check[NUMBER == 2 ? 1 : -1];\n' \
            >"$compiler/number.c"
        set -- -std=gnu11 -O2 -g -fno-stack-protector -fno-optimize-sibling-calls
    fi
    sed -i '1i tool number "a number"' "$compiler/number.atd"
    "$compiler" "$@" "$compiler/number.h" -o "$compiler/number.h.gch"
    echo 'enum { NUMBER = 2 };' >"$compiler/number.h"
    check "looks/precompiled-$compiler" "'$ATOMC' --check $compiler/number.atd" ../log
done

# ---- an editor -------------------------------------------------------------------------------------------------------------
send() { printf 'Content-Length: %d\r\n\r\n%s' "${#1}" "$1"; }
mkfifo ../to
"${ATOMC%/*}/atomc-lsp" lsp <../to >../said 2>../log &
server=$!
exec 9>../to
{
    send '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
    send '{"jsonrpc":"2.0","method":"initialized","params":{}}'
    send "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":\"file://$PWD/page.atd\",\"languageId\":\"atd\",\"version\":1,\"text\":$(jq -Rs . <page.atd)}}}"
} >&9
until grep -a -q publishDiagnostics ../said || ! kill -0 $server 2>../log; do sleep 0.1; done
exec 9>&-
wait $server || true
check editor "grep -a -q '\"diagnostics\": *\\[\\]' ../said && ! ran" ../said

# ---- where it would run --------------------------------------------------------------------------------------------------
refuses() { # TEST TEXT WORD...: it fails with the text, and executes nothing
    local test=$1
    text=$2
    shift 2
    status=0
    "$ATOMC" "$@" >../log 2>&1 || status=$?
    check "refuses/$test" "[ $status != 0 ] && grep -q -F -e \"\$text\" ../log && ! ran && [ ! -e ../out ]" ../log
}
runs() { # TEST WORD...: C that the user has allowed is run
    local test=$1
    shift
    status=0
    "$ATOMC" "$@" >../log 2>&1 || status=$?
    check "runs/$test" "[ $status = 0 ] && ran" ../log
    rm -f ../out
}
untrusted="atomc package trust ./x.inst.c, or its folder; or --trust"
refuses page "$untrusted" page.atd ../program -o ../out
refuses check "$untrusted" --check page.atd ../program
refuses dump "$untrusted" --dump=sites page.atd ../program
refuses run "$untrusted" run page.atd -- ../program
refuses follow "$untrusted" run --follow page.atd -- ../program exit 0
refuses text "$PWD/x.inst.c runs inside of atomc" -e \
    "use int stalls(Block) from \"$PWD/x.inst.c\" counter n for b in blocks { before b n += stalls(b) }" ../program -o ../out
jq -n --arg page "$PWD/page.atd" '{program: {path: "../program"}, tools: [{path: $page}], arguments: ["exit", "0"]}' >job.json
check refuses/job "! '$ATOMC' run --job=job.json --into=result 2>../log &&
    grep -rq '\"id\": \"CODE_NOT_TRUSTED\"' result && ! ran" ../log
rm -rf result && jq '.options = ["--trust"]' job.json >trusting.json
refuses job-option options run --job=trusting.json --into=result
rm -rf result
runs option --trust page.atd ../program -o ../out
runs option-run run --trust page.atd -- ../program exit 0
runs named ../program whole.inst.c -o ../out # the request has its name

"$ATOMC" package trust ./x.inst.c
runs file page.atd ../program -o ../out
rm ../data/atomc/trusted
cp x.inst.c z.inst.c && sed 's/x.inst/z.inst/' page.atd >z.atd
"$ATOMC" package trust ./x.inst.c
refuses other-file ./z.inst.c z.atd ../program -o ../out
rm ../data/atomc/trusted
"$ATOMC" package trust .
runs folder page.atd ../program -o ../out
ln -s "$PWD" ../elsewhere
runs folder-link ../elsewhere/page.atd ../program -o ../out
mkdir inner && cp page.atd x.inst.c inner
runs folder-below inner/page.atd ../program -o ../out

# A package in a trusted folder needs its own permission, in its present state; so do added packages, regardless of the
# name used.
echo '{"name":"h","version":"1.0","description":"x","tools":["page.atd"]}' >inner/package.json
refuses inner "the package 'inner' runs C inside of atomc" inner/page.atd ../program -o ../out
"$ATOMC" package trust ./inner
runs inner inner/page.atd ../program -o ../out
echo '{"name":"node","version":"1.0"}' >package.json
runs other-json page.atd ../program -o ../out
rm package.json ../data/atomc/trusted
"$ATOMC" package add inner >../added
check added "grep -q 'atomc package trust h' ../added"
put=$PWD/../data/atomc/packages/h
refuses package-name "if you trust it: atomc package trust h" -t h/page ../program -o ../out
refuses package-path "if you trust it: atomc package trust h" "$put/page.atd" ../program -o ../out
cp page.atd copied.atd && sed -i "s|x.inst.c|$put/x.inst.c|" copied.atd
refuses package-code "if you trust it: atomc package trust h" copied.atd ../program -o ../out
cp whole.inst.c "$put"
refuses package-named "if you trust it: atomc package trust h" ../program "$put/whole.inst.c" -o ../out
rm "$put/whole.inst.c"
"$ATOMC" package trust "$PWD/.."
refuses package-above "if you trust it: atomc package trust h" "$put/page.atd" ../program -o ../out
"$ATOMC" package trust h
runs package-name -t h/page ../program -o ../out
runs package-path "$put/page.atd" ../program -o ../out
echo >>"$put/x.inst.c"
refuses package-changed "if you trust it: atomc package trust h" "$put/page.atd" ../program -o ../out

# In a package, for all names of the file.
rm "$put"/* && sed 's/x.inst.c/x.c/' page.atd >"$put/page.atd" && cp x.inst.c "$put/x.c" && cp inner/package.json "$put"
check package-says "'$ATOMC' package list --json |
    jq -e '.packages[] | select(.name == \"h\") | .runs_host_code and (.trusted | not)'"
refuses package-any-name "if you trust it: atomc package trust h" -t h/page ../program -o ../out

# A list that another user can have written is ignored.
if [ "$(id -u)" = 0 ]; then
    chown 1 ../data/atomc/trusted
    refuses others-list "$untrusted" page.atd ../program -o ../out
    chown 0 ../data/atomc/trusted && "$ATOMC" package trust . && chown 1 x.inst.c
    refuses others-file "$untrusted" page.atd ../program -o ../out
else
    skipped others "the test is not root"
fi
