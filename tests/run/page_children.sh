# page_children: the counts of a forked child begin at the fork, also if a tool writes a page; and files that a tool
# cannot write do not prevent the program from running.
alpha forks -g -x c - <<'END'
#include <sys/wait.h>
#include <unistd.h>
static long sum;
__attribute__((noinline)) static void target(long n) { sum += n; }
__attribute__((noinline)) static void direct(long n) { sum ^= n; }
static void (*volatile pointer)(long) = target;
int main(void) {
    for (long i = 0; i < 1000; i++) {
        pointer(i);
        direct(i);
    }
    if (fork() == 0) {
        pointer(1);
        direct(1);
        _exit(0);
    }
    wait(NULL);
    return sum == 1;
}
END
run_in() { # FOLDER
    mkdir "$1" && (cd "$1" && "$QEMU" ../instrumented)
}
for html in false true; do
    instrument instrumented -t coverage -D html=$html forks
    run_in found.$html
done
check coverage "grep -q '^FNDA:1,target' found.true/coverage.out.1 && diff found.false/coverage.out.1 found.true/coverage.out.1 &&
    diff found.false/coverage.out found.true/coverage.out"
instrument instrumented -t cache -D html=true forks
run_in found
calls_of() { # FILE NAME: the numbers before the name, in the table of calls
    sed 's/<[^>]*>/ /g' "$1" | grep -E "^ *[0-9,]+ +$2 *\$" | awk '{ print $1 }' | sort -u | paste -s -d ' '
}
for name in target direct; do
    calls_of found/cache.out.html.1 $name >found.$name
    calls_of found/cache.out.html $name >parent.$name
done
check calls \
    "[ -s found.target ] && diff found.direct found.target && diff parent.direct parent.target &&
        grep -q 1,000 parent.target && ! grep -q 1,00 found.target" found.target

alpha seven -x c - <<<'int printf(const char *, ...); int main(void) { printf("hello\n"); return 7; }'
for tool in bbv trace "trace -D form=text" prof; do
    # shellcheck disable=SC2086
    instrument instrumented -t $tool -D out=/no/such/folder/x seven
    status=0
    "$QEMU" instrumented >printed 2>errors || status=$?
    check "unwritable/${tool// /-}" "[ $status = 7 ] && [ \"\$(cat printed)\" = hello ] && grep -q 'cannot write' errors" errors
done
