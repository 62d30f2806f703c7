# options.awk: the options of `atomc --help=all`, which is the only list of them, for others to read.
# awk -v form=FORM -f options.awk: FORM is
#   man     a list for a manual page
#   list    lines of: brief or -, long or -, argument or -, what it does
# Requires the form that help has: `  -b, --long=ARGUMENT  text`, further lines of text further right, titles of groups that end with a colon.
function finish(    words, count, i, word, brief, long, argument) {
    if (spelled == "" || (form == "list" && spelled == "-")) return
    if (form == "man") {
        gsub(/-/, "\\-", spelled)
        print ".TP"
        print ".B " spelled
        gsub(/\\/, "\\e", text)
        print text
    } else {
        count = split(spelled, words, /,? +/)
        brief = long = argument = "-"
        for (i = 1; i <= count; i++) {
            word = words[i]
            if (word ~ /^--/) {
                if (index(word, "=")) { argument = substr(word, index(word, "=") + 1); word = substr(word, 1, index(word, "=") - 1) }
                long = word
            } else if (word ~ /^-./) brief = word
            else argument = word
        }
        print brief "\t" long "\t" argument "\t" text
    }
    spelled = text = ""
}
/^[A-Z].*:$/ { finish(); inside = 1; if (form == "man") print ".SS \"" substr($0, 1, length($0) - 1) "\""; next }
/^[^ ]/ || /^$/ { finish(); if (/^[^ ]/) inside = 0; next }
/ all others: / { finish(); next } # of atomc run
inside && /^  -/ {
    finish()
    spelled = substr($0, 3)
    if (match(spelled, /  +/) || match(spelled, /^--[a-z]+=[^ ]+ /)) {
        if (spelled ~ /^--[a-z]+=[^ ]+ [^ ]/) { RSTART = index(spelled, " "); RLENGTH = 1 } # too long for its column
        text = substr(spelled, RSTART + RLENGTH); spelled = substr(spelled, 1, RSTART - 1) }
    next
}
inside && spelled != "" { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0 }
END { finish() }
