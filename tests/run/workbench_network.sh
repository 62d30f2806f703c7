# workbench_network: a project on a network disk: SQLite's write-ahead log would damage it, so it has none; a message
# reports this, and runs are made, also while other clients read.
. "$tests/lib/workbench.sh"
cat >network.c <<'END'
/* Each folder is on NFS. */
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
${CC:-cc} -shared -fPIC -o network.so network.c -ldl
alpha plain "$tests/tools/queens.c"
workbench_as="env LD_PRELOAD=$PWD/network.so" workbench project
check said "grep -q 'project is on a file system of several machines: pages wait while results are added' said.errors" said.errors
check page "get /project | jq -e '.waits and (.read_only | not)'" said.errors
post /runs '{"program":{"path":"../plain"},"tools":[{"name":"prof"}],"arguments":["4"]}' >posted
# Pages are read all the time meanwhile.
(while :; do get /runs; done) >read 2>&1 &
reader=$!
check finished "[ \$(until_run 1) = finished ]" posted
kill $reader
wait $reader 2>log || true
check read "jq -e .total read >log && ! jq -e 'select(.error)' read" read
check tables "get /runs/1/tables | jq -e '.tables[0].rows > 0'" posted
# The header of SQLite's files: 1: no write-ahead log (https://www.sqlite.org/fileformat.html, 1.3).
check journal "[ \"\$(od -An -tu1 -j18 -N2 project/project.sqlite | tr -d ' ')\" = 11 ] && [ ! -e project/project.sqlite-wal ]"
request POST /api/v1/quit -d {} >quit
ended
# The project is moved back to a local disk.
workbench project
check local \
    "! grep -q machines said.errors && [ \"\$(od -An -tu1 -j18 -N2 project/project.sqlite | tr -d ' ')\" = 22 ] &&
        get /project | jq -e '.waits | not' && [ \$(get /runs | jq .total) = 1 ]" said.errors
request POST /api/v1/quit -d {} >quit
ended
