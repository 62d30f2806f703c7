# zpaq: an archiver, C++; a thread per core, exceptions across them, C++ containers.
# Requires: tests/programs/build.sh, which sources this.
description="zpaq, an archiver (C++, exceptions and threads)"
source_package=zpaq
source_version=7.15+repack-1
levels="O2 O0"
threads=yes
stable='^(_ZN7libzpaq4SHA1|_ZN7libzpaq6SHA256|divsufsort|sort_typeBstar|_ZN7libzpaq9Predictor|_ZN7libzpaq7Encoder)'
workloads="add list damaged large"

build() {
    # What it stores and says of times must be the same in every run.
    cat >clock.c <<'END'
#include <sys/time.h>
#include <time.h>
time_t __wrap_time(time_t *result) { if (result) *result = 1000000000; return 1000000000; }
int __wrap_gettimeofday(struct timeval *now, void *zone) { now->tv_sec = 1000000000; now->tv_usec = 0; return 0; }
END
    $CC $CFLAGS -c clock.c
    $CXX $CFLAGS -Dunix -DNOJIT -DNDEBUG -pthread zpaq.cpp libzpaq.cpp clock.o $LINK -Wl,--wrap=time,--wrap=gettimeofday \
        -o "$1"
}
prepare() {
    head -c 30000 "$SOURCE/zpaq.pod" >text
    head -c 60000 "$SOURCE/libzpaq.cpp" >large
    TZ=UTC touch -d '2001-02-03 04:05:06' text large
}
workload_add() {
    arguments=(add archive text -m1 -t2)
}
workload_list() {
    arguments=(add archive text -t1 -m3)
}
workload_damaged() {
    arguments=(extract text -t2)
}
workload_large() {
    arguments=(add archive large text -m4 -t2)
}
