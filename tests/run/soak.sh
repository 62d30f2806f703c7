# soak: programs plain and instrumented with prof under a real Alpha Linux kernel, in qemu's emulation of a whole
# machine (DP264), where the stack is below the text: the same output and status, and results.
# size: all
#
# It needs Debian's packages linux-source (the release's kernel), qemu-system-misc and the packages for building a
# kernel (bc, flex, bison, xz-utils), and is skipped without them. The kernel takes 5 minutes of CPU, one time; it is
# kept in the build folder.
base=$BUILD/soak
source=${LINUX_SOURCE:-$(find /usr/src -maxdepth 1 -name 'linux-source-*.tar.xz' | sort -V | tail -n 1)}
if [ ! -e "$base/vmlinux" ]; then
    if [ -z "$source" ] || ! command -v qemu-system-alpha >/dev/null; then
        skipped kernel "linux-source or qemu-system-misc is not installed"
        return
    fi
    mkdir -p "$base"
    tar -xf "$source"
    cd linux-source-*
    # Debian's 6.12 calls a function there that Alpha lacks.
    grep -q -r 'void show_signal_msg' include arch/alpha ||
        sed -i '/show_signal_msg(regs, address, SIGBUS/d' arch/alpha/mm/fault.c
    check kernel "ARCH=alpha CROSS_COMPILE=alpha-linux-gnu- make allnoconfig KCONFIG_ALLCONFIG='$tests/soak/kernel.config' &&
        ARCH=alpha CROSS_COMPILE=alpha-linux-gnu- make -j${JOBS:-2} vmlinux && cp vmlinux usr/gen_init_cpio '$base'"
    cd "$scratch"
    [ $failures = 0 ] || return
fi

# ---- the file system: for each job two folders, and a line in jobs ----
mkdir root
alpha root/init "$tests/soak/init.c"
job() { # NAME PROGRAM INPUTS STANDARD_INPUT ARGUMENT...
    local which
    for which in plain tool; do
        mkdir -p "root/$1/$which"
        [ -z "$3" ] || cp -r "$3/." "root/$1/$which"
    done
    cp "$2" "root/$1/plain/program"
    instrument tool -t "${tool:-prof}" "$2" || return 0
    mv tool "root/$1/tool/program"
    { printf %s "$1" && printf '\t%s' "${4:--}" "${@:5}" && echo; } >>root/jobs
}
while read -r name workload; do
    use "$name" O2 "$workload" || continue
    job "$name" "$program" "$inputs" "$standard_input" "${arguments[@]}"
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
alpha memory "$tests/soak/memory.c"
job memory memory "" ""
alpha signals "$tests/data/signals.c"
for way in abort segv illegal term pipe alarm; do
    job "signals-$way" signals "" "" "$way"
done
alpha arrivals "$tests/arrivals/program.c" -lpthread
for tool in prof cache; do
    for way in tls frames nested altstack jump threads masks; do
        job "arrivals-$tool-$way" arrivals "" "" "$way" 100 10000
    done
done

# gen_init_cpio's list: files and folders, and the console, which only root could make otherwise.
{
    printf 'dir /%s 0755 0 0\n' proc dev tmp
    echo "nod /dev/console 0600 0 0 c 5 1"
    (cd root && find . -mindepth 1 -type d -printf 'dir /%P 0755 0 0\n' -o -type f -printf "file /%P $PWD/%P 0755 0 0\n")
} >list
"$base/gen_init_cpio" list >initrd

# ---- the machine ----
timeout -s KILL "${SOAK_SECONDS:-1200}" qemu-system-alpha -M clipper -m 2048 -nographic -vga none -nic none -no-reboot \
    -kernel "$base/vmlinux" -initrd initrd -append "console=ttyS0 panic=-1 quiet" </dev/null 2>&1 | tr -d '\r' >console || true
grep -E -A2 '^(ok|not ok) soak/' console | grep -E '^(ok|not ok|    )' || true
check end "grep -q '^soak: done' console && [ \$(grep -c '^ok soak/' console) = $(wc -l <root/jobs) ]" <(tail -n 20 console)
