# dash: a POSIX shell, C; forks, pipes, traps, longjmp for errors.
# Requires: tests/programs/build.sh, which sources this; gcc for its generators.
description="dash, a shell (C, forks)"
source_package=dash
source_version=0.5.12-2
levels="O2 O0"
threads=no
workloads="script expand large"
check_workloads=expand
# With bytes loaded one by one (GCC 14 makes code for the 21164A), digits of process numbers are seen in memcpy.
unrepeatable="script${elsewhere:+ expand}"
varying="script expand" # values: process numbers
process_numbers=yes

build() {
    # Timestamps: nothing is to be regenerated with autoconf.
    touch aclocal.m4
    touch configure config.h.in Makefile.in src/Makefile.in
    CC_FOR_BUILD=gcc LDFLAGS=$LINK ./configure --host="$TRIPLE"
    make -C src
    cp src/dash "$1"
}
prepare() {
    cat >script.sh <<'END'
# Functions, traps, subshells, pipes and here-documents; no process numbers, whose digits count.
fact() { if [ "$1" -le 1 ]; then echo 1; else echo $(($1 * $(fact $(($1 - 1))))); fi; }
fact 6
trap 'echo leaving with $?' EXIT
(exit 7)
echo "status $?"
echo one two three | while read a b; do echo "$b|$a"; done
cat <<EOF 2>/dev/null || echo no cat
$((2 + 3)) ${HOME:-home} `echo nested`
EOF
set -- a 'b c' d
for i in "$@"; do case $i in *' '*) echo "space in $i" ;; [ab]) echo "letter $i" ;; *) echo other ;; esac; done
wait
command -v missing || echo missing
exit 5
END
    cat >expand.sh <<'END'
i=0; s=
while [ $i -lt 300 ]; do s="$s$i,"; i=$((i + 1)); done
echo ${#s} ${s%%9*} ${s##*7}
IFS=,; set -- $s; echo $# ; shift 250; echo "$*"
x=abc; echo "${x#a}" "${x%c}" "${x:+set}" "${y-unset}"
eval 'z=$x$x'; echo $z; : ${novar?must be set}
END
    cat >large.sh <<'END'
i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); case $i in *00) n=$((n + i)) ;; esac; done; echo $n
END
}
workload_script() {
    arguments=(script.sh)
}
workload_expand() {
    arguments=(expand.sh)
}
workload_large() {
    arguments=(large.sh)
}
