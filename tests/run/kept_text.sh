# kept_text: a dynamic program that is copied as a whole reads its own unchanged instructions, and behaves the same
# otherwise; its counts are exact. docs/internals/engine/copy.md, "Partial copies".
. "$tests/lib/dynamic.sh"
link_both kept_text "$tests/data/kept_text.c" -pthread
for linked in dynamic $(pick "" pie); do
    target kept_text kept_text-$linked
    live plain "$program"
    count_executions own
    for tool in prof $(pick cache "cache audit empty"); do
        instrument instrumented --copy=all -t $tool "$program" || continue
        alike $linked/$tool instrumented
        check $linked/$tool/text "[ \$(cat plain/status) = 7 ] && grep -q '^1 9 50 10 42 42$' plain/stdout"
        [ $tool != prof ] || [ $linked = pie ] || # elsewhere in memory
            check $linked/counts "bash '$tests/lib/counts.sh' prof own.txt found/files/prof.out '$program'"
    done
done
for each in $(pick "" "lua mawk"); do
    use $each dynamic "$(. "$tests/programs/$each/program.sh" && echo "${workloads%% *}")" || continue
    live plain "$program"
    count_executions own
    for tool in prof cache audit; do
        instrument instrumented --copy=all -t $tool $atomc_flags "$program" || continue
        alike $each/$tool instrumented
        [ $tool != prof ] ||
            check $each/counts "bash '$tests/lib/counts.sh' prof own.txt found/files/prof.out '$program' '$stable'"
    done
done
