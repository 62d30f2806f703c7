# helper_results: results of procedures that analysis routines call, while other paths through these procedures return
# none: sites and routines call adapted copies of them, which must not change the results. Equal to the results without
# such copies, for all ways of calling.
alpha plain "$tests/data/exits.c" "$tests/data/exits.s"
index=0
for options in "--without=delayed-saves --without=renaming --call=wrapper" "" "--call=wrapper" \
    "--call=direct" "--without=renaming" \
    "--without=delayed-saves" "--for=qemu" "--poison"; do
    # shellcheck disable=SC2086
    instrument instrumented $options "$tests/data/helper_results.atd" plain
    qemu instrumented >/dev/null
    mv results.out results.$index
    check "options${options// /}" "[ \$(wc -w <results.$index) = 3 ] && diff results.0 results.$index"
    index=$((index + 1))
done
check much "awk '{ exit \$1 == 0 || \$2 == 0 || \$3 < 100 }' results.0" results.0
