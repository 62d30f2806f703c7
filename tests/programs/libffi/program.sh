# libffi: its own tests, C; calls made from descriptions of them, and functions made at run time.
# Requires: tests/programs/build.sh, which sources this; tests: the names of those that need no C++, by folder.
description="libffi's tests (C, jumps by arithmetic, closures)"
source_package=libffi
source_version=3.4.4-1
levels="O2 dynamic"
check_levels=none
only_tools="empty prof cache audit third"
threads=no
workloads=$(cut -d/ -f2 "$(dirname "${BASH_SOURCE[0]}")/tests" | tr '\n' ' ')

build() {
    local folder name mains=()
    ./configure --host="$TRIPLE" --disable-shared --disable-docs
    make libffi.la
    while IFS=/ read -r folder name; do
        mains+=("$name=../testsuite/libffi.$folder/$name.c")
    done <"$HOME_OF_PROGRAM/tests"
    cd "${TRIPLE%%-*}"*
    # shellcheck disable=SC2086 # several words
    link_mains "$1" "${mains[@]}" -- -Iinclude -I. -I../testsuite/libffi.call -DABI_NUM=FFI_DEFAULT_ABI -DABI_ATTR= .libs/libffi.a $REPEATABLE
}
prepare() { # it looks for SELinux and for PaX, and for places where code can be
    mkdir -p proc/self
    printf 'Name:\tlibffi\nVmRSS:\t1234 kB\n' >proc/self/status
    echo '/dev/root / ext4 rw 0 0' >proc/mounts
}
normalise() { # addresses
    sed -E 's/0x[0-9a-f]+/ADDRESS/g' "$1"
}
