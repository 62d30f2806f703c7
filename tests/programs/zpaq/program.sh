# zpaq: an archiver, C++; a thread per core, exceptions across them, C++ containers.
# Requires: tests/programs/build.sh, which sources this.
description="zpaq, an archiver (C++, exceptions and threads)"
source_package=zpaq
source_version=7.15+repack-1
levels="O2 O0"
check_levels=none
threads=yes
atomc_flags=--stack=own # it reads its stack before it writes it, and audit sees that
stable='^(_ZN7libzpaq4SHA1|_ZN7libzpaq6SHA256|divsufsort|sort_typeBstar|_ZN7libzpaq9Predictor|_ZN7libzpaq7Encoder)'
workloads="add method damaged large"
unrepeatable=damaged # it loads what nobody has written

build() {
    # What it stores and says of times must be the same in every run.
    $CXX $CFLAGS -Dunix -DNOJIT -DNDEBUG -pthread zpaq.cpp libzpaq.cpp $LINK $REPEATABLE -o "$1"
}
prepare() {
    head -c 30000 "$SOURCE/zpaq.pod" >text
    head -c 60000 "$SOURCE/libzpaq.cpp" >large
    head -c 2000 text >short
    cp large broken.zpaq
    TZ=UTC touch -d '2001-02-03 04:05:06' ./*
}
workload_add() {
    arguments=(add archive text -m1 -t2)
}
workload_method() {
    arguments=(add archive short -t1 -m3)
}
workload_damaged() {
    arguments=(extract broken.zpaq -t2)
}
workload_large() {
    arguments=(add archive large text -m4 -t2)
}
