# dynamic_features: functions of the dynamic linker and the C library continue to work: lazy binding and LD_BIND_NOW,
# models of thread-local data, versions of symbols, the order of initialization, data protected after relocation,
# dl_iterate_phdr, dladdr, LD_PRELOAD, and exceptions, threads, signals and plug-ins across objects.
#
# Alpha has no indirect functions (GCC refuses the attribute, there is no R_ALPHA_IRELATIVE), and its linker makes no copy
# relocations: programs reach other objects' data through the global offset table. The test fails when that changes.
. "$tests/lib/dynamic.sh"
here=$tests/dynamic/features
made=$scratch/made # libraries, which the programs find in their working directory
mkdir "$made"

library() { # NAME FLAG...: libNAME.so from libNAME.c or .cc
    shared "$made/lib$1.so" "$here/lib$1".c* -g -fPIC -shared -Wl,-rpath,.,-soname,"lib$1.so" -L"$made" "${@:2}"
}
program() { # NAME FLAG...: of both kinds
    link_both "$1" "$here/$1".c* -g -Wl,-rpath,. -L"$made" "${@:2}"
}
has_row() { # NAMES [OBJECT]: a row of prof.out with -D libraries=true
    awk -F'\t' -v names="^($1)\$" -v object="${2:-}" '$4 ~ names && $2 > 0 && (object == "" || $5 == object) { found = 1 }
        END { exit !found }' found/files/prof.out
}

# try NAME OBJECTS WAY[:ENVIRONMENT]...: plain and instrumented alike, with rows of the instrumented objects.
try() {
    local objects=$2 kind test way environment
    for kind in $(pick "$(case $objects in main*) echo dynamic ;; *) echo pie ;; esac)" "dynamic pie"); do
        target "$1" "$1-$kind"
        inputs=$made
        if [ $kind = pie ]; then # atomc puts the program elsewhere than qemu-user does
            normalise() { sed 's/ 0x[0-9a-f]*//' "$1"; }
        fi
        (cd "$made" && instrument ../instrumented --objects="$objects" -t prof -D libraries=true "../$program") || continue
        for way in "${@:3}"; do
            test=$name-$kind/${objects//$made\//}/${way%%:*}
            environment=()
            [ "$way" = "${way%:*}" ] || environment=(-E "${way#*:}")
            live plain "$program" "${environment[@]}"
            alike "$test" instrumented "${environment[@]}"
            check "$test/prints" '[ -s plain/stdout ]' plain/stderr
            check "$test/rows" 'has_row "$(case $objects in main* | all*) echo main ;; *) echo ".*" ;; esac)"'
            [ "$objects" != all ] || check "$test/rows/linker" 'has_row "_dl_catch_exception|malloc|_dl_allocate_tls"'
        done
    done
}

# Thread-local data, by the models' names.
library tls $(pick -ftls-model=initial-exec "")
library tls_opened
program tls -ltls -pthread -ldl
for objects in $(pick "" "main all") "all,$made/libtls_opened.so"; do
    try tls "$objects" models
done
for model in $(pick '' "global-dynamic initial-exec"); do # the first has the default properties of libraries
    library tls -ftls-model=$model
    try tls all $model
done

# Versions of symbols, and the order of beginnings and ends.
library versions -Wl,--version-script="$here/libversions.map"
program versions -lversions -ldl
library order_inner
library order -Wl,-init,outer_begins,-fini,outer_ends -lorder_inner
program order -lorder -lorder_inner
try order liborder order
for objects in $(pick '' main) all; do
    try versions $objects both
    [ "$SIZE$objects" = checkall ] || try order $objects order
done

# Headers, names of addresses, protected data, the moment of binding.
library headers
program headers -lheaders -ldl -Wl,-z,relro
try headers main $(pick '' lazy) now:LD_BIND_NOW=1
try headers all lazy $(pick "" now:LD_BIND_NOW=1)
program headers -lheaders -ldl -Wl,-z,relro,-z,now
try headers $(pick main all) linked-now
check protected "grep 'relro.*protected' found/stdout && ! grep 'relro.*writable' found/stdout" found/stdout

# Preloaded libraries.
library preload
library preloaded -ldl
program preload -lpreload
for objects in $(pick "" "main all") "all,$made/libpreloaded.so"; do
    try preload "$objects" without preloaded:LD_PRELOAD=./libpreloaded.so
done

# Exceptions through every choice of three objects.
library throws_inner
library throws -lthrows_inner
program throws -lthrows -lthrows_inner
for objects in $(pick main,libthrows_inner \
    "all main main,libthrows main,libthrows_inner libthrows_inner main,libthrows,libthrows_inner all"); do
    try throws "$objects" through
done

# ---- threads, exceptions, signals in system calls, and a plug-in that comes and goes 50 times ----
shared plugin.so "$tests/data/plugin.cc" -fPIC -shared
plugin=$scratch/plugin.so
link_both objects "$tests/data/objects.cc" -rdynamic -pthread -ldl
ways=(exceptions threads cancel signals "plugins $plugin")
# A tool that calls C at every load and store of every object, with all registers overwritten that are taken to be dead.
instrument poisoned --objects=all --poison -t cache objects-dynamic
for kind in $(pick dynamic "dynamic pie"); do
    for way in "${ways[@]}"; do
        # shellcheck disable=SC2086
        target objects objects-$kind $way
        stable='^_Z[0-9L]*(count_to|work)'
        case $kind-$way in
        *-signals) items=main:branch ;; # not prof: the child of fork writes to the same file
        # Not with pie: the addresses of the program and of libraries differ, and the linker maps the libraries with a
        # different number of calls.
        dynamic-exceptions) items="main:prof all:prof $(pick "" libc:prof)" ;;
        *-threads) items="main:prof $(pick libc:prof "all:prof libc:prof")" ;;
        *) items=main:prof ;;
        esac
        # shellcheck disable=SC2086
        try_counts "objects-$kind/${way%% *}" $items
        case $kind-$way in dynamic-exceptions | dynamic-threads | dynamic-signals) alike \
            "objects-$kind/$way/poison" poisoned ;; esac
    done
done
for kind in $(pick pie "dynamic pie"); do
    instrument instrumented --objects="all,$plugin" -D libraries=true -t prof objects-$kind
    for way in "${ways[@]}"; do
        # shellcheck disable=SC2086
        target objects objects-$kind $way
        live plain "$program"
        alike "objects-$kind/${way%% *}/plugin" instrumented
    done
    check objects-$kind/rows 'has_row plugin_run plugin.so' found/files/prof.out
done
# Another plug-in of the same name is not instrumented, which a message reports.
instrument instrumented --objects="main,$plugin" -t prof objects-dynamic
shared plugin.so "$tests/data/plugin.cc" -O1 -fPIC -shared
target objects objects-dynamic plugins "$plugin"
live plain "$program"
live found instrumented
check other-file "grep 'plugin.so is not instrumented: it is not the file' found/stderr && diff plain/stdout found/stdout" \
    found/stderr

# ---- however the program ends, it does so as before, with results ----
shared signals "$tests/data/signals.c" -fno-pie -no-pie
instrument instrumented -t prof signals
for way in return quick abort segv illegal term pipe alarm ignored; do
    target signals signals $way
    live plain signals
    alike "ends/$way" instrumented
    check "ends/$way/results" "grep '^total' found/files/prof.out"
done

# ---- a static position-independent program that relocates itself ----
# Debian has no rcrt1.o for Alpha, and GCC's -static-pie links none: the linker makes one from an object that has no
# undefined symbols.
shared alone.o "$here/alone.c" -O1 -fPIE -fno-stack-protector -c
alpha-linux-gnu-ld -pie --no-dynamic-linker --no-relax -z noexecstack alone.o -o alone
check alone/kind 'is_pie alone && ! { alpha-linux-gnu-readelf -lW alone | grep INTERP; }'
target alone alone
try_counts alone main:prof
check alone/rows "grep square found/files/prof.out"

# ---- what Alpha does not have ----
check indirect "alpha-linux-gnu-gcc -c '$here/indirect.c' 2>&1 | grep 'ifunc.*not supported'"
shared copied "$here/copied.c" -fno-pie -no-pie
check copies "alpha-linux-gnu-readelf -rW copied >relocations && grep environ relocations && ! grep R_ALPHA_COPY relocations"
