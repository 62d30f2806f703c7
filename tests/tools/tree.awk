# tree.awk: for tools_leaving.sh: from hiprof's trees of calls, how many have each way of calls from work down, so often.
/^Thread/ { tree = 1; top = 0 }
tree && $5 ~ /^(work|one_round|throws|jumps|after_throw|after_jump)$/ {
    column = length($0) - length($5)
    while (top > 0 && columns[top] >= column) top--
    columns[++top] = column
    path[top] = (top > 1 ? path[top - 1] "/" : "") $5
    times[path[top] " " $4]++
}
END { for (way in times) print times[way], way }
