#!/bin/bash
# fetch.sh: unpacks the run-time tests of GCC 12 from Debian's package gcc-12-source and prints their folder.
# Requires: apt-get and dpkg-deb, BUILD; the package need not be installed. It fails if it cannot be fetched.
set -eu
base=$BUILD/sources/gcc-torture
mkdir -p "$base"
exec 9>"$base/lock"
flock 9
if [ ! -e "$base/ready" ]; then
    {
        archive=$(echo /usr/src/gcc-12/gcc-12*.tar.xz)
        rm -rf "$base/tests" "$base/package"
        mkdir -p "$base/tests" "$base/package"
        if [ ! -f "$archive" ]; then
            cd "$base/package"
            # The lists may be old.
            apt-get -q download gcc-12-source || { [ "$(id -u)" = 0 ] && apt-get -q update && apt-get -q download gcc-12-source; }
            dpkg-deb -x ./*.deb files
            archive=$(echo files/usr/src/gcc-12/gcc-12*.tar.xz)
        fi
        tar -xJf "$archive" -C "$base/tests" --strip-components=3 --wildcards '*/gcc/testsuite/gcc.c-torture/execute/*' \
            '*/gcc/testsuite/g++.dg/eh/*' '*/gcc/testsuite/gfortran.fortran-torture/execute/*'
        rm -rf "$base/package"
        touch "$base/ready"
    } >"$base/log" 2>&1
fi
echo "$base/tests"
