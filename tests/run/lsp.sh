# lsp: the language server, in a conversation with Neovim; requests before initialization, about documents that do not
# exist, and about every word of the stock tools' pages, complete and cut off; invalid messages; its diagnostics equal
# those of --check, and arrive in time.
server=$BUILD/atomc-lsp
[ ! -x "${BUILD_CHECKED:-none}/atomc-lsp" ] || server=$BUILD_CHECKED/atomc-lsp
send() { # TEXT: a message. In the C locale the length is in bytes; a process for each message would be most of this case.
    printf 'Content-Length: %d\r\n\r\n%s' ${#1} "$1"
}
request() { # NUMBER METHOD PARAMETERS
    send "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"$2\",\"params\":$3}"
}
notify() { # METHOD PARAMETERS
    send "{\"jsonrpc\":\"2.0\",\"method\":\"$1\",\"params\":$2}"
}
open_page() { # FILE
    notify textDocument/didOpen \
        "{\"textDocument\":{\"uri\":\"file://$PWD/$1\",\"languageId\":\"atd\",\"version\":1,\"text\":$(jq -Rs . <"$1")}}"
}
answers() { # messages of the server, one in each line
    awk 'BEGIN { RS = "Content-Length: [0-9]*\r\n\r\n" } NF { sub(/\n$/, ""); print }'
}
until_said() { # FILE [TIMES]: waits until the server has published diagnostics of that file
    while :; do [ "$(grep -a -o "/$1\"" said | wc -l)" -lt "${2:-1}" ] || break; sleep 0.05; done
}

# ---- an editor -------------------------------------------------------------------------------------------------------
cp "$top"/tests/lsp/* .
if command -v nvim >/dev/null; then
    PATH=$(dirname "$ATOMC"):$PATH HOME=$PWD timeout 1500 nvim --headless -u NONE --cmd \
        "set rtp+=$top/editors/vim" -c 'luafile session.lua' \
        </dev/null >session.out 2>session.err || true
    [ -z "${UPDATE:-}" ] || cp session.out "$top/tests/lsp/session.expected"
    check editor "diff '$top/tests/lsp/session.expected' session.out" session.err
else
    skipped editor "there is no nvim"
fi

# ---- the protocol ----------------------------------------------------------------------------------------------------
{
    request 1 textDocument/hover '{}'
    request 2 initialize '{"capabilities":{"general":{"positionEncodings":["utf-8","utf-16"]}}}'
    request 3 textDocument/hover '{"textDocument":{"uri":"file:///not/open"}}'
    request 4 textDocument/unheard '{}'
    send '[]'
    send 'no JSON'
    printf 'Content-Length: x\r\n\r\n'
    request '"text"' shutdown null
    request 6 textDocument/hover '{}'
    notify exit null
} >messages
"$server" lsp --stdio <messages >found || echo "status $?" >>found
answers <found | jq -c '[.id, .error.code, .result.capabilities.positionEncoding]' >answers
cat >expected <<'END'
[1,-32002,null]
[2,null,"utf-8"]
[3,-32602,null]
[4,-32601,null]
[null,-32700,null]
[null,-32700,null]
[null,-32700,null]
["text",null,null]
[6,-32600,null]
END
check protocol 'diff expected answers'
"$server" lsp --loud </dev/null >/dev/null 2>err && status=0 || status=$?
check word "[ $status = 1 ] && grep -q 'no option .--loud' err" err
head -c 300 messages | "$server" >/dev/null 2>err && status=0 || status=$?
check cut "[ $status = 1 ] && [ ! -s err ]" err

# A number has no attributes; of an expression whose type is unknown, all are offered.
printf 'for i in insts where i.pc. and i.reads(sp). and nothing. > 0 { }\n' >typed.atd
{
    request 1 initialize '{}'
    open_page typed.atd
    for column in 26 43 56; do
        request 2 textDocument/completion \
            "{\"textDocument\":{\"uri\":\"file://$PWD/typed.atd\"},\"position\":{\"line\":0,\"character\":$column}}"
    done
    request 3 shutdown null
    notify exit null
} | "$server" | answers | jq -r 'select(.id == 2) | .result.items | if length > 150 then "all" else length end' >found
check typed "[ \"\$(tr '\n' ' ' <found)\" = '0 0 all ' ]" found

# ---- diagnostics: those of --check, for a page and for its included files ---------------------------------------------
: >said
printf 'counter shared[prox]\n' >part.inc
printf 'include "part.inc"\ntool t\nset s = procz p where 1\n' >whole.atd
{
    request 1 initialize '{}'
    open_page whole.atd
    until_said part.inc
    until_said whole.atd
    request 2 shutdown null
    notify exit null
} | "$server" | tee said | answers |
    jq -r 'select(.method and (.params.diagnostics | length > 0)) | .params | (.uri | sub(".*/"; "")) as $file
    | .diagnostics[] | "\($file):\(.range.start.line + 1):\(.range.start.character + 1): \(.message | sub("\n.*"; ""))"' |
        sort >found
cat >expected <<'END'
part.inc:1:16: no set is called 'prox'
whole.atd:1:1: part.inc:1: no set is called 'prox'
whole.atd:3:9: no set is called 'procz'
END
"$ATOMC" --check whole.atd 2>&1 | sed -n 's/: error//p' | sort >printed || true
sed -i "s|$PWD/||" found
check diagnostics 'diff expected found' printed

# An error of an included file that is mended is taken back.
: >said
printf 'counter shared[prox]\n' >part.inc
{
    request 1 initialize '{}'
    open_page whole.atd
    until_said part.inc
    printf 'counter shared[procs]\n' >part.inc
    notify textDocument/didSave '{}'
    until_said part.inc 2
    request 2 shutdown null
    notify exit null
} | "$server" | tee said | answers |
    jq -r 'select(.method) | .params | select(.uri | endswith("part.inc")) | .diagnostics | length' >found
check mended "[ \"\$(tr '\n' ' ' <found)\" = '1 0 ' ]" found

# ---- how soon: from a change to its diagnostics, the quickest of five; 150 ms without C, 300 ms with C that was compiled before 
cp "$top/stdtools"/*.[ch] "$top/stdtools"/*.inc .
change() { # FILE VERSION
    notify textDocument/didChange \
        "{\"textDocument\":{\"uri\":\"file://$PWD/$1\",\"version\":$2},\"contentChanges\":[{\"text\":$(jq -Rs . <"$1")}]}"
}
# until_published VERSION: reads messages until the diagnostics of that version arrive.
until_published() {
    local header blank body
    while IFS= read -r -t 30 -u 6 header && IFS= read -r -t 30 -u 6 blank; do
        header=${header%?}
        LC_ALL=C IFS= read -r -t 30 -N "${header##* }" -u 6 body
        case $body in *'"version":'"$1"[,}]*) return 0 ;; esac
    done
    return 1
}
quickest() { # FILE: milliseconds
    local version begun took least=999999 process
    rm -f in out
    mkfifo in out
    "$server" <in >out &
    process=$!
    exec 5>in 6<out
    { request 1 initialize '{}' && open_page "$1"; } >&5
    until_published 1
    for version in 2 3 4 5 6; do
        change "$1" $version >message
        begun=$(date +%s%N)
        cat message >&5
        until_published $version || break
        took=$((($(date +%s%N) - begun) / 1000000))
        [ $took -ge $least ] || least=$took
    done
    { request 2 shutdown null && notify exit null; } >&5
    exec 5>&- 6<&-
    wait "$process" || true
    echo "$least"
}
cp "$top/stdtools/branch.atd" "$top/stdtools/cache.atd" .
without=$(quickest branch.atd) with=$(quickest cache.atd)
echo "# diagnostics after a change: $without ms without C, $with ms with C that was compiled before"
check latency "[ $without -lt 999999 ] && [ $with -lt 999999 ]"

# ---- every word of the stock tools, whole and cut off: answers, and no crash -------------------------------------------
ask_all() { # FILE: requests at every ninth character
    awk '{ for (i = 1; i <= length($0); i += 9) print NR - 1, i }' "$1" | while read -r line character; do
        for method in completion hover definition; do
            request 7 textDocument/$method \
                "{\"textDocument\":{\"uri\":\"file://$PWD/$1\"},\"position\":{\"line\":$line,\"character\":$character}}"
        done
    done
}
for tool in $(pick "third pipe" "$(cd "$top/stdtools" && ls ./*.atd | sed 's|./||; s/\.atd//')"); do
    cp "$top/stdtools/$tool.atd" whole.atd
    head -c $(($(wc -c <whole.atd) * 2 / 3)) whole.atd >cut.atd
    {
        request 1 initialize '{}'
        for page in whole cut; do
            open_page $page.atd
            ask_all $page.atd
        done
        request 2 shutdown null
        notify exit null
    } >messages
    "$server" <messages >found 2>err && status=0 || status=$?
    check "words/$tool" "[ $status = 0 ] && [ ! -s err ] && [ \$(grep -c '\"id\":7' found) -gt 100 ] &&
        [ \$(answers <found | grep -c '\"id\":7') = \$(grep -o '\"id\":7,' messages | wc -l) ]" err
done
