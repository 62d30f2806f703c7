# man.awk: converts Markdown as used in this repository to a manual page: awk -v name=atomc -v section=1 -v about=TEXT
# -f man.awk PAGE.md... The heading of a second page is a section, whose parts are subsections. Tables become lists: the
# first cell is the term. Requires only awk. `<!-- options -->` is replaced by the contents of FILE in -v options=FILE.
function inline(text,    out, at, code) {
    gsub(/\\/, "\\e", text)
    out = ""
    while ((at = index(text, "`")) > 0) { # code is bold, and its hyphens are minus signs
        out = out prose(substr(text, 1, at - 1))
        text = substr(text, at + 1)
        at = index(text, "`")
        if (!at) at = length(text) + 1
        code = substr(text, 1, at - 1)
        gsub(/-/, "\\-", code)
        out = out "\\fB" code "\\fP"
        text = substr(text, at + 1)
    }
    out = out prose(text)
    return out ~ /^[.']/ ? "\\&" out : out
}
function prose(text,    at, end, word) {
    while (match(text, /\[[^]]*\]\([^)]*\)/)) { # links: their text
        word = substr(text, RSTART + 1, RLENGTH - 1)
        sub(/\]\(.*/, "", word)
        text = substr(text, 1, RSTART - 1) word substr(text, RSTART + RLENGTH)
    }
    while (match(text, /\*\*[^*]+\*\*/))
        text = substr(text, 1, RSTART - 1) "\\fB" substr(text, RSTART + 2, RLENGTH - 4) "\\fP" substr(text, RSTART + RLENGTH)
    while (match(text, /\*[A-Za-z][^*]*\*/))
        text = substr(text, 1, RSTART - 1) "\\fI" substr(text, RSTART + 1, RLENGTH - 2) "\\fP" substr(text, RSTART + RLENGTH)
    return text
}
function flush() { # the paragraph or item read so far; code may span its lines
    if (text != "") print inline(text)
    text = ""
}
function verbatim(line) {
    gsub(/\\/, "\\e", line)
    gsub(/-/, "\\-", line)
    return line ~ /^[.']/ ? "\\&" line : line
}
function close_block() {
    if (block) { print ".fi"; print ".RE" }
    block = 0
}
function open_block() {
    flush()
    if (!block) { print ".PP"; print ".RS 4"; print ".nf" }
    block = 1
    blank = 0
}
function heading(macro, title) {
    flush()
    close_block()
    gsub(/`/, "", title)
    gsub(/\\/, "\\e", title)
    gsub(/"/, "\\(dq", title)
    print macro " \"" title "\""
    blank = 0
    rows = 0
}
BEGIN {
    printf ".TH %s %s \"\" \"atomc\" \"atomc\"\n.SH NAME\n%s \\- %s\n", toupper(name), section, name, about
}
/^```/ { if (fenced) { close_block(); fenced = 0 } else { open_block(); fenced = 1 } next }
fenced { print verbatim($0); next }
/^<!-- options -->/ { flush(); while ((getline line < options) > 0) print line; next }
/^<!--/ || /^!\[/ { skipping = !/(-->|\)) *$/; next }
skipping { if (/(-->|\)) *$/) skipping = 0; next }
/^    / && (block || (blank && !item)) { while (block && blank-- > 0) print ""; open_block(); print verbatim(substr($0, 5)); next }
/^[[:space:]]*$/ { if (!block) { flush(); item = 0 } blank++; rows = 0; next }
block { close_block() }
/^# / { if (pages++) heading(".SH", toupper(substr($0, 3))); next }
/^## / { heading(pages > 1 ? ".SS" : ".SH", pages > 1 ? substr($0, 4) : toupper(substr($0, 4))); next }
/^###+ / { sub(/^#+ /, ""); heading(".SS", $0); next }
/^\|/ { # the first two rows are titles and a line
    flush()
    if (++rows <= 2) next
    sub(/^\| */, "")
    sub(/ *\|$/, "")
    gsub(/\\\|/, "\001")
    count = split($0, cells, / *\| */)
    rest = ""
    for (i = 2; i <= count; i++) if (cells[i] != "") rest = rest (rest == "" ? "" : "; ") cells[i]
    gsub(/\001/, "|", cells[1])
    gsub(/\001/, "|", rest)
    print ".TP"
    print inline(cells[1])
    print inline(rest)
    next
}
/^[0-9]+\. / || /^- / { flush(); mark = $1; print ".IP " (mark == "-" ? "\\(bu" : mark) " 3"; sub(/^[^ ]+ +/, ""); item = 1; text = $0; blank = 0; next }
{
    if (blank && !item) print ".PP"
    blank = 0
    sub(/^ +/, "")
    text = text == "" ? $0 : text " " $0
}
END { flush(); close_block() }
