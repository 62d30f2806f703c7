// details.cpp: procedures with what atom_details.sh asks for: saved registers, a frame register, exceptions, threads.
#include <alloca.h>
#include <cstdio>
#include <pthread.h>
extern "C" {
int far_away(int), odd(int), odd_inside(int), goes_on(int), jumps(int);
__attribute__((noinline)) int few(int n) { asm volatile("" : : : "$9", "$11", "$26"); return n + odd(n); }
__attribute__((noinline)) int many(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        asm volatile("" : : : "$9", "$10", "$11", "$12", "$13", "$14", "$f2", "$f3", "$f9");
        sum += i % 3 ? odd(i) : goes_on(i);
    }
    return sum;
}
__attribute__((noinline)) int floats(int n) { asm volatile("" : : : "$f4", "$f5"); return odd_inside(n); }
__attribute__((noinline)) int varies(int n) { char *room = (char *)alloca(n); asm volatile("" : : "r"(room) : "memory"); return odd(room[0] & 0); }
__attribute__((noinline)) void throws(int n) { if (n > 1) throw n; }
__attribute__((noinline)) int catches(int n) { try { throws(n); } catch (int e) { return e; } return 0; }
__attribute__((noinline, weak)) int weakly(int n) { return n + jumps(n); }
static __attribute__((noinline)) void *work(void *unused) { pthread_exit(unused); }
}
int main(int argc, char **argv) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    printf("%d\n", few(argc) + many(10) + floats(2) + varies(100) + catches(argc) + catches(5) + weakly(1));
    return 0;
}
