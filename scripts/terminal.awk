# terminal.awk: draws the text of a terminal as a picture (SVG): LC_ALL=C awk -f terminal.awk TEXT >PICTURE. A line that
# begins with `$ ` is a command.
function escaped(text) {
    gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
    gsub(/ /, "\302\240", text) # other spaces are put together
    return text
}
{
    lines[NR] = $0
    characters = $0
    gsub(/[\200-\277]/, "", characters) # continuation bytes in UTF-8
    if (length(characters) > most) most = length(characters)
}
END {
    width = 8.43 * most + 40
    height = 19 * NR + 34
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", width, height, width, height
    printf "<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"#1d2430\"/>\n"
    printf "<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"14\" fill=\"#d8dee9\">\n"
    for (i = 1; i <= NR; i++) {
        command = lines[i] ~ /^\$ /
        printf "<text x=\"20\" y=\"%d\"%s>%s</text>\n", 19 * i + 11, command ? " fill=\"#a3d39c\"" : "", escaped(lines[i])
    }
    print "</g>\n</svg>"
}
