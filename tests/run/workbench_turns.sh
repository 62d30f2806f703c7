# workbench_turns: a request waits if another process uses the project; connections without requests do not lock the
# owner out; an answer in SQL has a maximum size, even if the query is short.
. "$tests/lib/workbench.sh"
mkdir project
workbench project
# ---- half-open connections: more than the server has ---------------------------------------------------------------------------
sockets=()
for _ in $(seq 100); do
    exec {socket}<>"/dev/tcp/127.0.0.1/$port" && printf 'GET /api/v1/runs HTTP/1.1\r\n' >&"$socket" && sockets+=("$socket")
done
check strangers/owner "[ \$(status -b jar --max-time 50 $base/api/v1/runs) = 200 ]"
check strangers/page "[ \$(status -b jar --max-time 50 $base/) = 200 ]"
for socket in "${sockets[@]}"; do exec {socket}>&-; done
check strangers/after "[ \$(status -b jar --max-time 50 $base/api/v1/runs) = 200 ]"

# ---- answers in SQL ------------------------------------------------------------------------------------------------------------
memory() { awk '/^VmHWM/ { print int($2 / 1024) }' /proc/$workbench_process/status; }
sql() { # TEXT: the answer in answered, its status
    jq -n --arg text "$1" '{text: $text}' >asked
    curl -s -o answered -w '%{http_code}' -b jar -H "Origin: $base" -H 'Content-Type: application/json' -d \
        @asked "$base/api/v1/sql" || true
}
large="hex(zeroblob(50000000))"
check sql/value "[ \$(sql 'SELECT $large') = 400 ] && grep -q 'without limits: sqlite3' answered" answered
wide=$(yes 'hex(zeroblob(1900000))' | head -90 | paste -sd,)
check sql/row "[ \$(sql \"SELECT \$wide\") = 200 ] && jq -e '.truncated and .rows == []' answered &&
    [ \$(stat -c %s answered) -lt 100000 ]" answered
many=$(seq 500 | paste -sd,)
check sql/columns "[ \$(sql \"SELECT \$many\") = 400 ] && grep -q 'at most 100 columns' answered" answered
check sql/rows \
    "[ \$(sql 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT hex(zeroblob(500000)) FROM n') = 200 ] &&
        jq -e '.truncated and (.rows | length) > 10' answered >log && [ \$(stat -c %s answered) -lt 150000000 ]" log
check sql/memory "[ \$(memory) -lt 1200 ]"
kill "$workbench_process" && wait "$workbench_process" || true

# ---- a project that somebody else has ------------------------------------------------------------------------------------------
cat >network.c <<'END'
/* Each folder is on NFS: then there is no write-ahead log, and who writes has the project alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/vfs.h>
int statfs(const char *path, struct statfs *status) {
    int (*found)(const char *, struct statfs *) = (int (*)(const char *, struct statfs *))dlsym(RTLD_NEXT, "statfs");
    int result = found(path, status);
    status->f_type = 0x6969;
    return result;
}
END
cat >hold.c <<'END'
/* Has the database alone, from when it prints a line until its standard input ends. */
#include <sqlite3.h>
#include <stdio.h>
int main(int count, char **words) {
    sqlite3 *database;
    if (count != 2 || sqlite3_open(words[1], &database) != SQLITE_OK)
        return 1;
    sqlite3_busy_timeout(database, 60000);
    if (sqlite3_exec(database, "BEGIN EXCLUSIVE", NULL, NULL, NULL) != SQLITE_OK)
        return 1;
    puts("held"), fflush(stdout);
    while (getchar() != EOF)
        ;
    return sqlite3_close(database) != SQLITE_OK;
}
END
"${CC:-cc}" -shared -fPIC -o network.so network.c -ldl
"${CC:-cc}" -o hold hold.c -lsqlite3
mkdir shared
workbench_as="env LD_PRELOAD=$PWD/network.so" workbench shared
mkfifo release
./hold shared/project.sqlite <release >held &
holder=$!
exec 8>release
until grep -q held held || ! kill -0 $holder; do sleep 0.05; done
for i in 1 2 3; do
    status -b jar "$base/api/v1/programs" >status.$i 8>&- & # the wait ends when the last reader has closed it
    waiting[i]=$!
done
sleep 1 # a request that arrives now finds no lock: it is answered, too
exec 8>&-
for i in 1 2 3; do wait "${waiting[i]}"; done
check turn/held "[ \"\$(cat held)\" = held ]"
check turn/waits "[ \"\$(cat status.1 status.2 status.3)\" = 200200200 ]"
