# contents.awk FILE...: the pages of Help as JSON, by their first headings.
FNR == 1 { seen = 0 }
!seen && /^# / {
    seen = 1
    title = substr($0, 3)
    gsub(/[`\\"]/, "", title)
    page = FILENAME
    sub(/^docs\//, "", page)
    printf "%s{\"page\": \"%s\", \"title\": \"%s\"}", n++ ? ",\n" : "[", page, title
}
END { print "]" }
