#!/bin/bash
# soak.sh: programs plain and instrumented with prof under a real Alpha Linux kernel, in qemu's emulation of a whole
# machine (DP264), where the stack lies below the text: the same output and status, and results. `make soak`.
# Requires: atomc (ATOMC), the Alpha cross compilers, Debian's packages linux-source-6.1, qemu-system-misc and what a
# kernel's build needs (bc, flex, bison, xz-utils); run from the repository's root. The kernel takes 5 minutes of CPU, once.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
base=$BUILD/soak
source=${LINUX_SOURCE:-/usr/src/linux-source-6.1.tar.xz}
mkdir -p "$base"

if [ ! -e "$base/vmlinux" ]; then
    if [ ! -e "$source" ] || ! command -v qemu-system-alpha >/dev/null; then
        skipped soak "linux-source-6.1 or qemu-system-misc is not installed"
        exit 0
    fi
    tar -xf "$source" -C "$base"
    (
        cd "$base"/linux-source-*
        export ARCH=alpha CROSS_COMPILE=alpha-linux-gnu-
        make allnoconfig KCONFIG_ALLCONFIG="$repository/tests/soak/kernel.config"
        make -j"${JOBS:-2}" vmlinux
        cp vmlinux usr/gen_init_cpio ..
    ) >"$base/kernel.log" 2>&1 || {
        failed soak/kernel "does not build" "$base/kernel.log"
        exit 1
    }
    rm -rf "$base"/linux-source-*
fi

# ---- the file system -------------------------------------------------------------------------------------------
root=$base/root
rm -rf "$root"
mkdir -p "$root"
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax tests/soak/init.c -o "$root/init"
: >"$root/jobs"

# job NAME PROGRAM INPUTS STANDARD_INPUT ARGUMENTS...
job() {
    local name=$1 program=$2 inputs=$3 standard_input=${4:--} which
    shift 4
    for which in plain tool; do
        mkdir -p "$root/$name/$which"
        [ -z "$inputs" ] || cp -r "$inputs/." "$root/$name/$which"
    done
    cp "$program" "$root/$name/plain/program"
    "$ATOMC" -t prof "$program" -o "$root/$name/tool/program" >"$base/log" 2>&1 || failed "soak/$name" "atomc fails" "$base/log"
    printf '%s' "$name" >>"$root/jobs"
    printf '\t%s' "$standard_input" "$@" >>"$root/jobs"
    echo >>"$root/jobs"
}

while read -r name workload; do
    if ! program=$(tests/programs/build.sh "$name" O2 2>/dev/null); then
        skipped "soak/$name" "no source"
        continue
    fi
    arguments=() standard_input=
    # shellcheck source=/dev/null
    . "tests/programs/$name/program.sh"
    "workload_$workload"
    job "$name" "$program" "$BUILD/programs/$name/inputs" "$standard_input" "${arguments[@]}"
done <<'END'
bzip2 compress
lua strings
sqlite3 queries
minisat pigeons
mawk words
pbzip2 compress
dash script
zpaq add
blas small
addresses faults
END
for source in tests/data/signals.c tests/data/forks.c tests/soak/memory.c; do
    name=$(basename "$source" .c)
    alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax "$source" -o "$base/$name" -pthread
done
job memory "$base/memory" "" ""
for way in abort segv illegal term pipe alarm; do
    job "signals-$way" "$base/signals" "" "" "$way"
done

# gen_init_cpio's list: files and folders, and the console, which only root could make otherwise.
{
    echo "dir /proc 0755 0 0"
    echo "dir /dev 0755 0 0"
    echo "dir /tmp 0777 0 0"
    echo "nod /dev/console 0600 0 0 c 5 1"
    (cd "$root" && find . -mindepth 1 -type d -printf 'dir /%P 0755 0 0\n' && find . -type f -printf "file /%P $root/%P 0755 0 0\n")
} >"$base/list"
"$base/gen_init_cpio" "$base/list" >"$base/initrd"

# ---- the machine ---------------------------------------------------------------------------------------------------
timeout -s KILL "${SOAK_SECONDS:-1200}" qemu-system-alpha -M clipper -m 2048 -nographic -vga none -nic none -no-reboot \
    -kernel "$base/vmlinux" -initrd "$base/initrd" -append "console=ttyS0 panic=-1 quiet" </dev/null 2>&1 |
    tr -d '\r' >"$base/console" || true
# What the console also says stays in its file.
grep -E -A2 '^(ok|not ok) soak/' "$base/console" | grep -E '^(ok|not ok|    )' || true
if ! grep -q '^soak: done' "$base/console"; then
    failed soak "the guest did not come to its end" <(tail -n 20 "$base/console")
fi
jobs=$(wc -l <"$root/jobs")
[ "$(grep -c '^ok soak/' "$base/console")" = "$jobs" ] || failed soak "not all of the $jobs programs are right"
[ "$failures" = 0 ]
