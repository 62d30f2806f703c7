#!/bin/sh
# installed.sh BUILD RUNTIME...: the list of installed files: lines of mode, file, and path under the prefix. `make
# install`, `make uninstall` and `make deb` use this list. Requires a build, and the files that scripts/man.sh and
# completion.sh have written to BUILD/share.
set -eu
build=$1
shift
put() { # MODE FOLDER FILE...
    mode=$1 folder=$2
    shift 2
    for file; do
        echo "$mode $file $folder/${file##*/}"
    done
}
tree() { # FOLDER TARGET: all files in it
    find "$1" -type f | LC_ALL=C sort | while read -r file; do
        echo "644 $file $2/${file#"$1/"}"
    done
}
put 755 bin "$build/atomc"
put 755 lib/atomc "$build/atomc-results" "$build/atomc-job" "$build/atomc-package" "$build/atomc-campaign" "$build/atomc-lsp"
# Built separately: make workbench.
[ ! -x "$build/atomc-workbench" ] || put 755 lib/atomc "$build/atomc-workbench"
put 644 lib/atomc/runtime "$@"
put 644 share/atomc/stdtools stdtools/*
tree packages/gallery share/atomc/gallery
# For atomc examples.
tree docs/examples share/atomc/examples
# The headers that the C of stock tools includes.
put 644 share/atomc/plan plan/system_calls.def
put 644 share/atomc/codegen codegen/register_set.h
put 644 share/atomc/codegen/alpha codegen/alpha/fields.h codegen/alpha/registers.h
tree atom/include share/atomc/include
put 644 share/man/man1 "$build/share/man/atomc.1"
put 644 share/man/man5 "$build/share/man/atd.5"
put 644 share/man/man7 "$build/share/man/atomc-tools.7"
echo "644 $build/share/completion/bash share/bash-completion/completions/atomc"
echo "644 $build/share/completion/zsh share/zsh/vendor-completions/_atomc"
echo "644 $build/share/completion/fish share/fish/vendor_completions.d/atomc.fish"
tree editors/vim share/vim/vimfiles
tree editors/vscode share/atomc/editors/vscode
put 644 share/doc/atomc README.md CHANGELOG.md LICENSE
tree docs share/doc/atomc/docs
