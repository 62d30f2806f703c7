# minigzip: zlib's own small gzip, C; compresses and decompresses.
# Requires: tests/programs/build.sh, which sources this.
description="minigzip, zlib's compressor (C)"
source_package=zlib
source_version=1:1.2.13.dfsg-1
levels="O2 O0 O3"
check_levels=none
threads=no
workloads="compress decompress large"

build() {
    # shellcheck disable=SC2046
    $CC $CFLAGS -D_LARGEFILE64_SOURCE=1 -DHAVE_HIDDEN -DHAVE_UNISTD_H -I. $(ls ./*.c) test/minigzip.c $LINK -o "$1"
}
prepare() {
    head -c 40000 "$SOURCE/ChangeLog" >text
    head -c 60000 "$SOURCE/deflate.c" >file
    gzip -n -c "$SOURCE/ChangeLog" >changes.gz
    cat "$SOURCE"/*.c "$SOURCE"/*.h >large
}
workload_compress() {
    arguments=(-9)
    standard_input=text
}
workload_decompress() {
    arguments=(-d changes.gz)
}
workload_large() {
    arguments=(large)
}
