# helper_results: what procedures return that analysis routines call, where other ways through them return nothing: sites and
# routines call adapted copies of these, which must leave the value where it is. As without such copies, whatever the call.
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
