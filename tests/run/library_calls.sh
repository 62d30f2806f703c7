# library_calls: the system calls of a library go through the runtime's gate, both for the file that atomc has examined,
# whose calls are known, and for another file, which is searched: with another time; with the same size, time and
# beginning, but a call elsewhere.
echo 'void quit(void); int main(void) { quit(); }' >main.c
# In quit, exit_group is called after the requested number of words, and in total there are as many.
library() { # FILE WORDS
    {
        printf '.set noat\n.fill 2000, 4, 0x47ff041f\n.globl quit\n.ent quit\nquit: .frame $30,0,$26\nlda $0, 405\nlda $16, 7\n'
        for ((i = 0; i < $2; i++)); do echo 'bis $31, $31, $31'; done
        echo 'call_pal 0x83'
        for ((i = $2; i < 9; i++)); do echo 'bis $31, $31, $31'; done
        echo '.end quit'
    } >quit.s
    shared "$1" quit.s -shared -nostdlib -Wl,--build-id=none,-soname,libquit.so
}
library libquit.so 2
cp -p libquit.so seen
shared main main.c -L. -lquit '-Wl,-rpath,$ORIGIN'
instrument instrumented -t prof main
executed() { # TEST
    rm -f prof.out
    status=0
    qemu -L "${LIBRARIES:-/usr/alpha-linux-gnu}" -plugin "$BUILD/bench/plugins/count.so,out=$scratch/$1.count" \
        instrumented >log 2>&1 || status=$?
    check "$1" '[ $status = 7 ] && grep main prof.out' log
}
executed seen
library other 5
check alike "cmp -n 4096 other seen && ! cmp other seen && [ \$(wc -c <other) = \$(wc -c <seen) ]"
cat other >libquit.so
touch -r seen libquit.so
executed elsewhere
cp seen libquit.so
touch -d 2001-01-01 libquit.so
executed later
# The C library is not searched, which would take much longer.
check quick "[ \$(cat seen.count) -lt 500000 ]" seen.count
