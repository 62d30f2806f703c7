/* chroot.c: goes to prison, and becomes nobody there. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    mkdir("jail", 0777);
    if (chroot("jail") != 0 || chdir("/") != 0 || setuid(65534) != 0)
        return 1;
    puts("in jail");
    return 0;
}
