# links.awk FILE...: prints each link of Markdown files that leads to no file, or to no heading of a file given. It is
# run in the repository's root.
function slug(heading) {
    gsub(/`|\*|\]\([^)]*\)|\[/, "", heading)
    heading = tolower(heading)
    gsub(/[^a-z0-9 _-]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
}
FNR == 1 { folder = FILENAME; if (!sub(/[^\/]*$/, "", folder)) folder = ""; fenced = 0; given[FILENAME] }
/^```/ { fenced = !fenced }
fenced { next }
/^#+ / { heading = $0; sub(/^#+ /, "", heading); anchors[FILENAME "#" slug(heading)] }
{
    rest = $0
    while (match(rest, /\]\([^) ]+\)/)) {
        link = substr(rest, RSTART + 2, RLENGTH - 3)
        rest = substr(rest, RSTART + RLENGTH)
        if (link !~ /^[a-z]+:/) { from[++links] = FILENAME ":" FNR; to[links] = link; base[links] = folder; own[links] = FILENAME }
    }
}
END {
    for (i = 1; i <= links; i++) {
        file = to[i]; sub(/#.*/, "", file)
        anchor = to[i]; if (!sub(/^[^#]*#/, "", anchor)) anchor = ""
        path = file == "" ? own[i] : base[i] file
        while (match(path, /[^\/]+\/\.\.\//)) path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
        sub(/^\.\//, "", path)
        if (system("test -e '" path "'") != 0) print from[i] ": no file: " to[i]
        else if (anchor != "" && path in given && !(path "#" anchor in anchors)) print from[i] ": no heading: " to[i]
    }
    exit links < 100 # nothing was read
}
