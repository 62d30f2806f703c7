# gc: the Boehm-Demers-Weiser collector and its own tests, C; it stops its threads by signals and searches their stacks and registers.
# Requires: tests/programs/build.sh, which sources this.
description="the Boehm-Demers-Weiser collector (C, threads, signals)"
source_package=libgc
source_version=1:8.2.2-3
levels="O2 dynamic"
check_levels=none
only_tools="empty prof cache audit third"
threads=yes
workloads="huge smash key second sub trees"
timing=$workloads
unrepeatable=$workloads # it takes for pointers what it finds on stacks and in files
# When it collects, and how much it takes, depends on the time; the C library reads /proc/self/maps for it, where there is more.
left_out='(^GC_|^get_index|^setup_header|_IO_|brk|strto|scanf|getattr|cleanup_p|rawmemchr|wordcopy|getline|getdelim|memchr|memcpy|memset|read)'

build() {
    local -a features=(-Iinclude -Itests -DGC_THREADS -DTHREAD_LOCAL_ALLOC -DGC_BUILTIN_ATOMIC -DALL_INTERIOR_POINTERS
        -DGC_ENABLE_SUSPEND_THREAD -DENABLE_DISCLAIM -DHANDLE_FORK -DJAVA_FINALIZATION -DGC_GCJ_SUPPORT -DATOMIC_UNCOLLECTABLE
        -DNO_EXECUTE_PERMISSION -D_REENTRANT)
    # shellcheck disable=SC2086 # several words
    $CC $CFLAGS "${features[@]}" -c extra/gc.c -o gc.o
    cp "$HOME_OF_PROGRAM/trees.c" .
    link_mains "$1" huge=tests/huge_test.c smash=tests/smash_test.c key=tests/threadkey_test.c \
        second=tests/initsecondarythread.c sub=tests/subthread_create.c trees=trees.c -- "${features[@]}" gc.o -pthread -ldl
}
prepare() {
    :
}
normalise() { # sizes of the heap and numbers of collections differ
    sed -E '/^thread /!s/0x[0-9a-f]+|[0-9]+/N/g' "$1"
}
