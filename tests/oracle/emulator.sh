#!/bin/bash
# emulator.sh FOLDER: writes there what the tests need to know of this machine's qemu-alpha and qemu-aarch64. They call
# FOLDER/qemu-alpha and FOLDER/qemu-aarch64, which are emulate.c: programs run under the distribution's emulator; with -plugin, under
# one of the same version that can load plugins. It takes -singlestep, whatever the emulator calls that, and places the program's
# memory the same way each time. The files are
#   with-plugins  a link to the emulator that can load plugins
#   layout        shell variables, in hexadecimal: libraries_text, between which addresses libraries are, and program_base, where a
#                 position-independent program is
#   interface.h   PLUGIN_INTERFACE, the version of its plugin interface, 1 (QEMU 4.2 to 8.2) or 3 (9.1 and later), and EMULATOR...
# From Debian 13 on, the distribution's emulator cannot load plugins. Then one that can is built from the distribution's source package,
# in some minutes, and kept in ATOMC_EMULATORS (default ~/.cache/atomc-emulators), by version.
# Requires: qemu-alpha; to build, apt-get and the packages that scripts/setup.sh installs for it. Exit status 1 if it cannot be built.
set -eu
if [ "$1" = --build ]; then # FOLDER [VERSION]: builds it there, of that version, or of the one that has followed it
    base=$2 sources=$2/apt tests=$(cd "$(dirname "$0")/.." && pwd)
    # shellcheck source=tests/lib/sources.sh
    . "$tests/lib/sources.sh"
    { [ -n "$3" ] && download "qemu=$3" "$base/source"; } || download qemu "$base/source"
    rm -rf "$base/tree"
    dpkg-source --no-check -x "$base/source"/*.dsc "$base/tree"
    # QEMU 10.0 leaves out the file that has qemu_plugin_start_code, by a wrong name of a condition; so it was never compiled.
    sed -i "s/when: 'CONFIG_TCG_PLUGINS', if_true: //" "$base/tree/linux-user/meson.build"
    sed -i 's/#include "qemu.h"/&\n#include "loader.h"/' "$base/tree/linux-user/plugin-api.c"
    mkdir "$base/tree/build"
    cd "$base/tree/build"
    ../configure --target-list=alpha-linux-user,aarch64-linux-user --without-default-features --enable-linux-user --enable-plugins \
        --disable-install-blobs --disable-werror
    ninja -j "${JOBS:-2}" qemu-alpha qemu-aarch64
    for name in qemu-aarch64 qemu-alpha; do # the last one says that both are there
        cp $name "$base/$name.new"
        mv "$base/$name.new" "$base/$name"
    done
    exit 0
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
kept=${ATOMC_EMULATORS:-${XDG_CACHE_HOME:-$HOME/.cache}/atomc-emulators}
emulator=$(command -v qemu-alpha || command -v qemu-alpha-static) || { echo "emulator.sh: there is no qemu-alpha" >&2 && exit 1; }
version=$("$emulator" --version | sed -n 's/^qemu-alpha version \([0-9.]*\).*/\1/p')
major=${version%%.*}

# Prints the path of the emulator that has been built.
build() {
    local package base
    package=$(dpkg-query -W -f '${source:Version}\n' qemu-user qemu-user-static 2>/dev/null | sed -n '/./{p;q}')
    base=$kept/two-machines-${package:-$version}
    base=${base//:/-} # of the epoch: meson takes no such folder
    mkdir -p "$base"
    exec 9>"$base/lock"
    flock 9
    if [ ! -e "$base/qemu-alpha" ]; then
        bash -eu "$0" --build "$base" "$package" >"$base/log" 2>&1 </dev/null ||
            { tail -n 20 "$base/log" >&2 && echo "emulator.sh: see $base/log" >&2 && return 1; }
        rm -rf "$base/tree" "$base/apt" "$base/source" "$base"/*.tar.*
    fi
    echo "$base"
}

plugins=$emulator aarch64=$(command -v qemu-aarch64 || true)
aarch64_plugins=$aarch64
"$emulator" --help | grep -q -e '-plugin ' || {
    plugins=$(build)/qemu-alpha
    aarch64_plugins=${plugins%/*}/qemu-aarch64
}
ln -sfn "$plugins" "$folder/with-plugins"

# An emulator that can load plugins is linked dynamically, and takes 12 ms more to start than a static one, in thousands of short
# runs. Prints the path of the static one of exactly the same version, of which only this file is kept: installed, its package would
# register it with the kernel. Where it cannot be fetched, a file none remains, and the dynamic one is used from then on.
static_one() {
    local package base
    package=$(dpkg-query -W -f '${db:Status-Abbrev}${Version}\n' qemu-user 2>/dev/null | sed -n 's/^ii *//p')
    [ -n "$package" ] && [ "$emulator" = /usr/bin/qemu-alpha ] || return 0
    base=$kept/static-${package//:/-}
    mkdir -p "$base"
    exec 9>"$base/lock"
    flock 9
    if [ ! -e "$base/qemu-alpha" ] && [ ! -e "$base/none" ]; then
        (cd "$base" && apt-get -q -o APT::Sandbox::User="$(id -un)" download "qemu-user-static=$package" &&
            dpkg-deb --fsys-tarfile ./*.deb | tar -xf - ./usr/bin/qemu-alpha-static) >"$base/log" 2>&1 </dev/null || true
        mv "$base/usr/bin/qemu-alpha-static" "$base/qemu-alpha" 2>/dev/null || touch "$base/none"
        rm -rf "$base/usr" "$base"/*.deb
    fi
    # What it says of itself must be what the installed one says.
    [ ! -e "$base/qemu-alpha" ] || [ "$("$base/qemu-alpha" --version 2>&1 | head -n 1)" != "$("$emulator" --version | head -n 1)" ] ||
        echo "$base/qemu-alpha"
}
if [ "$plugins" = "$emulator" ]; then
    other=$(static_one)
    emulator=${other:-$emulator}
fi

# In QEMU 9 the option -singlestep became -one-insn-per-tb, and memory came to be where the host's kernel puts it, at random. In a
# reserved address space of the size that Linux gives on Alpha (TASK_SIZE, 2^42) it is at the same addresses each time, whatever the
# emulator itself allocates (which setarch -R alone would let in).
single=-singlestep layout= first=4000000000 program=4000000000
if [ "$major" -ge 9 ]; then
    single=-one-insn-per-tb layout='"-R", "0x40000000000", ' first=20000000000 program=20001000000
fi
printf 'libraries_text=%s-%s program_base=%s\n' $first "${first%0000000}3800000" $program >"$folder/layout"
cat >"$folder/interface.h.new" <<END
/* Made by tests/oracle/emulator.sh, of QEMU $version. */
#define PLUGIN_INTERFACE $((major >= 9 ? 3 : 1))
#define EMULATOR "$emulator"
#define EMULATOR_WITH_PLUGINS "$plugins"
#define EMULATOR_SINGLE_STEP "$single"
#define EMULATOR_LAYOUT ${layout}NULL
#define EMULATOR_AARCH64 "$aarch64"
#define EMULATOR_AARCH64_WITH_PLUGINS "$aarch64_plugins"
END
cmp -s "$folder/interface.h.new" "$folder/interface.h" || mv "$folder/interface.h.new" "$folder/interface.h"
rm -f "$folder/interface.h.new"
