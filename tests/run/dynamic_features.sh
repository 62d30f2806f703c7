#!/bin/bash
# dynamic_features.sh: what the dynamic linker and the C library do for programs goes on: lazy binding and LD_BIND_NOW, models of
# thread-local data, versions of symbols, the order of initialization, data protected after relocation, dl_iterate_phdr, dladdr,
# LD_PRELOAD, exceptions across objects.
# Requires: atomc (ATOMC), the Alpha cross compilers and libraries, qemu-alpha; run from the repository's root.
#
# Alpha has no indirect functions (GCC refuses the attribute, there is no R_ALPHA_IRELATIVE), and its linker makes no copy
# relocations: programs reach other objects' data through the global offset table. Both are tried: the test fails when that changes.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/dynamic.lib
. tests/run/dynamic.lib
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage
here=tests/dynamic/features
made=$scratch/made # libraries, which the programs find beside their working directory's files
mkdir "$made"

library() { # NAME FLAGS...: libNAME.so from libNAME.c or .cc
    local name=$1 source=$here/lib$1.c compiler=alpha-linux-gnu-gcc
    shift
    [ -e "$source" ] || { source=$here/lib$name.cc compiler=alpha-linux-gnu-g++; }
    $compiler -O2 -g -fPIC -shared -Wl,--no-relax,-rpath,.,-soname,"lib$name.so" "$source" -o "$made/lib$name.so" -L"$made" "$@"
}
program() { # NAME FLAGS...: for both kinds
    local name=$1 source=$here/$1.c compiler=alpha-linux-gnu-gcc
    shift
    [ -e "$source" ] || { source=$here/$name.cc compiler=alpha-linux-gnu-g++; }
    $compiler -O2 -g -fno-pie -no-pie -Wl,--no-relax,-rpath,. "$source" -o "$scratch/$name-dynamic" -L"$made" "$@"
    $compiler -O2 -g -fPIE -pie -Wl,--no-relax,-rpath,. "$source" -o "$scratch/$name-pie" -L"$made" "$@"
}

# check NAME WAY OBJECTS ENVIRONMENT...: plain and instrumented alike.
check() {
    local name=$1 way=$2 objects=$3 kind test setting
    local -a options=(-L "$libraries")
    shift 3
    for setting in "$@"; do options+=(-E "$setting"); done
    for kind in dynamic pie; do
        unset -f normalise
        if [ "$kind" = pie ]; then # atomc puts the program elsewhere than qemu-user does
            normalise() { sed 's/ 0x[0-9a-f]*//' "$1"; }
        fi
        test=dynamic/features/$name-$kind/$way/${objects%%,*}
        if ! (cd "$made" && "$ATOMC" --objects="$objects" -t prof -D libraries=true "$scratch/$name-$kind" -o "$scratch/instrumented") >"$scratch/log" 2>&1; then
            failed "$test" "atomc failed" "$scratch/log"
            continue
        fi
        run_program "$scratch/plain" "$name" "$scratch/$name-$kind" "$made" "" "${options[@]}" --
        run_program "$scratch/prof" "$name" "$scratch/instrumented" "$made" "" "${options[@]}" --
        [ -s "$scratch/plain/stdout" ] || failed "$test" "the program prints nothing" "$scratch/plain/stderr"
        same_results "$test" "$scratch/plain" "$scratch/prof" prof.out
        case ,$objects, in
        *,main,* | *,all,*) counted "$test/rows" main ;;
        *) counted "$test/rows" ".*" ;;
        esac
        [ "$objects" != all ] || counted "$test/rows" "_dl_catch_exception|malloc|_dl_allocate_tls"
    done
}
# Is there a row of a procedure of this name?
counted() { # TEST PATTERN
    awk -F'\t' -v pattern="^($2)\$" '$4 ~ pattern && $2 > 0 { found = 1 } END { exit !found }' "$scratch/prof/files/prof.out" ||
        failed "$1" "prof.out has no row of $2" "$scratch/prof/files/prof.out"
}

# ---- thread-local data, by the models' names ----
library tls
library tls_opened
program tls -ltls -pthread -ldl
check tls models main
check tls models all
check tls models "all,$made/libtls_opened.so"
for model in global-dynamic initial-exec; do
    library tls -ftls-model=$model
    check tls $model all
done
library tls

# ---- versions of symbols ----
library versions -Wl,--version-script=$here/libversions.map
program versions -lversions -ldl
check versions both main
check versions both all

# ---- the order of beginnings and ends ----
library order_inner
library order -Wl,-init,outer_begins,-fini,outer_ends -lorder_inner
program order -lorder -lorder_inner
check order order main
check order order liborder
check order order all

# ---- headers, names of addresses, protected data, the moment of binding ----
library headers
program headers -lheaders -ldl -Wl,-z,relro
check headers lazy main
check headers lazy all
check headers now main LD_BIND_NOW=1
check headers now all LD_BIND_NOW=1
program headers -lheaders -ldl -Wl,-z,relro,-z,now
check headers linked-now all
if grep -q 'relro.*protected' "$scratch/prof/stdout" && ! grep -q 'relro.*writable' "$scratch/prof/stdout"; then
    passed dynamic/features/protected
else
    failed dynamic/features/protected "the test says nothing of protected data" "$scratch/prof/stdout"
fi

# ---- preloaded libraries ----
library preload
library preloaded -ldl
program preload -lpreload
check preload without all
check preload preloaded main LD_PRELOAD=./libpreloaded.so
check preload preloaded all LD_PRELOAD=./libpreloaded.so
check preload preloaded "all,$made/libpreloaded.so" LD_PRELOAD=./libpreloaded.so

# ---- exceptions: every choice of three objects ----
library throws_inner
library throws -lthrows_inner
program throws -lthrows -lthrows_inner
for objects in main main,libthrows main,libthrows_inner libthrows_inner main,libthrows,libthrows_inner all; do
    check throws "${objects//,/+}" "$objects"
done

# ---- what Alpha does not have ----
printf '%s\n' 'static int one(void) { return 1; }' 'static int (*pick(void))(void) { return one; }' 'int f(void) __attribute__((ifunc("pick")));' >"$scratch/indirect.c"
if alpha-linux-gnu-gcc -c "$scratch/indirect.c" -o "$scratch/indirect.o" 2>/dev/null; then
    failed dynamic/features/indirect "this compiler has indirect functions now: there are to be tests of them"
else
    passed dynamic/features/indirect
fi
printf '%s\n' 'extern char **environ;' 'extern void *stdout;' 'int main(void) { return !environ || !stdout; }' >"$scratch/copied.c"
alpha-linux-gnu-gcc -O2 -fno-pie -no-pie "$scratch/copied.c" -o "$scratch/copied"
if alpha-linux-gnu-readelf -rW "$scratch/copied" | grep -q R_ALPHA_COPY; then
    failed dynamic/features/copies "this linker makes copy relocations now: there are to be tests of them"
else
    passed dynamic/features/copies
fi
[ "$failures" = 0 ]
