# workbench.sh: a workbench's server, and requests to it. For the cases tests/run/workbench_*.sh.
# shellcheck shell=bash disable=SC2034

# Cases must not leave a server running.
workbench_process=
trap '[ -z "$workbench_process" ] || kill "$workbench_process" 2>/dev/null || true' EXIT

# workbench PROJECT [WORD...]: starts the server ($workbench_as: by that command), and opens it: sets $base, $port,
# $address (used up) and $token; jar has the cookie.
workbench() {
    local project=$1 tries=0
    shift
    rm -f said.address
    # shellcheck disable=SC2086
    HOME=$scratch ${workbench_as:-} "${WORKBENCH:-$BUILD/atomc-workbench}" workbench "$project" --no-browser "$@" >said.address 2>said.errors &
    workbench_process=$!
    while [ ! -s said.address ] && kill -0 "$workbench_process" 2>/dev/null && [ $tries -lt 100000 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    address=$(cat said.address) base=${address%%/open*} token=${address##*=}
    port=${base##*:}
    rm -f jar
    [ -z "$address" ] || curl -s -i -c jar "$address" >opened
}

# The server ends by itself, within a minute.
ended() {
    local tries=0
    while kill -0 "$workbench_process" 2>/dev/null; do
        [ $tries -lt 100000 ] || return 1
        sleep 0.05
        tries=$((tries + 1))
    done
    wait "$workbench_process"
}

cookie() {
    awk -F '\t' '$6 ~ /^atomc-/ { print $6 "=" $7 }' jar
}

status() { # WORD...: words for curl; prints the status
    curl -s -o /dev/null -w '%{http_code}' --path-as-is -g "$@" || true
}

# answer METHOD PATH [WORD...]: sends the request with the cookie. If it may change data, Origin and type are added,
# unless the words have others.
answer() {
    local method=$1 path=$2 word
    local -a words=(-b jar --path-as-is -g -s)
    shift 2
    case $method in
    HEAD) words+=(-I) ;;
    GET) ;;
    *)
        words+=(-X "$method")
        [[ " $* " == *" Origin:"* ]] || words+=(-H "Origin: $base")
        [[ " $* " == *" Content-Type:"* ]] || words+=(-H "Content-Type: application/json")
        ;;
    esac
    for word; do
        # shellcheck disable=SC2206
        words+=("$word")
    done
    curl "${words[@]}" "$base$path" || true
}

request() { # likewise: the status
    answer "$@" -o answered -w '%{http_code}'
}
get() { # PATH
    answer GET "/api/v1$1"
}
post() { # PATH BODY
    answer POST "/api/v1$1" -d "$2"
}

# until_run NUMBER: waits until the run has ended; prints its state.
until_run() {
    local state tries=0
    while :; do
        state=$(get "/runs/$1" | jq -r .state)
        case $state in finished | failed | stopped | null) break ;; esac
        [ $tries -lt 100000 ] || break
        sleep 0.1
        tries=$((tries + 1))
    done
    echo "$state"
}
