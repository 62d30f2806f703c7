# examples.awk FILE...: pages of .atd as JSON, with the description of their tool lines; those without one are left out.
/^tool [A-Za-z_]/ && match($0, /"[^"]*"/) {
    page = FILENAME
    sub(/^docs\//, "", page)
    printf "%s{\"page\": \"%s\", \"title\": %s}", n++ ? ",\n" : "[", page, substr($0, RSTART, RLENGTH)
    nextfile
}
END { print "]" }
