# addresses: our own program that prints every kind of address it can see: they must not move when instrumented.
# Requires: tests/programs/build.sh, which sources this.
description="addresses, prints what a program can see of where it lies (C)"
source_package=
source_version=
levels="O2 O0"
threads=no
workloads="places jumps faults"

build() {
    $CC $CFLAGS -fasynchronous-unwind-tables addresses.c $LINK -o "$1"
}
prepare() {
    echo input >file
}
workload_places() {
    arguments=(places one "two three")
    standard_input=file
}
workload_jumps() {
    arguments=(jumps)
}
workload_faults() {
    arguments=(faults)
}
