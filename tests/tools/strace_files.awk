# strace_files.awk: for tools_system.sh: what QEMU's log of system calls says of each file, as the tool io prints it: descriptors are
# followed from the calls that make them.
function row(name) { if (!(name in known)) { known[name] = 1; order[++count] = name } return name }
function file(n) {
    if (!(n in open)) open[n] = row(n == 0 ? "stdin" : n == 1 ? "stdout" : n == 2 ? "stderr" : "descriptor " n)
    return open[n]
}
NR == 1 { process = $1 }
$1 != process || !/\)/ { next }
{
    call = $2; sub(/\(.*/, "", call)
    arguments = $0; sub(/^[0-9]+ [a-z0-9_]+\(/, "", arguments)
    result = $0; sub(/.*\) = /, "", result); failed = result ~ /^-1 errno/
    first = arguments; sub(/[,)].*/, "", first)
}
call == "open" || call == "openat" {
    name = arguments; sub(/^[^"]*"/, "", name); sub(/".*/, "", name); row(name)
    if (failed) wrong[name]++; else { opens[name]++; open[result + 0] = name }
    next
}
call ~ /^(read|write|readv|writev|pread64|pwrite64|lseek|close|dup|dup2|dup3)$/ || call == "fcntl" && /F_DUPFD/ {
    name = file(first + 0)
    if (failed) { wrong[name]++; next }
    if (call ~ /read/) { reads[name]++; got[name] += result }
    else if (call ~ /write/) { writes[name]++; put[name] += result }
    else if (call == "lseek") seeks[name]++
    else if (call == "close") { closes[name]++; delete open[first + 0] }
    else open[result + 0] = name
}
call == "socket" && !failed { open[result + 0] = row("socket") }
# The log does not show which descriptors a pipe has: the lowest free ones. 3 is the log itself.
call ~ /^pipe/ { ends = 0; for (n = 4; ends < 2; n++) if (!(n in open)) { open[n] = row("pipe"); ends++ } }
END {
    for (i = 1; i <= count; i++) {
        n = order[i]
        printf "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", n, opens[n], reads[n], got[n], writes[n], put[n], seeks[n], closes[n], wrong[n]
    }
}
