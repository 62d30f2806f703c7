# install: make install into a scratch folder, and the installed atomc at work from there.
install_into() { # PREFIX DESTDIR
    check "${2:+stage/}into" "MAKEFLAGS= make -s -C '$top' install BUILD='${BUILD#"$top/"}' PREFIX='$1' DESTDIR='$2'"
    # What is installed, with permission bits, beside the tools.
    {
        echo "755 ./bin/atomc"
        printf '644 ./lib/atomc/runtime/%s.o\n' runtime atom_analysis
        find "$top/include" -type f -printf '644 ./share/atomc/include/%P\n'
        find "$top/stdtools" -type f -printf '644 ./share/atomc/stdtools/%P\n'
        # What stock tools' C reads beside stdtools.
        printf '644 ./share/atomc/%s\n' plan/system_calls.def codegen/fields.h codegen/registers.h
        echo "644 ./share/man/man1/atomc.1"
    } | sort -k 2 >expected
    (cd "$2$1" && find . -type f -printf '%m %p\n' | sort -k 2) >found
    same "${2:+stage/}files" expected found
}
# The installed atomc finds its tools and its runtime beside itself, wherever it was moved to.
check_work() { # TEST ROOT
    ATOMC="$2/bin/atomc" instrument primes.atom -t prof primes
    rm -f prof.out
    prints "$1" qemu primes.atom <<<"168 primes"
    check "$1/report" "grep 'main$' prof.out"
    # These have C that reads facts of atomc's own.
    ATOMC="$2/bin/atomc" instrument primes.atom -t syscall -D time=true -t io -t trace -t third primes
    prints "$1/facts" qemu primes.atom <<<"168 primes"
    check "$1/calls" "grep '^exit_group' syscall.out"
    check "$1/list" "'$2/bin/atomc' --list | diff list -"
}

"$ATOMC" --list >list
alpha primes "$top/docs/examples/primes.c" -g
install_into /usr "$scratch/stage"
check_work staged stage/usr
mv stage/usr "moved to here"
check_work moved "moved to here"
install_into "$scratch/prefix" ''

# The manual has these sections, and every option that --help names.
manual=prefix/share/man/man1/atomc.1
sed 's/\\//g; s/^\.[A-Z]* //; s/[", ]//g' $manual >plain
{
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' FILES EXAMPLES 'SEE ALSO'; do
        grep -q -x ".SH $section" $manual || echo "section $section"
    done
    for option in $("$ATOMC" --help | grep -o -e '--[a-z-]*' | sort -u); do
        grep -q -e "$option" plain || echo "$option"
    done
} >missing
check manual "[ ! -s missing ]" missing
if command -v groff >log; then
    check manual-typeset "groff -man -Tascii -ww $manual 2>log >typeset && [ ! -s log ]" log
else
    skipped manual-typeset "groff is not installed"
fi
