# dynamic_objects: objects of dynamic programs as places: actions before and after them are executed when the dynamic
# linker reports that they are loaded and unloaded, as often as the program itself reports. The instructions that each
# executes equal the oracle's. Instructions that libraries execute before the program's entry and after its exit are
# counted, in that order, by analysis code that needs its C library from the beginning.
. "$tests/lib/dynamic.sh"
. "$tests/lib/comings.sh"
come=$scratch/come # come0.so to come3.so
plug_ins=${come}0.so,${come}1.so,${come}2.so,${come}3.so,$scratch/missing.so

# The dynamic linker's report with LD_DEBUG=files: "+ NAME BASE" for each library that it loads, "- NAME" for each that
# it unloads; only for instrumented libraries: the names in the file of names.
linker_events() { # LOG
    sed -n -e '/generating link map/{s/.*file=\([^ ]*\) .*/+ \1/;h}' -e \
        '/ base: 0x/{s/.* base: 0x0*\([^ ]*\) .*/\1/;H;x;s/\n/ /p}' \
        -e 's/.*file=\([^ ]*\) .*destroying link map.*/- \1/p' "$1" |
        sed 's/ .*\// /' | awk 'FNR == NR { wanted[$1]; next } $2 in wanted' names -
}
# The same from the tool's output. The dynamic linker does not report itself and the program.
tool_events() { # LOG
    grep -E '^[+-] ' "$1" | grep -v -E '^\+ (comings|ld-linux)' | sed 's/^\(- [^ ]*\) .*/\1/'
}
# The libraries that are loaded when the program has ended, in reverse order of loading.
last_events() { # LOG EVENTS
    awk 'FNR == NR { if ($1 == "+") { order[++count] = $2; there[$2] = count } next }
        $1 == "-" { delete there[$2] }
        END { for (i = count; i > 0; i--) if (there[order[i]] == i) print "- " order[i] }' "$1" "$2"
}
# Objects are unloaded as often as they are loaded, come0.so that many times. All loaded libraries execute instructions;
# missing.so does not.
right_counts() { # COMINGS
    awk -F'\t' -v comings="$1" '
        NR > 1 && ($2 != $3 || ($1 == "come0.so" && $2 != comings) || ($2 > 0 &&
            $1 != "missing.so") != ($5 > 0)) { print; bad = 1 }
        END { exit bad || NR < 2 }' found/files/comings.out
}

# try OBJECTS-KIND COMINGS ARGUMENT...: come0.so is loaded COMINGS times.
try() {
    local test=$1/$3
    [ "${5:-}" != abort ] || test+=-abort
    target comings "comings-${1#*-}" "${@:3}"
    live plain "$program"
    live found "$1" -E LD_DEBUG=files
    check "$test" "diff plain/stdout found/stdout && diff plain/status found/status"
    awk -F'\t' 'NR > 1 && $10 == 1 { print $1 }' found/files/comings.out >names
    linker_events found/stderr >linker
    last_events found/stderr linker >last
    tool_events found/stderr >tool
    check "$test/linker" '[ -s linker ] && cat linker last | diff - tool'
    check "$test/order" "! grep -E 'twice|is not there' found/stderr &&
        grep -v '^qemu: ' found/stderr | tail -n 1 | grep -x 'the program ends'"
    check "$test/counts" "right_counts $2"
}

for item in $(pick "all-dynamic main-pie" "main-dynamic all-dynamic main-pie all-pie"); do
    instrument "$item" --objects="${item%-*},$plug_ins" "$tests/data/comings.atd" "comings-${item#*-}"
    while read -r comings way; do
        # shellcheck disable=SC2086
        try "$item" "$comings" $way
    done <<END
30 loop ${come}0.so
20 threads ${come}0.so ${come}1.so ${come}2.so ${come}3.so
0 missing $scratch/missing.so
1 stays ${come}0.so
1 stays ${come}0.so abort
END
done

# Only a library is instrumented: the program is still an object, but has no actions.
target comings comings-dynamic loop "${come}0.so"
instrument instrumented --objects="libbetween,${come}0.so" "$tests/data/comings.atd" "$program"
live found instrumented
prints left-out cut -f1-3,6,12 found/files/comings.out <<'END'
Object	Came	Gone	Calls	LeftOut
comings-dynamic	0	0	0	1
libbetween.so	1	1	0	0
come0.so	30	30	300	0
END
live found all-dynamic
executed=$(awk -F'\t' '$1 ~ /^comings-/ || $1 == "come0.so" { sum += $5 } END { print sum }' found/files/comings.out)
# Counters of every kind; derived or not, alone or with another tool.
for options in "" "--without=placement" "-t prof"; do
    # shellcheck disable=SC2086
    instrument instrumented --objects="main,${come}0.so" "$tests/data/comings_mixed.atd" $options "$program"
    live found instrumented
    prints "mixed${options// /}" cat found/files/mixed.out <<END
$((executed + 31 * 101000)) $executed 1 0 1 100
0 1
1 30
comings-dynamic 11
come0.so 330
END
done

# ---- what each executes ----
# object_counts [BASE]: each object and the oracle's count for it. BASE: a line of bases, of a plug-in.
object_counts() {
    count_executions own libraries
    write_bases all
    printf '%s' "$@" >>bases
    cat own.txt libraries.txt | moved |
        awk -F'\t' '{ sum[$NF] += $3 } END { for (object in sum) printf "%s\t%.0f\n", object, sum[object] }' | sort
}
# The plug-in is at the address that the tool reports first, or at higher addresses when it is loaded again.
for way in "loop ${come}0.so" "stays ${come}0.so" "missing $scratch/missing.so"; do
    # shellcheck disable=SC2086
    target comings comings-dynamic $way
    live found all-dynamic
    object_counts "$(sed -n '/^+ \(come\|missing\)/{s/^+ //;s/$/ 0/p;q}' found/stderr)" >expected
    awk -F'\t' 'NR > 1 && $5 > 0 { print $1 "\t" $5 }' found/files/comings.out | sort >sums
    check "counts/${way%% *}" "awk '{ all += \$2 } END { exit all < 100000 }' sums && diff expected sums"
done

# ---- before the program's entry and after its exit ----
shared libearly.so "$tests/data/early.c" -fPIC -shared -Wl,-init,early_init -Wl,-fini,early_fini
link_both late "$tests/data/late.c" -L. -learly -Wl,-rpath,"$scratch"

# The effects of the sources, in order: late.c, early.c.
expected_log() { # PROGRAM END
    printf 'program\n+ %s\n+ libearly.so\n' "$1"
    printf 'main 1 0.5\ninit 2 1.0\nfirst 7 3.5\nsecond 5 2.5\nmain 18 9.0\n'
    [ "$2" != exit ] || printf 'exit 11 5.5\nmain 1 0.5\nlast 13 6.5\nfini 3 1.5\n'
    printf -- '- libearly.so\n- %s\nend\n' "$1"
}

for kind in dynamic pie; do
    instrument some --objects=main,libearly "$tests/data/early.atd" late-$kind
    instrument all --objects=all "$tests/data/early.atd" late-$kind
    for end in exit _exit; do
        target late late-$kind
        [ $end = exit ] || arguments=(x)
        live plain "$program"
        for objects in some all; do
            test=constructors/$objects-$kind/$end
            alike $test $objects
            expected_log late-$kind $end >expected
            grep -v -E '^[+-] (ld-|libc)' found/files/early.log >log || true
            check $test/order "diff expected log && [ \$(cat found/files/calls.out) = $([ $end = exit ] && echo 61 || echo 33) ]"
        done
        object_counts >expected
        sed 1d found/files/early.out | sort >sums
        same $test/counts expected sums
    done
done

# A library that the program does not name: it is loaded first because of the environment.
echo 'int main(void) { return 9; }' >nothing.c
shared nothing nothing.c -fno-pie -no-pie
instrument instrumented --objects="main,$scratch/libearly.so" "$tests/data/early.atd" nothing
target nothing nothing
live found instrumented -E LD_PRELOAD="$scratch/libearly.so"
check constructors/preloaded/status '[ $(cat found/status) = 9 ]'
expected_log nothing exit | grep -v -E '^(main|exit) ' | prints constructors/preloaded cat found/files/early.log

# ---- a second copy, which is said ----
cat >twice.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char **words) {
    void *handles[2] = {dlopen(words[1], RTLD_NOW), dlmopen(LM_ID_NEWLM, words[1], RTLD_NOW)};
    for (int i = 0; i < 2; i++) {
        int (*step)(void) = handles[i] ? (int (*)(void))dlsym(handles[i], "step") : NULL;
        printf("%d\n", step ? step() + step() : -1);
    }
    return count - 2;
}
END
echo 'int step(void) { static int steps; return ++steps; }' >stepping.c
cat >steps.atd <<'END'
# steps.atd: how often step is called.
tool steps "calls of step"
counter calls
for p in procs where p.name == "step" { before p calls++ }
report "steps.out" "Calls" calls
END
shared twice twice.c -ldl
shared stepping.so stepping.c -fPIC -shared -nostdlib
instrument instrumented --objects="main,$scratch/stepping.so" steps.atd twice
target twice twice "$scratch/stepping.so"
live plain "$program"
live found instrumented
same twice/output plain/stdout found/stdout
prints twice/said grep 'second time' found/stderr <<END
atomc: $scratch/stepping.so is in memory a second time: only the first copy is instrumented
END
prints twice/counts cat plain/stdout found/files/steps.out <<'END'
3
3
Calls
2
END

# A procedure without a symbol is named after its library, regardless of the other instrumented objects: the address is
# the address in the file.
cat >unnamed.atd <<'END'
# unnamed.atd: procedures of the C library.
tool unnamed "procedures of the C library"
report "unnamed.out" for p in procs where p.object like "libc.so*" "Name" p.name, "PC" p.pc
END
for objects in libc all; do
    instrument instrumented --objects=$objects unnamed.atd twice
    live found instrumented
    cut -f1 found/files/unnamed.out >names.$objects
    cut -f2 found/files/unnamed.out >addresses.$objects
done
check unnamed/moved '! cmp addresses.libc addresses.all'
same unnamed/names names.libc names.all
alpha-linux-gnu-objdump -d --prefix-addresses "$libraries"/lib/libc.so.6.1 |
    sed -n 's/^0*\([0-9a-f]*\) .*/libc.so.6.1+0x\1/p' | sort >places
check unnamed/places "[ \$(grep -c -F + names.all) -gt 50 ] && ! grep -F + names.all | sort | comm -23 - places | grep ."

# If a place has several names, a procedure has the name of the default version.
cat >old.atd <<'END'
tool old "another name"
counter calls
for p in procs where p.name == "cfree" { before p calls++ }
report "-" "Calls" calls
END
check names/version 'grep -q -x free names.all && ! grep -q -x cfree names.all'
prints names/other "$ATOMC" --check --objects=libc old.atd twice <<'END'
old.atd:3:42: warning: twice: nothing in the program is selected here
  for p in procs where p.name == "cfree" { before p calls++ }
                                           ^~~~~~~~~~~~~~~~
hint: "cfree" is another name of "free"
END
