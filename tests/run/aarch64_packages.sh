# size: all
# aarch64_packages: static programs for AArch64 as Debian builds and strips them, with four C libraries (glibc, musl, klibc, dietlibc):
# output, status and files are those of the plain program, each instruction's count is the emulator's.
command -v qemu-aarch64 >/dev/null || {
    skipped all "no emulator for AArch64"
    return
}
mkdir -p apt/lists/partial apt/archives/partial
apt_of_arm() {
    apt-get -q -o Dir::State="$PWD/apt" -o Dir::Cache="$PWD/apt" -o Dir::State::status=/dev/null -o APT::Architecture=arm64 \
        -o APT::Architectures=arm64 -o APT::Sandbox::User="$(id -un)" "$@"
}
if ! apt_of_arm update >log 2>&1 ||
    ! apt_of_arm download bash-static busybox-static dar-static e2fsck-static gpgv-static zsh-static mksh sash tini libc-bin >>log 2>&1; then
    skipped all "Debian's packages for arm64 cannot be downloaded: $(tail -n 1 log)"
    return
fi
for package in *.deb; do dpkg-deb -x "$package" packages; done
seq 1 2000 | awk '{ print $1 * 7919 % 1009, "line", $1 }' >data
head -c 60000 packages/bin/busybox >bytes
cat >shell.sh <<'END'
x=0; i=0
while [ $i -lt 300 ]; do x=$((x*31+i & 65535)); i=$((i+1)); done
echo $x
f() { local a=$1; if [ $a -le 1 ]; then r=1; else f $((a-1)); r=$((r*a)); fi; }
f 10; echo $r
case abcdef in a*f) echo yes;; *) echo no;; esac
s="the quick brown fox"; for w in $s; do echo "[$w]" "${w#?}" "${w%?}" ${#w}; done
printf '%5d|%-8s|%x\n' 42 hi 255
set -- c b a; for p; do echo $p; done; echo ${1:-none} ${9:-none}
echo "${s%%q*}"; unset s; echo ${s-unset}; umask
END
cat shell.sh - >forks.sh <<'END'
trap 'echo trapped' USR1; kill -USR1 $$
for i in 1 2 3; do (echo sub $i; exit $i); echo $?; done
echo a b c | while read x y; do echo $y; done
v=$(echo hello; exit 4); echo $? $v
END
mkdir libraries
cp /usr/aarch64-linux-gnu/lib/lib*.so.* libraries 2>/dev/null || true
signed=$(find /var/lib/apt/lists -name '*InRelease' | head -n 1)
plugin=
# What has equal names, lengths of paths, environment, process number and addresses executes the same instructions.
# shellcheck disable=SC2086
execute() { # WAY PROGRAM ARGUMENT... : the file $way/program; its output and its files are in $way.*
    way=$1 name=$2
    shift 2
    rm -rf work "$way.files"
    mkdir work "$way.files"
    status=0
    ATOMC_OUT=$PWD/files timeout -k 5 "$RUN_TIMEOUT" unshare -pf setarch -R "$QEMU_AARCH64" -seed 1 -cpu max $plugin -0 "./$name" \
        "$way/program" "$@" >"$way.out" 2>"$way.said" </dev/null || status=$?
    echo "status $status" >>"$way.out"
    sed -i '/^atomc: .*:$/,$d' "$way.said" # the first lines of reports
    mv files/* "$way.files" 2>/dev/null || true
    (cd work && find . -type f ! -name '*.dar' -exec md5sum {} + | sort) >"$way.sums"
}
try() { # TEST COUNTS FILE ARGUMENT...: COUNTS: counted, or forks: then each process has counts of its own, and they are not compared
    local test=$1 counts=$2 file=packages/$3 tool
    shift 3
    mkdir -p p n e c o files
    cp "$file" p/program
    while read -r way tool; do
        # shellcheck disable=SC2086
        [ "$(cat $way/of 2>/dev/null)" = "$file" ] || { "$ATOMC" $tool p/program -o $way/program && echo "$file" >$way/of; } || {
            check "$test/$way" false
            return 0
        }
    done <<END
n -t prof
e $tests/aarch64/each.atd
c -t callgraph
o --poison -t prof
END
    execute p "${file##*/}" "$@"
    for way in n e c o; do
        execute $way "${file##*/}" "$@"
        check "$test/$way" "cmp p.out $way.out && cmp p.said $way.said && cmp p.sums $way.sums" "$way.said"
    done
    [ "$counts" = counted ] || return 0
    # Some programs execute a few instructions more or less, by the clock: then another pair of runs is equal. If a count is
    # wrong, none is.
    for _ in 1 2 3 4 5 6; do
        execute e "${file##*/}" "$@"
        plugin="-plugin $BUILD/tests/addresses.so,out=$PWD/addresses" # no variable of the environment
        execute p "${file##*/}" "$@"
        plugin=
        # A position-independent program is at another place without atomc; of others, code at high addresses is the emulator's.
        awk 'FNR == NR { others += length($1) <= 8; next }
            !others { $1 = sprintf("4%05s", substr($1, length($1) - 4)) }
            length($1) <= 8 { print "0x" $1, $2 }' addresses addresses | sort >expected
        awk '/^0x/ { print $1, $2 }' e.files/each.out | sort >found
        ! cmp -s expected found || break
    done
    check "$test/counts" '[ "$(wc -l <expected)" -gt 1000 ] && diff expected found' found
}
for shell in usr/lib/diet/bin/mksh usr/lib/klibc/bin/mksh bin/lksh bin/bash-static bin/zsh-static; do
    name=$(tr / - <<<"$shell")
    try "$name" counted $shell shell.sh
    try "$name-forks" forks $shell forks.sh
done
try musl counted usr/lib/aarch64-linux-musl/bin/mksh shell.sh
try musl-forks forks usr/lib/aarch64-linux-musl/bin/mksh forks.sh
box=bin/busybox
try busybox-sh counted $box sh shell.sh
try busybox-awk counted $box awk '{ s += $1; n[$1 % 7]++ } END { print s; for (k = 0; k < 7; k++) print k, n[k]; printf "%.6f\n", sin(s) }' data
try busybox-sort counted $box sort -n -k1,1 -k3r data
try busybox-sha counted $box sha512sum bytes
try busybox-gzip counted $box gzip -c bytes
try busybox-bzip2 counted $box bzip2 -c data
try busybox-sed counted $box sed -e 's/\([0-9]*\) line \(.*\)/\2:\1/' -e '/7$/d' -e '1!G;h;$!d' data
try busybox-dc counted $box dc -e '2 200 ^ p 3 / p 20k 2 v p'
try busybox-tar forks $box tar cf - p
try sash counted bin/sash -c '-sum data'
try tini forks usr/bin/tini-static -- /bin/echo started
try e2fsck counted sbin/e2fsck.static -f -n bytes
mkdir input && cp data bytes input # its archive has the time
try dar forks usr/bin/dar_static -Q -c work/archive -R input -z
[ -z "$signed" ] || try gpgv counted usr/bin/gpgv-static --keyring /usr/share/keyrings/debian-archive-keyring.gpg "$signed"
ls libraries/* >/dev/null 2>&1 && try ldconfig counted sbin/ldconfig -N -n -v libraries
