# libevent: its own regression tests, C; timers, signals, loopback, threads with locks, a process of its own for each test.
# Requires: tests/programs/build.sh, which sources this.
description="libevent's regression tests (C, threads, timers, forks)"
source_package=libevent
source_version=2.1.12-stable-8+deb12u1
levels="O2 dynamic"
check_levels=none
only_tools="empty prof cache audit third"
threads=yes
workloads="evtimer signals buffers threads http listener util"
timing=$workloads
process_numbers=yes

build() {
    ./configure --host="$TRIPLE" --disable-shared --disable-openssl --disable-samples --disable-libevent-regress ac_cv_header_zlib_h=no
    make include/event2/event-config.h
    make libevent_core.la libevent_extra.la libevent_pthreads.la
    # shellcheck disable=SC2086 # several words
    $CC $CFLAGS -I. -Iinclude -Itest -DHAVE_CONFIG_H test/regress.c test/regress_{buffer,bufferevent,dns,et,finalize}.c \
        test/regress_{http,listener,main,minheap,rpc,testutils,util,thread}.c test/regress.gen.c test/tinytest.c \
        .libs/libevent_{extra,pthreads,core}.a $LINK -pthread -o "$1"
}
prepare() {
    :
}
normalise() { # numbers of processes, of ports
    sed -E 's/[0-9]+/N/g' "$1"
}
# Not those that allow only so much time, or ask for the time until it has changed: they fail, or are counted, as busy as the machine is.
workload_evtimer() { arguments=(main/multiple main/persistent main/loopbreak main/priorities); }
workload_signals() { arguments=(signal/.. main/fork); }
workload_buffers() { arguments=(evbuffer/readln evbuffer/search evbuffer/find evbuffer/prepend bufferevent/bufferevent bufferevent/bufferevent_pair); }
workload_threads() { arguments=(thread/basic); }
workload_http() { arguments=(--no-fork http/base http/post http/connection_retry); }
workload_listener() { arguments=(listener/..); }
workload_util() { arguments=(util/.. :util/usleep :util/monotonic_res :util/monotonic_res_fallback :util/monotonic_prc :util/monotonic_prc_precise :util/monotonic_prc_fallback); }
