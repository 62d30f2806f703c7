# install: make install into a scratch folder, and a run of the installed atomc.
install_into() { # PREFIX DESTDIR
    check "${2:+stage/}into" "MAKEFLAGS= make -s -C '$top' install BUILD='${BUILD#"$top/"}' PREFIX='$1' DESTDIR='$2'"
    # The installed files, with permission bits: in addition to the tools, the manual pages, completion, editor files
    # and all of docs/.
    {
        echo "755 ./bin/atomc"
        echo "755 ./lib/atomc/atomc-campaign"
        echo "755 ./lib/atomc/atomc-job"
        echo "755 ./lib/atomc/atomc-package"
        echo "755 ./lib/atomc/atomc-lsp"
        echo "755 ./lib/atomc/atomc-results"
        [ ! -x "$BUILD/atomc-workbench" ] || echo "755 ./lib/atomc/atomc-workbench"
        printf '644 ./lib/atomc/runtime/%s\n' runtime.o atom_analysis.o analysis digests
        [ ! -e "$BUILD/runtime/runtime-aarch64.o" ] || printf '644 ./lib/atomc/runtime/%s\n' runtime-aarch64.o analysis-aarch64
        find "$top/atom/include" -type f -printf '644 ./share/atomc/include/%P\n'
        find "$top/stdtools" -type f -printf '644 ./share/atomc/stdtools/%P\n'
        find "$top/packages/gallery" -type f -printf '%m ./share/atomc/gallery/%P\n' | sed 's/^755/644/'
        find "$top/docs/examples" -type f -printf '644 ./share/atomc/examples/%P\n'
        # Files that stock tools' C includes, beside stdtools.
        printf '644 ./share/atomc/%s\n' \
            plan/system_calls.def codegen/register_set.h codegen/alpha/fields.h codegen/alpha/registers.h
        printf '644 ./share/man/%s\n' man1/atomc.1 man5/atd.5 man7/atomc-tools.7
        printf '644 ./share/%s\n' bash-completion/completions/atomc zsh/vendor-completions/_atomc \
            fish/vendor_completions.d/atomc.fish
        find "$top/editors/vim" -type f -printf '644 ./share/vim/vimfiles/%P\n'
        find "$top/editors/vscode" -type f -printf '644 ./share/atomc/editors/vscode/%P\n'
        printf '644 ./share/doc/atomc/%s\n' README.md CHANGELOG.md LICENSE
        find "$top/docs" -type f -printf '644 ./share/doc/atomc/docs/%P\n'
    } | sort -k 2 >expected
    (cd "$2$1" && find . -type f -printf '%m %p\n' | sort -k 2) >found
    same "${2:+stage/}files" expected found
}
# The installed atomc finds its tools and its runtime beside itself, in any folder.
check_work() { # TEST ROOT
    ATOMC="$2/bin/atomc" instrument primes.atom -t prof primes
    rm -f prof.out
    prints "$1" qemu primes.atom <<<"168 primes"
    check "$1/report" "grep 'main$' prof.out"
    # These tools have C that reads facts from atomc.
    ATOMC="$2/bin/atomc" instrument primes.atom -t syscall -D time=true -t io -t trace -t third primes
    prints "$1/facts" qemu primes.atom <<<"168 primes"
    check "$1/calls" "grep '^exit_group' syscall.out"
    check "$1/list" "'$2/bin/atomc' --list | diff list -"
    check "$1/gallery" "'$2/bin/atomc' package list --gallery | grep '^calls '"
}

"$ATOMC" --list >list
alpha primes "$top/docs/examples/primes.c" -g
install_into /usr "$scratch/stage"
# A prefix has folders of other programs: /usr has include/.
mkdir -p stage/usr/{include,stdtools,gallery,docs/examples,bin/runtime,lib/gallery}
check_work staged stage/usr
mv stage/usr "moved to here"
check_work moved "moved to here"
install_into "$scratch/prefix" ''

# The documentation is run there as in a clone: the same examples, and README.md's commands.
. "$tests/lib/documents.sh"
"$ATOMC" examples from-clone >made
prefix/bin/atomc examples installed >made
check examples "diff -r from-clone installed"
(PATH=$scratch/prefix/bin:$PATH && page_prints "$top/README.md" installed) >wrong 2>&1
check README.md "[ -e steps/3.command ] && [ ! -s wrong ]" wrong

# The manual pages have these sections, and all options, attributes and tools; groff reads them without a warning.
pages=prefix/share/man
sed 's/\\f.//g; s/\\-/-/g' $pages/man?/* >plain
{
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' ENVIRONMENT FILES 'SEE ALSO'; do
        grep -q -x ".SH \"\?$section\"\?" $pages/man1/atomc.1 || echo "section $section"
    done
    for page in man1/atomc.1 man5/atd.5 man7/atomc-tools.7; do
        grep -q -x '\.SH EXAMPLES' $pages/$page || echo "examples in $page"
    done
    ! grep -n -x '[0-9-]*\(; [0-9-]*\)*' $pages/man7/atomc-tools.7 || echo "columns of bare numbers"
    for word in $("$ATOMC" --help=options | awk -F '\t' '$2 == "atomc" || $2 == "run"' | grep -o -e '--[a-z-]*' | sort -u) \
        $("$ATOMC" info attributes | awk 'NR > 1 { print $2 }'); do
        grep -q -F -e "$word" plain || echo "$word"
    done
    for tool in $(cut -d ' ' -f 1 list); do
        grep -q -x "\.SS \"$tool\"" $pages/man7/atomc-tools.7 || echo "tool $tool"
    done
} >missing
check manual "[ ! -s missing ]" missing
if command -v groff >log; then
    check manual-typeset \
        "for page in $pages/man?/*; do groff -man -Tascii -ww \$page 2>>log.typeset >/dev/null; done; [ ! -s log.typeset ]" \
        log.typeset
else
    skipped manual-typeset "groff is not installed"
fi

# Completion, by the functions that the shells call.
PATH=$scratch/prefix/bin:$PATH
cat >complete <<'END'
. prefix/share/bash-completion/completions/atomc
compopt() { :; }
while IFS= read -r COMP_LINE; do
    COMP_POINT=${#COMP_LINE}
    read -r -a COMP_WORDS <<<"$COMP_LINE"
    case $COMP_LINE in *' ') COMP_WORDS+=('') ;; esac
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _atomc
    echo "$COMP_LINE| ${COMPREPLY[*]}"
done
END
cat >asked <<'END'
atomc -t ca
atomc --cal
atomc --call=
atomc -t dtb -D p
atomc info cl
atomc me
atomc merge --fo
atomc campaign pl
END
bash complete <asked >found 2>&1
cat >expected <<'END'
atomc -t ca| cache callgraph
atomc --cal| --call=
atomc --call=| wrapper direct inline
atomc -t dtb -D p| pages= page= procedures=
atomc info cl| classes
atomc me| merge
atomc merge --fo| --force --format=
atomc campaign pl| plan
END
same completion/bash expected found
if command -v fish >log; then
    check completion/fish \
        "fish -c 'source prefix/share/fish/vendor_completions.d/atomc.fish; complete -C \"atomc -t ca\"' | grep -q ^cache"
else
    skipped completion/fish "fish is not installed"
fi
if command -v zsh >log; then
    check completion/zsh-syntax "zsh -n prefix/share/zsh/vendor-completions/_atomc"
    # The words that are offered, before the typed text selects among them: the arguments of zsh's own functions.
    cat >complete.zsh <<'END'
compadd() { shift ${@[(i)--]}; print -n -r -- " $*" }
_files() { print -n -r -- ' FILES' }
_describe() { print -n -r -- " ${(P)@[-1]}" }
_arguments() { print -n -r -- " ${(M)@:#*$words[CURRENT]*}" }
compset() { }
while IFS= read -r line; do
    words=(${(s: :)line}) CURRENT=$#words
    print -n -r -- "$line|"
    source prefix/share/zsh/vendor-completions/_atomc
    print
done
END
    cat >asked <<'END'
atomc merge --b
atomc diff --format=
atomc export x
atomc campaign pl
atomc package tr
atomc info cl
atomc run --follow
atomc collect --j
END
    zsh -f complete.zsh <asked 2>&1 | sed 's/  */ /g; s/\[.*//' >found
    cat >expected <<'END'
atomc merge --b| --by= --format= --output= --force
atomc diff --format=| FILES
atomc export x| FILES
atomc campaign pl| check collect columns plan resume run status stop table FILES
atomc package tr| add list make remove trust FILES
atomc info cl| places attributes values classes passes
atomc run --follow| *--follow
atomc collect --j| --json
END
    same completion/zsh expected found
else
    skipped completion/zsh "zsh is not installed"
fi

# make uninstall removes all of it, and no other file.
mkdir -p prefix/share/man/man1
touch prefix/share/man/man1/other.1
check uninstall "MAKEFLAGS= make -s -C '$top' uninstall BUILD='${BUILD#"$top/"}' PREFIX='$scratch/prefix'"
find prefix -type f -printf '%P\n' >found
echo share/man/man1/other.1 >expected
same uninstalled expected found
check uninstalled/folders "[ ! -e prefix/share/atomc ] && [ ! -e prefix/lib/atomc ] && [ ! -e prefix/share/doc/atomc ]"
