#!/bin/bash
# deb.sh BUILD RUNTIME...: builds the Debian packages atomc and atomc-doc in BUILD/deb, from the list of installed.sh.
# Requires a build with manual pages and completion (`make deb` makes them), and dpkg-dev.
set -eu
cd "$(dirname "$0")/.."
build=$1
version=$("$build/atomc" --version | cut -d ' ' -f 2)
architecture=$(dpkg --print-architecture)
# The maintainer, as Debian's own tools set it; otherwise the author of the last commit.
maintainer="${DEBFULLNAME:-$(git log -1 --format=%an 2>/dev/null || echo atomc)} <${DEBEMAIL:-$(git log -1 --format=%ae 2>/dev/null || echo root@localhost)}>"
date=$(git log -1 --format=%cD 2>/dev/null || date -R -u -r CHANGELOG.md)
work=$build/deb/work
rm -rf "$build/deb"
mkdir -p "$work/atomc" "$work/atomc-doc"

while read -r mode file path; do
    package=atomc
    case $path in share/doc/atomc/*) package=atomc-doc path=share/doc/atomc-doc/${path#share/doc/atomc/} ;; esac
    case $path in */LICENSE) continue ;; esac # in copyright
    install -D -m "$mode" "$file" "$work/$package/usr/$path"
done < <(scripts/installed.sh "$@")
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$work"/atomc/usr/bin/atomc "$work"/atomc/usr/lib/atomc/atomc-*
gzip -9n "$work"/atomc/usr/share/man/man?/*
install -d "$work/atomc/usr/share/lintian/overrides"
cat >"$work/atomc/usr/share/lintian/overrides/atomc" <<'END'
# Code that is linked into instrumented programs is for Alpha.
atomc: binary-from-other-architecture [usr/lib/atomc/runtime/*]
atomc: statically-linked-binary [usr/lib/atomc/runtime/*]
atomc: unstripped-binary-or-object [usr/lib/atomc/runtime/*]
END

# The libraries that it needs, from its own ELF header.
mkdir -p "$work/source/debian"
printf 'Source: atomc\n\nPackage: atomc\nArchitecture: any\n' >"$work/source/debian/control"
executables=
for executable in usr/bin/atomc $(cd "$work/atomc" && ls usr/lib/atomc/atomc-*); do
    executables="$executables -e$(realpath "$work/atomc/$executable")"
done
# shellcheck disable=SC2086 # one word for each
libraries=$(cd "$work/source" && dpkg-shlibdeps -O $executables 2>/dev/null | sed -n 's/^shlibs:Depends=//p')

finish() { # PACKAGE ARCHITECTURE SECTION: control is standard input; copyright, changelog, sums, the file
    local root=$work/$1 doc=$work/$1/usr/share/doc/$1
    mkdir -p "$root/DEBIAN" "$doc"
    {
        echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
        printf '\nFiles: *\nCopyright: %s\nLicense: Expat\n' "$(sed -n 's/^Copyright *//p' LICENSE)"
        sed -n '/^Permission/,$p' LICENSE | sed 's/^$/./; s/^/ /'
    } >"$doc/copyright"
    printf 'atomc (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md in atomc-doc.\n\n -- %s  %s\n' "$version" "$maintainer" "$date" |
        gzip -9n >"$doc/changelog.gz"
    {
        printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: %s\nSection: %s\nPriority: optional\n' "$1" "$version" "$2" "$maintainer" "$3"
        echo "Installed-Size: $(du -k -s --exclude=DEBIAN "$root" | cut -f 1)"
        cat
    } >"$root/DEBIAN/control"
    (cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
    find "$root" -type d -exec chmod 755 {} +
    find "$root/usr" -type f ! -path '*/bin/*' ! -path '*/lib/atomc/atomc-*' -exec chmod 644 {} +
    dpkg-deb --root-owner-group --build "$root" "$build/deb/$1_${version}_$2.deb" >/dev/null
}
finish atomc "$architecture" devel <<END
Depends: $libraries
Recommends: gcc-alpha-linux-gnu, libc6.1-dev-alpha-cross, qemu-user
Suggests: atomc-doc, bubblewrap
Description: instrument Alpha/Linux programs by declarative descriptions
 atomc compiles a page of text, which says where to instrument a program, what
 to count or pass and what to report, and applies it to an executable. The
 result behaves as the program did and writes the analysis as a side effect.
 .
 Thirty tools are included: profilers, simulators of caches, coverage, call
 graphs, a memory checker. Tools written for DEC's ATOM compile unchanged.
END
finish atomc-doc all doc <<END
Suggests: atomc
Description: manual and examples of atomc
 The manual of atomc, which instruments Alpha/Linux programs by declarative
 descriptions: a tutorial, a cookbook, the language, the stock tools, how it
 works inside, and the examples of all pages.
END
rm -rf "$work"
ls "$build/deb"
