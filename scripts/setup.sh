#!/bin/bash
# setup.sh: installs the Debian packages that atomc's build and tests need and that are missing, saying what for.
# Requires: Debian 12, and root or sudo to install; with ATOMC_NO_INSTALL=1 it only says which command to run.
set -eu

# package: what for
packages='
gcc: C compiler for atomc itself
g++: C++ compiler for the thin layer over LLVM MC
libc6-dev: C library headers
make: runs the build
flex: generates the scanner of .atd files
bison: generates the parser of .atd files
libelf-dev: reads and writes ELF files
libdw-dev: reads DWARF: prototypes of analysis routines, source lines
llvm-19: llvm-tblgen, which makes the Alpha tables
llvm-19-dev: the MC library that Alpha.td is compiled for
gcc-alpha-linux-gnu: cross compiler for analysis routines and test programs
libc6.1-dev-alpha-cross: the C library for Alpha
qemu-user: qemu-alpha, which runs Alpha programs
g++-alpha-linux-gnu: test programs in C++
gfortran-alpha-linux-gnu: test programs in Fortran
gnat-12-alpha-linux-gnu: test programs in Ada
gccgo-12-alpha-linux-gnu: test programs in Go
gm2-12-alpha-linux-gnu: test programs in Modula-2
libcmocka-dev: unit tests
dpkg-dev: unpacks the Debian sources of test programs
valgrind: callgrind_annotate and cg_annotate, which must read what the tools write
lcov: lcov and genhtml, which must read what the tool coverage writes
chromium: a browser, in which the pages that tools write are tested
tcl: makes the one-file source of the sqlite3 test program
'

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null | cut -c1-2)" = ii ]
}

missing=
while IFS=: read -r package purpose; do
    if [ -n "$package" ] && ! is_installed "$package"; then
        missing="$missing $package"
        printf '%-26s%s\n' "$package" "$purpose"
    fi
done <<END
$packages
END
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=sudo
else
    as_root=none
fi
if [ -n "${ATOMC_NO_INSTALL:-}" ] || [ "$as_root" = none ]; then
    echo "The packages above are missing. As root, run:"
    echo "    apt-get update && apt-get install -y --no-install-recommends$missing"
    exit 1
fi
echo "Installing the packages above."
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get -q update
# shellcheck disable=SC2086 # one word per package
$as_root apt-get -q install -y --no-install-recommends $missing
