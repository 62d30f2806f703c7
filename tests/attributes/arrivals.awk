# arrivals.awk BLOCKS TEXT: what is wrong with a block's from_outside and follows. BLOCKS has address, from_outside, follows; TEXT is
# objdump's. A block that only follows is no branch's target, and behind no transfer; one behind a call comes from outside.
NR == FNR { outside[$1] = $2; follows[$1] = $3; some += $3; next }
/^ *[0-9a-f]+:\t/ {
    pc = $1
    gsub(/[ :]/, "", pc)
    pc = "0x" pc
    if (pc in follows) {
        if (follows[pc] && last ~ /^(br|bsr|jsr|jmp|ret|call_pal|callsys|jsr_coroutine)$/) { print pc, "follows", last; wrong = 1 }
        if (!outside[pc] && last ~ /^(bsr|jsr|callsys)$/) { print pc, "is behind", last; wrong = 1 }
    }
    if ($3 ~ /^f?b(r|eq|ne|lt|le|gt|ge|lbc|lbs)$/ && match($4, /[0-9a-f]+ </)) target["0x" substr($4, RSTART, RLENGTH - 2)]
    last = $3
}
END {
    for (pc in target)
        if (follows[pc]) { print pc, "is a target"; wrong = 1 }
    if (some < 100) { print "only", some + 0, "blocks follow"; wrong = 1 }
    exit wrong
}
