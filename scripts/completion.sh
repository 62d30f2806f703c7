#!/bin/sh
# completion.sh bash|zsh|fish: prints what the shell needs to complete atomc's command line, made from `atomc --help=all`.
# Tools, and the parameters of the tools given, are asked of atomc when they are completed.
# Requires a built atomc ($ATOMC, default ./atomc); run from anywhere.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
ATOMC=${ATOMC:-$here/../atomc}
help=$("$ATOMC" --help=all) run=$("$ATOMC" run --help)
options() {
    printf '%s\n\nOptions of atomc run:\n%s\n' "$help" "$(echo "$run" | sed -n '/^  -/,/^$/p')" | awk -v form=list -f "$here/options.awk"
}
# The words that options begin with; --name= where a value follows.
words() {
    options | awk -F '\t' '{ if ($1 != "-") print $1; if ($2 != "-") print $2 ($3 == "-" ? "" : "=") }' | sort -u
    echo --help=all
}
# OPTION VALUE: the values that the help lists, a|b or one for each line.
values() {
    options | awk -F '\t' '$2 != "-" && $3 ~ /^[a-z]/ { gsub(/\|/, " ", $3); gsub(/[A-Z]+,?\.*/, "", $3); list[$2] = list[$2] " " $3 }
        END { for (option in list) print option list[option] }' | sed 's/ *$//' | sort
}
commands() {
    cat <<'END'
merge put the results of runs together
diff compare two results
chart draw results
annotate show source lines with their counts
export write results for other programs
collect put results into a database
import make a result of the files of other programs
campaign make many runs
package fetch and keep tools of other people
workbench open the application in the browser
lsp serve an editor
END
}
# NAME: the options of a command; those of campaign and package stand behind words of their own.
command_words() {
    "$ATOMC" "$1" --help 2>/dev/null | sed -n 's/^  \(-[a-z], \)\{0,1\}\(--[a-z][a-z-]*=\{0,1\}\).*/\2/p' | sort -u | paste -s -d ' ' -
    [ "$1" != campaign ] || echo check plan run status stop resume collect table columns
    "$ATOMC" "$1" --help 2>/dev/null | awk -v name="$1" 'name == "package" && /atomc package [a-z]/ { sub(/.*atomc package /, ""); print $1 }' | sort -u | paste -s -d ' ' -
}
tables="places attributes values classes passes"

zsh_options() {
    options | awk -F '\t' '{
        text = $4; argument = $3
        gsub(/\[|\]|:|\047|\\/, "", text)
        if ($2 == "--dump") { dumps = dumps " " argument; next }
        if ($2 == "--tool") action = "tool:_atomc_tools"
        else if ($1 == "-D") action = "parameter:_atomc_parameters"
        else if (argument ~ /^[a-z]/) { action = argument; gsub(/\|/, " ", action); gsub(/[A-Z]+,?\.*/, "", action); action = "value:(" action ")" }
        else if (argument == "FOLDER") action = "folder:_files -/"
        else action = "file:_files"
        if ($1 != "-" && !($1 in seen)) print "    \047*" $1 (argument == "-" ? "" : "+") "[" text "]" (argument == "-" ? "" : ":" action) "\047 \\"
        if ($2 != "-") print "    \047*" $2 (argument == "-" ? "" : "=") "[" text "]" (argument == "-" ? "" : ":" action) "\047 \\"
        seen[$1] = 1
    } END { gsub(/[A-Z]+/, "", dumps); print "    \047--dump=[stop after a pass and print its result]:pass:(" dumps " )\047 \\" }'
}

fish_options() {
    options | awk -F '\t' '{
        text = $4; argument = $3
        gsub(/\047/, "", text)
        line = "complete -c atomc"
        if ($1 != "-") line = line " -s " substr($1, 2)
        if ($2 != "-") line = line " -l " substr($2, 3)
        if ($2 == "--tool") line = line " -x -a \"(atomc --list | string replace -r \047 +\047 \\t)\""
        else if ($1 == "-D") line = line " -x -a \"(atomc --help (__atomc_tool) 2>/dev/null | string match -rg \047^  ([a-z_0-9]+) +(?:int|string|boolean) \047)=\""
        else if (argument ~ /^[a-z]/) { gsub(/\|/, " ", argument); gsub(/[A-Z]+,?\.*/, "", argument); line = line " -x -a \047" argument "\047" }
        else if (argument != "-") line = line " -r"
        print line " -d \047" text "\047"
    }'
}

bash_script() {
    cat <<END
# Completion of atomc for bash; made by scripts/completion.sh.
_atomc() {
    local word=\${COMP_WORDS[COMP_CWORD]} before= i tool= line=\${COMP_LINE:0:COMP_POINT}
    word=\${line##*[[:space:]]}
    [ "\$COMP_CWORD" = 0 ] || before=\${COMP_WORDS[COMP_CWORD - 1]}
    for ((i = 1; i < COMP_CWORD; i++)); do
        case \${COMP_WORDS[i]} in
        -t | --help) tool=\${COMP_WORDS[i + 1]} ;;
        *.atd) tool=\${COMP_WORDS[i]} ;;
        esac
    done
    COMPREPLY=()
    case \$word in
    --tool=*) COMPREPLY=(\$(compgen -W "\$(atomc --list | cut -d ' ' -f 1)" -- "\${word#*=}")) ;;
$(values | while read -r option list; do echo "    $option=*) COMPREPLY=(\$(compgen -W '$list' -- \"\${word#*=}\")) ;;"; done)
    --*=*) compopt -o default ;;
    -*) case \${COMP_WORDS[1]} in
$(commands | while read -r name text; do echo "        $name) COMPREPLY=(\$(compgen -W '$(command_words "$name" | grep -o -e '--[a-z=-]*' | paste -s -d ' ' -)' -- \"\$word\")); return ;;"; done)
        esac
        COMPREPLY=(\$(compgen -W '$(words | paste -s -d ' ' -)' -- "\$word"))
        case \${COMPREPLY[*]} in *=) compopt -o nospace ;; esac ;;
    *)
        case \$before in
        -t | --help) COMPREPLY=(\$(compgen -W "\$(atomc --list | cut -d ' ' -f 1)" -- "\$word")) ;;
        -D) COMPREPLY=(\$(compgen -S = -W "\$([ -z "\$tool" ] || atomc --help "\$tool" 2>/dev/null |
            sed -n '/^parameters,/,\$s/^  \\([a-z_0-9]*\\) .*/\\1/p')" -- "\$word"))
            compopt -o nospace ;;
$(for name in campaign package; do echo "        $name) COMPREPLY=(\$(compgen -W '$(command_words $name | tr ' ' '\n' | grep -v -e '^-' | paste -s -d ' ' -)' -- \"\$word\")) ;;"; done)
        info) COMPREPLY=(\$(compgen -W '$tables' -- "\$word")) ;;
        *) compopt -o default
            [ "\$COMP_CWORD" != 1 ] || COMPREPLY=(\$(compgen -W 'info run examples merge diff chart annotate export collect import campaign package workbench lsp' -- "\$word")) ;;
        esac ;;
    esac
}
complete -F _atomc atomc
END
}

zsh_script() {
    cat <<END
#compdef atomc
# Completion of atomc for zsh; made by scripts/completion.sh.
_atomc_tools() {
    local -a tools
    tools=(\${(f)"\$(atomc --list | sed 's/  */:/')"})
    _describe tool tools
}
_atomc_first() {
    local -a commands
    commands=(run info examples $(commands | cut -d ' ' -f 1 | paste -s -d ' ' -))
    compadd -a commands
    _files
}
_atomc_parameters() {
    local tool i
    local -a parameters
    for ((i = 2; i < CURRENT; i++)); do
        case \$words[i] in
        -t) tool=\$words[i+1] ;;
        *.atd) tool=\$words[i] ;;
        esac
    done
    parameters=(\${(f)"\$(atomc --help "\$tool" 2>/dev/null | sed -n '/^parameters,/,\$s/^  \\([a-z_0-9]*\\) .*/\\1/p')"})
    compadd -S = -a parameters
}
# The words of a command, as arguments; a value follows options that end with =.
_atomc_words() {
    if [[ \$words[CURRENT] = --*=* ]]; then
        compset -P '*='
        _files
    elif [[ \$words[CURRENT] = -* ]]; then
        compadd -S '' -- \${(M)@:#-*=}
        compadd -- \${(M)@:#-*[^=]}
    else
        (( CURRENT > 3 )) || compadd -- \${@:#-*}
        _files
    fi
}
if (( CURRENT > 2 )); then
    case \$words[2] in
    info) compadd -- $tables; return ;;
$(commands | while read -r name text; do echo "    $name) _atomc_words $(command_words "$name" | paste -s -d ' ' -); return ;;"; done)
    esac
fi
_arguments -s \\
$(zsh_options)
    '1:program, tool or command:_atomc_first' '*:file:_files'
END
}

fish_script() {
    cat <<END
# Completion of atomc for fish; made by scripts/completion.sh.
function __atomc_tool
    set -l words (commandline -opc)
    for i in (seq 2 (count \$words))
        switch \$words[\$i]
            case -t
                set -q words[(math \$i + 1)]; and echo \$words[(math \$i + 1)]
            case '*.atd'
                echo \$words[\$i]
        end
    end | tail -n 1
end
complete -c atomc -n __fish_use_subcommand -a info -d 'places, attributes, values, classes and passes'
complete -c atomc -n __fish_use_subcommand -a examples -d 'copy the examples of the documentation'
complete -c atomc -n __fish_use_subcommand -a run -d 'instrument a program and run it'
$(commands | while read -r name text; do echo "complete -c atomc -n __fish_use_subcommand -a $name -d '$text'"; done)
$(commands | while read -r name text; do echo "complete -c atomc -n '__fish_seen_subcommand_from $name' -a '$(command_words "$name")'"; done)
complete -c atomc -n '__fish_seen_subcommand_from info' -f -a '$tables'
$(fish_options)
END
}

case ${1:-} in
bash | zsh | fish) "${1}_script" ;;
*) echo "completion.sh: bash, zsh or fish" >&2 && exit 2 ;;
esac
