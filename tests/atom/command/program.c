#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) { char *own = malloc(100000); printf("%d\n", argc); free(own); return 3; }
