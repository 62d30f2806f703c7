# atd: wrong tools and their exact diagnostics, right ones and their plans.
# size: quick
# UPDATE=1 tests/runner.sh quick atd: writes expected files that are missing. To add a test, add its files:
#   tests/atd/errors/NAME.atd, NAME.expected   the output of `atomc --check NAME.atd [NAME.c]`; exit status 1, 0 if all are
#                                              warnings
#   tests/atd/plans/NAME.atd, NAME.plan        the output of `atomc --check --dump=plan NAME.atd [NAME.c]`; exit status 0
# Tests include the files in the folders included/. Commands run in the test's folder: diagnostics name files as given.
number=0 every=$([ "$ATOMC" = "$BUILD/atomc" ] && echo 1 || pick 3 1) # the sanitized atomc is slow
while read -r kind suffix options; do
    for tool in "$tests/atd/$kind"/*.atd; do
        [ $((number++ % every)) = 0 ] || continue
        path=${tool%.atd} name=${tool##*/} inputs=${tool##*/} status=0 wanted=0
        [ ! -e "$path.c" ] || inputs+=" ${name%.atd}.c"
        # shellcheck disable=SC2086
        (cd "$tests/atd/$kind" && exec "$ATOMC" $options $inputs) >found 2>errors || status=$?
        [ ! -s errors ] || cat errors >>found
        [ "$kind" = plans ] || ! grep -q ' error: ' found || wanted=1
        [ -z "${UPDATE:-}" ] || [ -e "$path.$suffix" ] || [ $status != $wanted ] || cp found "$path.$suffix"
        check "$kind/${name%.atd}" "[ $status = $wanted ] && diff '$path.$suffix' found"
    done
done <<'END'
errors expected --check
plans plan --check --dump=plan
END
