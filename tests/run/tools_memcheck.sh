# tools_memcheck: docs/internals/memcheck.md has the results of third and valgrind's memcheck for the same planted
# defects; memcheck finds none that third does not.
# size: all
if ! command -v valgrind >log; then
    skipped same "valgrind is not installed (Debian's package valgrind)"
    return
fi
status=0
(cd "$top" && tests/third/memcheck.sh) >found 2>log || status=$?
check none-more "[ $status = 0 ]" log
# Another version of valgrind may find more or less.
version=$(valgrind --version | sed 's/-/ /')
if ! grep -q "$version's" "$top/docs/internals/memcheck.md"; then
    skipped same "docs/internals/memcheck.md is of another version of valgrind"
    return
fi
same same "$top/docs/internals/memcheck.md" found
