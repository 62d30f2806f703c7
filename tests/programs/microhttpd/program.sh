# microhttpd: a web server in four threads and its clients in others, C; loopback, timers, signals, epoll.
# Requires: tests/programs/build.sh, which sources this.
description="libmicrohttpd, a web server (C, threads, timers)"
source_package=libmicrohttpd
source_version=0.9.75-6
levels="O2 dynamic"
check_levels=none
only_tools="empty prof cache audit third"
threads=yes
workloads="pool each"
timing=$workloads

build() {
    ./configure --host="$TRIPLE" --disable-shared --disable-https --disable-doc --disable-examples --disable-curl --disable-nls
    make -C src/microhttpd libmicrohttpd.la
    # shellcheck disable=SC2086 # several words
    $CC $CFLAGS -Isrc/include "$HOME_OF_PROGRAM/server.c" src/microhttpd/.libs/libmicrohttpd.a $LINK -pthread -o "$1"
}
prepare() {
    :
}
