#!/bin/bash
# fresh.sh RELEASE COMMAND...: runs shell commands, one after the other, as root, in a clone of this repository (its
# HEAD) in a fresh minimal Debian: the system that debootstrap makes, with git and make. So the command fails if
# scripts/setup.sh lacks a package. RELEASE is its code name: bookworm (12) or trixie (13). Requires: root, on Debian;
# debootstrap, which it installs if it is missing. Exit status: 3 if such a system cannot be made, after a line with the
# reason; otherwise 0, or the status of the first command that failed.
#
# With FRESH_FILES=FOLDER, the folder's files are in /root/files of the system. The bootstrapped base, downloaded
# packages including npm's, and the emulator that has been built for the oracle are kept in ATOMC_FRESH (default
# /var/cache/atomc-fresh) for the next run.
set -eu
cd "$(dirname "$0")/.."
cache=${ATOMC_FRESH:-/var/cache/atomc-fresh}
[ $# -ge 2 ] || { sed -n '2,4s/^# //p' "$0" >&2 && exit 2; }
release=$1
base=$cache/$release

impossible() {
    echo "fresh.sh: no fresh system here: $1"
    exit 3
}

# All mounts below are in a separate mount namespace, so that none remains.
if [ "${FRESH_STAGE:-}" != inside ]; then
    [ "$(id -u)" = 0 ] || impossible "this needs root"
    command -v apt-get >/dev/null || impossible "this needs Debian's apt-get"
    unshare --mount --pid --fork true 2>/dev/null || impossible "unshare is not permitted"
    if ! command -v debootstrap >/dev/null; then
        { apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends debootstrap; } >/dev/null ||
            impossible "debootstrap cannot be installed"
    fi
    FRESH_STAGE=inside exec unshare --mount --pid --fork --kill-child "$0" "$@"
fi

shift
mkdir -p "$cache"
exec 8>"$cache/lock-$release"
flock 8 # another one of the release has the same folder and packages
archives=$cache/archives-$release emulators=$cache/emulators-$release
mkdir -p "$archives/partial" "$cache/npm" "$emulators"
if [ ! -e "$base/ready" ]; then
    # The mirror from which this machine has its packages: it has other releases, too.
    own=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(ORIGIN)' 'Created-By: Packages' | awk -v r="$own" '$2 == r && $3 == "Debian" { print $1; exit }')
    rm -rf "$base"
    # shellcheck disable=SC2086
    debootstrap --variant=minbase --include=git,make "$release" "$base" $mirror >"$cache/log-$release" 2>&1 ||
        { tail -n 5 "$cache/log-$release" && impossible "debootstrap failed"; }
    touch "$base/ready"
fi
root=$cache/run-$release
rm -rf --one-file-system "$root"
cp -a "$base" "$root"
mount -t proc proc "$root/proc" 2>/dev/null || impossible "/proc cannot be mounted"
mount --rbind /dev "$root/dev"
mount --bind "$archives" "$root/var/cache/apt/archives"
# Names and certificate authorities are the machine's: its network may have some of its own.
cp /etc/resolv.conf /etc/hosts "$root/etc" 2>/dev/null || true
mkdir -p "$root/usr/local/share/ca-certificates" "$root/root/.npm" "$root/root/.cache/atomc-emulators"
cp /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates" 2>/dev/null || true
mount --bind "$cache/npm" "$root/root/.npm"
mount --bind "$emulators" "$root/root/.cache/atomc-emulators"
[ -z "${FRESH_FILES:-}" ] || cp -r "$FRESH_FILES" "$root/root/files"
git -c safe.directory='*' clone -q --no-hardlinks . "$root/root/atomc"

# The environment is also that of the system.
status=0
for command; do
    printf '\nfresh Debian %s (%s packages, awk is %s)$ %s\n' "$(cat "$root/etc/debian_version")" "$(ls "$root"/var/lib/dpkg/info/*.list | wc -l)" \
        "$(basename "$(readlink "$root/etc/alternatives/awk")")" "$command"
    # shellcheck disable=SC2016
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb CI="${CI:-}" chroot "$root" \
        bash -c 'cd /root/atomc; TIMEFORMAT="%R s elapsed, %U s + %S s of CPU time"; time eval "$0"' "$command" </dev/null || status=$?
    [ $status = 0 ] || break
done
umount -l "$root/root/.cache/atomc-emulators" "$root/root/.npm" "$root/var/cache/apt/archives" "$root/dev" "$root/proc"
rm -rf --one-file-system "$root"
exit $status
