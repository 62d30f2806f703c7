# memcheck.awk: what valgrind's memcheck says of the source FILE, from its log, in third's words: lines ERROR <tab> LINE.
function end_error() {
    if (error && line)
        print error "\t" line
    error = line = ""
}
function begin_error(text) {
    end_error()
    error = text
}
{ sub(/^==[0-9]+== ?/, "") }
/^$/ { end_error() }
/^Invalid read/ { begin_error("read outside a block") }
/^Invalid write/ { begin_error("write outside a block") }
/^Invalid free/ { begin_error("free of no block") }
/^Mismatched free/ { begin_error("mismatched free") }
/^Mismatched new\/delete size value/ { begin_error("delete of another size") }
/^Argument .* has a fishy/ { begin_error("absurd size") }
/^Jump to the invalid address/ { begin_error("jump to no memory") }
/^ *Address .* is not stack'd, malloc'd or/ { sub(/read outside a block/, "read of no memory", error); sub(/write outside a block/, "write to no memory", error) }
/^Source and destination overlap/ { begin_error("overlapping copy") }
/^Conditional jump|^Use of uninitialised/ { begin_error("unset read") }
/ (definitely|indirectly) lost in loss record/ { begin_error("leak") }
/^ *Address .* free'd/ { sub(/outside a block/, "of freed memory", error); sub(/write of/, "write to", error); sub(/^free of no block/, "double free", error) }
/created by a heap/ { sub(/unset read/, "unset heap read", error) }
/created by a stack/ { sub(/unset read/, "unset stack read", error) }
# The innermost line of the source.
/^ +(at|by) / && error && !line && index($0, "(" FILE ":") { line = $0; sub(/.*:/, "", line); sub(/\).*/, "", line) }
END { end_error() }
