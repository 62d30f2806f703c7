# model.awk: the predictor of packages/gallery/predictor/tournament.atd, over a trace of outcomes. Prints for each branch: its address,
# executions, wrong guesses of the tournament, of the local and of the global predictor.
function count(value, up, most) {
    return up ? (value < most ? value + 1 : most) : (value > 0 ? value - 1 : 0)
}
{
    at = int($1 / 4) % 1024
    past = histories[at] + 0
    by_local = local[past] >= 4
    by_global = global[path + 0] >= 2
    executed[$1]++
    wrong[$1] += (choice[path + 0] >= 2 ? by_global : by_local) != $2
    local_wrong[$1] += by_local != $2
    global_wrong[$1] += by_global != $2
    if (by_local != by_global)
        choice[path + 0] = count(choice[path + 0], by_global == $2, 3)
    local[past] = count(local[past], $2, 7)
    global[path + 0] = count(global[path + 0], $2, 3)
    histories[at] = (past * 2 + $2) % 1024
    path = (path * 2 + $2) % 4096
}
END {
    for (pc in executed)
        printf "%s\t%d\t%d\t%d\t%d\n", pc, executed[pc], wrong[pc], local_wrong[pc], global_wrong[pc]
}
