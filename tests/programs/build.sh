#!/bin/bash
# build.sh NAME LEVEL: builds the test program tests/programs/NAME at -LEVEL and prints the executable's path. The levels dynamic and pie
# are -O2, linked dynamically. It is for Alpha, or for the machine MACHINE (aarch64; the levels signed, newer and inner are its other ways).
# Requires: the machine's cross compilers and dpkg-dev (scripts/setup.sh); sources come from Debian through apt-get.
#
# Exit status: 0 built (or already there); 77 the source could not be fetched; 1 anything else.
# A program is a folder with a program.sh that sets
#   description      one line
#   source_package   Debian source package, "" if the folder itself holds the source
#   source_version   the version it was tried with; what the installed Debian release has is taken
#   levels           optimization levels it is built at: O0, O2, O3; O2s is O2 stripped of its symbols; dynamic and pie; make
#                    check takes the first, or those of check_levels, which may be none
#   tools            the tools that it is tried with, if not the usual ones
#   threads          yes if it makes threads of its own accord
#   stable           for threaded programs: regular expression of procedures whose counts are the same in every run
#   timing           workloads whose way depends on the time: counts are compared of procedures that take the same way in
#                    several runs of the plain program
#   reads_unwritten  yes if it loads what nobody has written, or where a register holds nothing: audit is not compared
#   left_out         regular expression of procedures whose counts are not compared, with the reason
#   workloads        names of its workloads; make check takes those of check_workloads, if that is set
#   unrepeatable     workloads that load values which differ from run to run: cache and audit are not compared
#   process_numbers  yes if it prints or computes with numbers of processes, which may differ in length: failures are tried once more
# and defines
#   build OUTPUT     runs in a private copy of the source with CC, CXX, FC, CFLAGS, LINK, IEEE and TRIPLE (of the machine's tools) set; REPEATABLE, added to a
#                    link, makes times, temporary names and files of /proc (inputs) the same in every run; HOME_OF_PROGRAM is the folder of program.sh;
#                    link_mains makes one program of several
#   prepare          makes the input files that all its workloads find in their working directory; SOURCE is the source
#   workload_NAME    sets arguments (an array) and standard_input (a file's name, or empty); a workload without one has its
#                    name as the argument
#   normalise FILE   optional: prints the file without what differs from run to run (times)
set -eu
programs=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$programs/../.." && pwd)
BUILD=$(mkdir -p "${BUILD:-$repository/build}" && cd "${BUILD:-$repository/build}" && pwd)

source_version=
name=$1
level=$2
home=$programs/$name
base=$BUILD/programs/$name
machine=${MACHINE:-alpha}
built=$name-$level # in these folders
[ $machine = alpha ] || built=$machine-$built
output=$BUILD/programs/$built/$name
sources=$BUILD/sources

fail() {
    echo "build.sh: $name $level: $1" >&2
    exit "${2:-1}"
}

# shellcheck source=tests/lib/sources.sh
. "$repository/tests/lib/sources.sh"

# unpack PACKAGE FOLDER: downloads a Debian source package, unless that was done, and unpacks it as its authors made it.
unpack() {
    download "$1" "$sources/$1" || fail "no source of $1" 77
    dpkg-source --no-check --skip-patches -x "$sources/$1"/*.dsc "$2" || fail "dpkg-source could not unpack $1"
}

# Leaves the unpacked source in $base/source and the inputs in $base/inputs.
fetch() {
    rm -rf "$base"
    mkdir -p "$base/inputs"
    if [ -z "$source_package" ]; then
        mkdir "$base/source"
        cp "$home"/* "$base/source"
    else
        unpack "$source_package" "$base/source"
        [ -e "$sources/$source_package/${source_package}_${source_version#*:}.dsc" ] ||
            echo "build.sh: $name: not version $source_version, going on" >&2
    fi
    local package
    for package in ${more_packages:-}; do
        unpack "$package" "$base/source/$package"
    done
    # A subshell that is nobody's condition: set -e holds in it.
    (
        # shellcheck disable=SC2034 # for prepare
        SOURCE=$base/source
        cd "$base/inputs"
        prepare
    )
    touch "$base/ready"
}

# link_mains OUTPUT NAME=SOURCE... -- FLAG...: compiles and links sources that are programs of their own as one, which executes
# the one that its first argument names. FLAGs that begin with a dash are for both, other words for the link.
link_mains() {
    local output=$1 item part
    local -a items=() objects=() flags=()
    shift
    while [ "$1" != -- ]; do
        items+=("$1")
        shift
    done
    shift
    for item in "$@"; do
        case $item in -*) flags+=("$item") ;; esac
    done
    {
        echo '#include <string.h>'
        printf 'int main_%s(int, char **, char **);\n' "${items[@]%%=*}"
        echo 'int main(int argc, char **argv, char **envp) {'
        for item in "${items[@]}"; do
            part=${item%%=*}
            echo "if (argc > 1 && !strcmp(argv[1], \"$part\")) return main_$part(argc - 1, argv + 1, envp);"
        done
        echo 'return 99; }'
    } >mains.c
    for item in "${items[@]}"; do
        part=${item%%=*}
        # shellcheck disable=SC2086 # several words
        $CC $CFLAGS "-Dmain=main_$part" -c "${item#*=}" -o "main_$part.o" "${flags[@]}"
        # Their other names may be the same.
        "$TRIPLE-objcopy" --keep-global-symbol="main_$part" "main_$part.o"
        objects+=("main_$part.o")
    done
    # shellcheck disable=SC2086
    $CC $CFLAGS mains.c "${objects[@]}" "$@" $LINK -o "$output"
}

compile() {
    local flags=-$level link=-static
    case $level in
    O[0-3]s) flags=-${level%s} ;;
    dynamic) flags="-O2 -fno-pie" link=-no-pie ;;
    pie) flags="-O2 -fPIE" link=-pie ;;
    signed) flags="-O2 -march=armv8.3-a -mbranch-protection=standard" ;; # also retaa
    newer) flags="-O2 -march=armv8.2-a+lse -fno-jump-tables" ;;
    inner) flags="-O3 -mno-outline-atomics -march=armv8-a" ;;
    esac
    rm -rf "$BUILD/programs/$built"
    mkdir -p "$BUILD/programs/$built"
    cp -a "$base/source" "$BUILD/programs/$built/source"
    TRIPLE=$machine-linux-gnu
    CC=$TRIPLE-gcc
    CXX=$TRIPLE-g++
    FC=$TRIPLE-gfortran
    CFLAGS="$flags -g -w"
    LINK=$link
    IEEE= # for infinities and the like
    [ $machine != alpha ] || {
        LINK="$LINK -Wl,--no-relax"
        IEEE=-mieee
    }
    REPEATABLE="$output.repeatable.o -Wl,--wrap=time,--wrap=gettimeofday,--wrap=getrusage,--wrap=mkstemp,--wrap=open,--wrap=open64,--wrap=fopen,--wrap=getpid"
    HOME_OF_PROGRAM=$home
    export TRIPLE IEEE CC CXX FC CFLAGS LINK REPEATABLE HOME_OF_PROGRAM
    # shellcheck disable=SC2086 # several words
    $CC $CFLAGS -c "$programs/repeatable.c" -o "$output.repeatable.o"
    (
        cd "$BUILD/programs/$built/source"
        build "$output.new"
    )
    case $level in O[0-3]s) "$TRIPLE-strip" "$output.new" ;; esac
    mv "$output.new" "$output"
    # Debug information names absolute paths, but is not read: the source can go.
    rm -rf "$BUILD/programs/$built/source" "$output.repeatable.o"
}

# run LOG FUNCTION: the function with set -e in force, which it would not be in a condition; its status in $status.
run() {
    set +e
    (
        set -e
        "$2"
    ) >>"$1" 2>&1
    status=$?
    set -e
}

is_current() { # FILE: is it there, and newer than everything in the program's folder?
    [ -e "$1" ] && [ -z "$(find "$home" "$programs/build.sh" "$programs/repeatable.c" -newer "$1" -print -quit)" ]
}

[ -f "$home/program.sh" ] || fail "no such program"
if is_current "$output"; then
    echo "$output"
    exit 0
fi
# shellcheck source=/dev/null
. "$home/program.sh"
mkdir -p "$sources" "$BUILD/programs"
log=$BUILD/programs/$built.log
: >"$log"

# One download or unpacking at a time, and one build of a program at a level.
exec 8>"$sources/lock"
flock 8
is_current "$base/ready" || run "$log" fetch
flock -u 8
[ "${status:-0}" = 0 ] || fail "no source: $(tail -n 1 "$log")" "$status"
exec 9>"$sources/lock.$built"
flock 9
is_current "$output" || run "$log" compile
[ "${status:-0}" = 0 ] || fail "does not build, see $log: $(tail -n 1 "$log")"
echo "$output"
