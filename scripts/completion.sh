#!/bin/sh
# completion.sh bash|zsh|fish: prints the completion of atomc's command line for that shell, made from `atomc
# --help=options`. Tools, and the parameters of the given tools, are queried from atomc when they are completed.
# Requires a built atomc ($ATOMC, default ./atomc); run from anywhere.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
ATOMC=${ATOMC:-$here/../atomc}
table=$("$ATOMC" --help=options)
# Lines of: brief or -, long or -, argument or -, help. `--dump=cfg` among the words is a value of an option.
options() {
    echo "$table" | awk -F '\t' -v OFS='\t' '$1 == "option" && ($2 == "atomc" || $2 == "run") && !(($4, $5) in seen) { seen[$4, $5] = 1; print $4, $5, $6, $7 }
        $1 == "words" && $2 == "atomc" && $3 ~ /^--[a-z]+=/ { print "-", substr($3, 1, index($3, "=") - 1), substr($3, index($3, "=") + 1), $4 }'
}
# The words that options begin with; --name= where a value follows.
words() {
    options | awk -F '\t' '{ if ($1 != "-") print $1; if ($2 != "-") print $2 ($3 == "-" ? "" : "=") }' | sort -u
}
# OPTION VALUE: the values that the help lists, a|b or one for each line.
values() {
    options | awk -F '\t' '$2 != "-" && $3 ~ /^[a-z]/ { gsub(/\|/, " ", $3); gsub(/[A-Z]+,?\.*/, "", $3); list[$2] = list[$2] " " $3 }
        END { for (option in list) print option list[option] }' | sed 's/ *$//' | sort
}
# Lines of: a command, its help; for commands that have options of their own.
commands() {
    echo "$table" | awk -F '\t' '$1 == "command" && $2 != "info" && $2 != "run" && $2 != "examples" { print $2, $3 }'
}
summary() {
    echo "$table" | awk -F '\t' -v name="$1" '$1 == "command" && $2 == name { print $3 }'
}
# NAME: the options of a command, and the words of its own that campaign and package have.
command_words() {
    echo "$table" | awk -F '\t' -v name="$1" '$2 != name { next }
        $1 == "option" && $5 != "-" { print $5 ($6 == "-" ? "" : "=") }
        $1 == "words" { print $3 }' | sort -u | paste -s -d ' ' -
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
            [ "\$COMP_CWORD" != 1 ] || COMPREPLY=(\$(compgen -W 'info run examples $(commands | cut -d ' ' -f 1 | paste -s -d ' ' -)' -- "\$word")) ;;
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
complete -c atomc -n __fish_use_subcommand -a info -d '$(summary info)'
complete -c atomc -n __fish_use_subcommand -a examples -d '$(summary examples)'
complete -c atomc -n __fish_use_subcommand -a run -d '$(summary run)'
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
