# stanzas.sh: tests that consist of commands and their output, as stanzas of a file. Requires: prelude.sh.
# docs/internals/testing.md describes the format.
# shellcheck shell=bash

# stanzas FILE: runs each stanza in the folder of the case, with its functions and variables. One check for each stanza,
# by its NAME.
stanzas() {
    local line word rest last=
    local -A stanza=()
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        '#'*) continue ;;
        '')
            judge_stanza
            stanza=() last=
            continue
            ;;
        '    '*)
            stanza[$last]+=${line#    }$'\n'
            continue
            ;;
        esac
        word=${line%% *} rest=${line#"$word"} last=$word
        rest=${rest# }
        case $word in
        NAME | RUN | STATUS | OUTPUT | AFTER) stanza[$word]=$rest${rest:+$'\n'} ;;
        EXPECT | EXPECT_REGEX | EXPECT_NONE) stanza[$word]+=$rest$'\n' ;;
        FILE) last="FILE $rest" && stanza[$last]= ;;
        *) failed "${1##*/}" "no field of a stanza: $line" ;;
        esac
    done <"$1"
    judge_stanza
}

# Runs the stanza that has been read, and reports it.
judge_stanza() {
    local key status=0 name=${stanza[NAME]:-} checks="${!stanza[*]}"
    name=${name%$'\n'}
    [ ${#stanza[@]} -gt 0 ] || return 0
    case " $checks " in
    *" EXPECT"* | *" OUTPUT "* | *" STATUS "* | *" AFTER "*) ;;
    *) failed "${name:-stanza}" "the stanza expects nothing" && return 0 ;;
    esac
    [ -n "$name" ] && [ -n "${stanza[RUN]:-}" ] || { failed "${name:-stanza}" "the stanza has no NAME or no RUN" && return 0; }
    for key in "${!stanza[@]}"; do
        case $key in FILE\ *) printf %s "${stanza[$key]}" >"${key#FILE }" ;; esac
    done
    (eval "${stanza[RUN]}") >stanza.output 2>&1 </dev/null || status=$?
    differences_of_stanza "$status" >stanza.wrong 2>&1
    if [ -s stanza.wrong ]; then
        failed "$name" "$(head -n 1 stanza.wrong)" <(sed 1d stanza.wrong && sed 's/^/| /' stanza.output)
    else
        passed "$name"
    fi
}

# Prints the differences from the stanza's expectations.
differences_of_stanza() { # STATUS
    local wanted=${stanza[STATUS]:-0} text
    [ "$1" = "${wanted%$'\n'}" ] || echo "exit status $1, not ${wanted%$'\n'}"
    while IFS= read -r text; do
        [ -z "$text" ] || grep -q -a -F -e "$text" stanza.output || echo "the output has no: $text"
    done <<<"${stanza[EXPECT]:-}"
    while IFS= read -r text; do
        [ -z "$text" ] || grep -q -a -e "$text" stanza.output || echo "no line matches: $text"
    done <<<"${stanza[EXPECT_REGEX]:-}"
    while IFS= read -r text; do
        [ -z "$text" ] || ! grep -q -a -F -e "$text" stanza.output || echo "the output has: $text"
    done <<<"${stanza[EXPECT_NONE]:-}"
    [ -z "${stanza[OUTPUT]+given}" ] || printf %s "${stanza[OUTPUT]}" | diff - stanza.output >stanza.diff ||
        { echo "the output is another" && cat stanza.diff; }
    [ -z "${stanza[AFTER]:-}" ] || (eval "${stanza[AFTER]}") >stanza.after 2>&1 ||
        { echo "this does not hold: ${stanza[AFTER]//$'\n'/ }" && cat stanza.after; }
}
