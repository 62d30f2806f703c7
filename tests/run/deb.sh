# deb: the Debian packages: lintian finds no error, and installed in a minimal system they work.
# size: all
# For the minimal system it requires root, and the requirements of scripts/fresh.sh.
make -s -C "$top" deb BUILD="${BUILD#"$top/"}" >log 2>&1 || failed built "make deb failed" log
ls "$BUILD"/deb/*.deb >packages
check packages "[ \$(wc -l <packages) = 2 ]"
if command -v lintian >where; then
    check lintian "lintian --no-cfg --fail-on error $(paste -s -d ' ' packages)"
else
    skipped lintian "lintian is not installed"
fi

cat >expected <<'END'
168 primes
the report
the picture
a package
the manual
removed
END
status=0
FRESH_FILES=$BUILD/deb "$top/scripts/fresh.sh" "$(. /etc/os-release && echo "$VERSION_CODENAME")" \
    'apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends /root/files/*.deb gcc-alpha-linux-gnu libc6.1-dev-alpha-cross qemu-user' \
    'cd /tmp && atomc examples && cd atomc-examples && [ -e gallery/calls/calls.atd ] &&
        alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax primes.c -o /tmp/primes' \
    'cd /tmp && atomc -t prof -t third primes && qemu-alpha primes.atom && grep -q main prof.out && echo the report' \
    'cd /tmp && atomc run -t prof --chart primes >picture 2>&1; grep -q main picture && echo the picture' \
    'atomc package list && atomc package add gallery:calls && echo a package' \
    '[ -e /usr/share/man/man5/atd.5.gz ] && . /usr/share/bash-completion/completions/atomc && echo the manual' \
    'dpkg --purge atomc atomc-doc && [ ! -e /usr/share/atomc ] && [ ! -e /usr/bin/atomc ] && echo removed' >log 2>&1 || status=$?
if [ $status = 3 ]; then
    skipped minimal "$(tail -n 1 log)"
else
    grep -x -F -f expected log >found || true
    check minimal "diff expected found" log
fi
