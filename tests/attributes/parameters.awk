# parameters.awk: of each procedure in readelf's list of the debug information that has code: its address, how many parameters it has,
# and the name of the first; with tabs. A va_list is two.
function value_of(line) {
    sub(/^[^:]*: */, "", line)
    sub(/^\(.*\): /, "", line)
    sub(/[ \t]*$/, "", line)
    return line
}
function end_entry() {
    if (offset != "" && tag == "DW_TAG_formal_parameter" && procedure != "" && depth == procedure_depth + 1)
        parameters[procedure] = parameters[procedure] " " offset
}
/^ *<[0-9a-f]+><[0-9a-f]+>: Abbrev Number: / {
    end_entry()
    offset = ""
    if (/Abbrev Number: 0/)
        next
    split($0, parts, /[<>]+/)
    depth = parts[2] + 0
    offset = parts[3]
    tag = $NF
    gsub(/[()]/, "", tag)
    if (tag == "DW_TAG_subprogram") {
        procedure = offset
        procedure_depth = depth
        parameters[procedure] = ""
    } else if (procedure != "" && depth <= procedure_depth)
        procedure = ""
}
/DW_AT_low_pc/ && tag == "DW_TAG_subprogram" { address[offset] = value_of($0) }
/DW_AT_name/ { name[offset] = value_of($0) }
/DW_AT_type/ {
    type[offset] = value_of($0)
    gsub(/[<>]|0x/, "", type[offset])
    sub(/,.*/, "", type[offset])
}
/DW_AT_abstract_origin/ {
    origin[offset] = value_of($0)
    gsub(/[<>]|0x/, "", origin[offset])
}
END {
    end_entry()
    for (procedure in address) {
        count = split(parameters[procedure], list, " ")
        registers = count
        for (i = 1; i <= count; i++)
            registers += name[list[i] in type ? type[list[i]] : type[origin[list[i]]]] ~ /va_list/
        first = count ? (list[1] in name ? name[list[1]] : name[origin[list[1]]]) : ""
        print address[procedure] "\t" registers "\t" first
    }
}
