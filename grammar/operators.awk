# operators.awk: fills in what atd.l and atd.y leave to plan/operators.def: awk -f operators.awk operators.def FILE.
# A line with one of these stands for a line for each such operator, with the name of its token instead:
#   OPERATOR_TOKEN   in a rule: those whose level is the rule
#   OPERATOR_SIGN    written as one sign, which is the token
#   OPERATOR_SYMBOL  written in several signs
#   OPERATOR_WORD    written in letters
# OPERATOR_ID becomes the identifier there, OPERATOR_TEXT what is written.

function is_word(i) {
    return text[i] ~ /^[a-z]/
}
function is_sign(i) {
    return length(text[i]) == 1
}
function stands_for(which, i) {
    if (which == "OPERATOR_TOKEN")
        return level[i] == rule
    if (which == "OPERATOR_SIGN")
        return is_sign(i) && first[text[i]] == i # there is one `-` for two operators
    return which == "OPERATOR_WORD" ? is_word(i) : !is_word(i) && !is_sign(i)
}
function put(where, by) {
    gsub(/&/, "\\\\&", by) # no match's text
    gsub(where, by, line)
}
function fill(which, i) {
    for (i = 1; i <= count; i++)
        if (stands_for(which, i)) {
            line = $0
            put(which, is_sign(i) ? "'" text[i] "'" : id[i])
            put("OPERATOR_ID", id[i])
            put("OPERATOR_TEXT", text[i])
            print line
        }
}

FNR == NR && /^OPERATOR\(/ {
    split(substr($0, 10), part, ", ")
    id[++count] = part[1]
    text[count] = substr(part[2], 2, length(part[2]) - 2)
    level[count] = part[3]
    if (!(text[count] in first))
        first[text[count]] = count
}
FNR == NR { next }
/^[a-z_]+$/ { rule = $0 }
match($0, /OPERATOR_(TOKEN|SIGN|SYMBOL|WORD)/) {
    fill(substr($0, RSTART, RLENGTH))
    next
}
{ print }
