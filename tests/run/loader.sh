# loader: with --for=qemu code maps the additions of atomc, rather than segments of the file: otherwise QEMU would
# describe 4 GB of pages. The program's behaviour is unchanged, and counts equal those without the option.
alpha queens "$tests/tools/queens.c"
shared queens-dynamic "$tests/tools/queens.c"
alpha sums "$tests/web/programs/sums.c" -pthread
shared sums-dynamic "$tests/web/programs/sums.c" -pthread
alpha queued "$tests/data/queued_signals.c" -pthread
alpha maps "$tests/data/process_maps.c" -pthread
cat >again.c <<'END'
/* Prints the lowest free descriptor and its arguments. */
#include <fcntl.h>
#include <stdio.h>
int main(int count, char **words) {
    printf("%d %s %s\n", open("/dev/null", O_RDONLY), words[0], count > 1 ? words[1] : "");
    return 7;
}
END
alpha again again.c
libraries=/usr/alpha-linux-gnu
for program in queens queens-dynamic sums sums-dynamic; do
    for tool in prof cache; do
        for machine in hardware qemu; do
            instrument instrumented --for=$machine -t $tool $program
            rm -f $tool.out
            (cd "$scratch" && "$QEMU" -L $libraries -0 program instrumented 5 >said.$machine 2>&1 &&
                echo "status $?" >>said.$machine) || true
            mv $tool.out $tool.$machine
        done
        same $program/$tool/output said.hardware said.qemu
        # Addresses of a dynamic program's data differ between runs; threads wait as often as they have to.
        case $program/$tool in sums* | *-dynamic/cache) continue ;; esac
        for machine in hardware qemu; do grep -v '^Seconds' $tool.$machine >counts.$machine; done
        same $program/$tool/counts counts.hardware counts.qemu
    done
done
# No segment of the file is below the program's.
instrument instrumented --for=qemu -t prof queens
lowest=$(readelf -lW queens | awk '$1 == "LOAD" { print $3; exit }')
check segments "[ \$(readelf -lW instrumented | awk '\$1 == \"LOAD\" { print \$3 }' | sort | head -n 1) = $lowest ]"
check disassembles "alpha-linux-gnu-objdump -d instrumented >listing && grep -q 'section .atomc.loader:' listing"
# Mappings and signals.
qemu maps | sed -E 's|[^ ]*/maps$|program|; s/^([^ ]* ....) [0-9a-f]* [^ ]* [0-9]* */\1 /' >expected
instrument instrumented --for=qemu -t prof maps
qemu instrumented | sed -E 's|[^ ]*/instrumented$|program|; s/^([^ ]* ....) [0-9a-f]* [^ ]* [0-9]* */\1 /' >found
same maps expected found
instrument instrumented --for=qemu -t prof queued
check signals "[ \$(qemu instrumented 2) = 1 ]"
instrument instrumented --for=qemu -t prof again
# From another folder, under another name, with a closed standard input: its descriptors are those of the program.
mkdir folder && mv instrumented folder && ln -s folder/instrumented link
(qemu -0 other link 2 <&- || echo $?) >found
(qemu -0 other again 2 <&- || echo $?) >expected
same names expected found
check names/expected "grep -q ' other 2$' expected && grep -qx 7 expected" expected
