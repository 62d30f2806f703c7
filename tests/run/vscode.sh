# vscode: the extension of VS Code: the contents of the .vsix, and its client library's conversation with atomc lsp,
# without VS Code.
vsix=$top/build/vscode/atd.vsix
if ! command -v npm >log || ! command -v node >log; then
    skipped extension "npm is not installed: scripts/setup.sh workbench"
    return
fi
check made "MAKEFLAGS= make -s -C '$top' build/vscode/atd.vsix"
modules=$(echo "$top"/build/vscode/npm-*)
lock=$top/editors/vscode/package-lock.json
check lock "! grep -q -e resolved -e '://[^\"]*npm' '$lock' && [ \$(grep -c integrity '$lock') -gt 100 ]"
status=0
timeout -s KILL 1500 node "$tests/editors/vscode.mjs" "$vsix" "${modules##* }" "$ATOMC" >found 2>&1 || status=$?
cat found
failures=$((failures + $(grep -c '^not ok' found || true)))
check ended "[ $status = 0 ] && grep -q '^# end' found" found
