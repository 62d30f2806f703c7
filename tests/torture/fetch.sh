#!/bin/bash
# fetch.sh: unpacks the run-time tests of GCC 12 from Debian's package gcc-12-source and prints their folder.
# Requires: apt-get and dpkg-deb; the package need not be installed. Exit status 77: it could not be fetched.
set -eu
repository=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=$(mkdir -p "${BUILD:-$repository/build}" && cd "${BUILD:-$repository/build}" && pwd)
base=$BUILD/sources/gcc-torture
package=gcc-12-source

mkdir -p "$base"
exec 9>"$base/lock"
flock 9
if [ ! -e "$base/ready" ]; then
    {
        archive=$(echo /usr/src/gcc-12/gcc-12*.tar.xz)
        if [ ! -f "$archive" ]; then
            mkdir -p "$base/package"
            (
                cd "$base/package"
                rm -f ./*.deb
                apt-get -q download "$package" || {
                    # The lists may be old.
                    [ "$(id -u)" = 0 ] && apt-get -q update && apt-get -q download "$package"
                }
            ) || exit 77
            dpkg-deb -x "$base/package"/*.deb "$base/package/files"
            archive=$(echo "$base"/package/files/usr/src/gcc-12/gcc-12*.tar.xz)
        fi
        rm -rf "$base/tests"
        mkdir -p "$base/tests"
        tar -xJf "$archive" -C "$base/tests" --strip-components=3 --wildcards \
            '*/gcc/testsuite/gcc.c-torture/execute/*' '*/gcc/testsuite/g++.dg/eh/*' \
            '*/gcc/testsuite/gfortran.fortran-torture/execute/*'
        rm -rf "$base/package"
        touch "$base/ready"
    } >"$base/log" 2>&1
fi
echo "$base/tests"
