#include <stdio.h>
#include <string.h>
char *joined(n, words) int n; char **words; {
    static char all[1000]; int i;
    for (i = 1; i < n; i++) sprintf(all + strlen(all), "%s[%s]", i > 1 ? " " : "", words[i]);
    return all;
}
