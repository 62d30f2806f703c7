#!/bin/bash
# setup.sh [SIZE]: installs the Debian packages that are missing, and prints the purpose of each. SIZE is build (the
# packages for `make try`), quick (also for make check-quick), workbench (for make workbench: build and more), check,
# the default, or all (also for make check-all). Requires: Debian 12 or 13, and root or sudo to install; with
# ATOMC_NO_INSTALL=1 it only prints the command. On other releases of Debian and Ubuntu it installs the packages that
# have these names, and reports the rest.
set -eu

# size package: purpose. GCC in a name is the version of the release's cross compiler. emulator packages are needed
# where the emulator cannot load plugins, from Debian 13 on.
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
emulator meson: configures the oracle'\''s emulator, which can load plugins
emulator ninja-build: builds that emulator
emulator pkgconf: finds its libraries
emulator python3-venv: runs its configuration
emulator libglib2.0-dev: its library
workbench libmicrohttpd-dev: serves the workbench
workbench bubblewrap: the sandbox in which programs run; without it they run in a folder
workbench nodejs: bundles the libraries of the workbench
workbench ca-certificates: the registry of those libraries is asked by TLS
workbench npm: fetches those libraries, as they are locked; 370 packages of Debian come with it
check zstd: reads exported runs in tests
check curl: requests to the workbench
check binutils-aarch64-linux-gnu: a disassembler, beside which the facts of AArch64'\''s instructions are checked
check gcc-aarch64-linux-gnu: compiles the runtime of AArch64 programs, and a program that executes AArch64 instructions
check g++-aarch64-linux-gnu: test programs for AArch64 in C++
check libc6-dev-arm64-cross: its C library
check libstdc++6-arm64-cross: AArch64 libraries, whose instructions are checked
check gfortran-alpha-linux-gnu: test programs in Fortran
check gnat-GCC-alpha-linux-gnu: test programs in Ada
check gccgo-GCC-alpha-linux-gnu: test programs in Go
check gm2-GCC-alpha-linux-gnu: test programs in Modula-2
check valgrind: callgrind_annotate and cg_annotate, which must read what the tools write
check golang-go: go tool pprof, which must read exported profiles
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

# The version of the compiler that gcc-alpha-linux-gnu is, in the release's lists of packages if it is not installed.
gcc_version() {
    { dpkg-query -W -f '${Depends}\n' gcc-alpha-linux-gnu 2>/dev/null || apt-cache show gcc-alpha-linux-gnu 2>/dev/null; } |
        sed -n 's/.*gcc-\([0-9]*\)-alpha-linux-gnu.*/\1/p' | head -n 1
}
can_load_plugins() { # the emulator that is installed, or would be installed
    if command -v qemu-alpha >/dev/null; then
        qemu-alpha --help | grep -q -e '-plugin '
    else
        apt-cache show qemu-user 2>/dev/null | grep -q '^Depends:.*libglib2'
    fi
}
# Other packages of nodejs than Debian's have npm in them.
is_installed() {
    { [ "$1" = npm ] && command -v npm >/dev/null; } ||
        [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null | cut -c1-2)" = ii ]
}
is_known() { # to apt-get
    apt-cache show "$1" 2>/dev/null | grep -q '^Version:'
}

# Lines "package: purpose" for the missing packages.
list_missing() {
    local size package purpose version
    version=$(gcc_version)
    case $sizes in *" quick "*) can_load_plugins || sizes="$sizes emulator " ;; esac
    while IFS=' :' read -r size package purpose; do
        case $sizes in *" ${size:-none} "*) ;; *) continue ;; esac
        package=${package/GCC/${version:-12}}
        is_installed "$package" || echo "$package: $purpose"
    done <<<"$packages"
}
described() { # LINES
    while IFS=':' read -r package purpose; do printf '%-26s%s\n' "$package" "${purpose# }"; done <<<"$1"
}

missing=$(list_missing)
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=sudo
else
    as_root=none
fi
if [ -n "${ATOMC_NO_INSTALL:-}" ] || [ "$as_root" = none ]; then
    described "$missing"
    echo "The packages above are missing. As root, run:"
    # shellcheck disable=SC2046 # one word per package
    echo "    apt-get update && apt-get install -y --no-install-recommends" $(cut -d: -f1 <<<"$missing")
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
log=$(dirname "$0")/../build/logs/setup
mkdir -p "$(dirname "$log")"
failed() {
    grep -E "^(E|W|Err|dpkg):" "$log" | tail -n 10
    echo "setup.sh: apt-get failed; all that it printed is in build/logs/setup" >&2
    exit 1
}
$as_root apt-get -q update >"$log" 2>&1 || failed
missing=$(list_missing) # with the present lists of packages
unknown=$(while IFS= read -r line; do is_known "${line%%:*}" || echo "$line"; done <<<"$missing")
if [ -n "$unknown" ]; then
    described "$unknown"
    echo "setup.sh: $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release) has no packages of these names. atomc is tested on Debian 12 and 13."
    needed=$(sed -n 's/^build \([^:]*\):.*/\1/p' <<<"$packages" | grep -x -F -e "$(cut -d: -f1 <<<"$unknown")" || true)
    [ -z "$needed" ] || { echo "setup.sh: atomc cannot be built without" $needed >&2 && exit 1; }
    missing=$(grep -v -x -F -e "$unknown" <<<"$missing" || true)
    [ -n "$missing" ] || exit 0
fi
names=$(cut -d: -f1 <<<"$missing" | tr "\n" " ")
echo "Installs $(wc -w <<<"$names") packages of Debian and what they need (what each is for is in build/logs/setup):"
fold -s -w 96 <<<"$names" | sed "s/^/    /"
{
    described "$missing"
    # shellcheck disable=SC2086
    $as_root apt-get -q install -y --no-install-recommends $names
} >>"$log" 2>&1 || failed
