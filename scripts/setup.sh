#!/bin/bash
# setup.sh [SIZE]: installs the Debian packages that are missing, saying what each is for. SIZE is build (what `make try` needs), quick
# (for make check-quick too), workbench (for make workbench: build and more), check, the default, or all (for make check-all too).
# Requires: Debian 12, and root or sudo to install; with ATOMC_NO_INSTALL=1 it only says which command to run.
set -eu

# size package: what for
packages='
build gcc: C compiler for atomc itself
build g++: C++ compiler for the thin layer over LLVM MC
build libc6-dev: C library headers
build make: runs the build
build flex: generates the scanner of .atd files
build bison: generates the parser of .atd files
build libelf-dev: reads and writes ELF files
build libdw-dev: reads DWARF: prototypes of analysis routines, source lines
build libjansson-dev: reads profiles of earlier runs, which are JSON
build libmd-dev: SHA-256, by which instrumented programs are kept
build libsqlite3-dev: results of many runs: atomc merge, diff, export and collect
build libzstd-dev: output of programs that jobs keep: atomc run --job
build zlib1g-dev: checksums of what is kept
build llvm-19: llvm-tblgen, which makes the Alpha tables
build llvm-19-dev: the MC library that Alpha.td is compiled for
build gcc-alpha-linux-gnu: cross compiler for analysis routines and test programs
build libc6.1-dev-alpha-cross: the C library for Alpha
build qemu-user: qemu-alpha, which runs Alpha programs
build dpkg-dev: unpacks the Debian sources of test programs
quick libcmocka-dev: unit tests
quick jq: reads JSON in tests
quick zstd: reads what jobs keep in tests
quick g++-alpha-linux-gnu: test programs in C++
workbench libmicrohttpd-dev: serves the workbench
workbench bubblewrap: the sandbox in which programs run; without it they run in a folder
workbench nodejs: bundles the libraries of the workbench
workbench ca-certificates: the registry of those libraries is asked by TLS
workbench npm: fetches those libraries, as they are locked; 370 packages of Debian come with it
check zstd: reads exported runs in tests
check curl: requests to the workbench
check gfortran-alpha-linux-gnu: test programs in Fortran
check gnat-12-alpha-linux-gnu: test programs in Ada
check gccgo-12-alpha-linux-gnu: test programs in Go
check gm2-12-alpha-linux-gnu: test programs in Modula-2
check valgrind: callgrind_annotate and cg_annotate, which must read what the tools write
check lcov: lcov and genhtml, which must read what the tool coverage writes
check neovim: an editor, in which the language server is tested
check chromium: a browser, in which the pages that tools write are tested
check chromium-driver: drives that browser in tests of the workbench
check tcl: makes the one-file source of the sqlite3 test program
slurm slurmctld: controller of a cluster, on which campaigns are tried
slurm slurmd: its nodes
slurm slurm-client: sbatch, squeue and scancel
slurm munge: by which they know each other
slurm iproute2: addresses in the network of that cluster
slurm parallel: GNU parallel, on which campaigns are tried
slurm bubblewrap: the same bytes by all of them
'

case ${1:-check} in
build) sizes=" build " ;;
quick) sizes=" build quick " ;;
workbench) sizes=" build workbench " ;;
check) sizes=" build quick workbench check " ;;
all) sizes=" build quick workbench check slurm " ;;
*) echo "setup.sh: no such size: $1" >&2 && exit 2 ;;
esac

# Other packages of nodejs than Debian's have npm in them.
is_installed() {
    { [ "$1" = npm ] && command -v npm >/dev/null; } ||
        [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null | cut -c1-2)" = ii ]
}

missing=
while IFS=' :' read -r size package purpose; do
    case $sizes in *" ${size:-none} "*) ;; *) continue ;; esac
    if ! is_installed "$package"; then
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
