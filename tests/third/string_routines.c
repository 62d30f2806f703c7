/* string_routines: a line with an error ends with third's message; the C library's routines read whole words, and more than they
 * need, but only what they are asked for counts. */
/* options: -fno-builtin */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile long sink;

int main(void) {
    char *four = malloc(4), *five = malloc(5), *to = malloc(5), text[20];
    memset(four, 1, 8);                          //! write outside a block
    memset(four, 1, 4);
    memcpy(five, "hello", 5);
    sink = strlen(five);                         //! read outside a block
    sink = strnlen(five, 5);
    strcpy(to, "hello");                         //! write outside a block
    strncpy(to, five, 5);
    strncpy(to, five, 6);                        //! read outside a block //! write outside a block
    strncpy(to, "ab", 6);                        //! write outside a block
    strcpy(to, "abc");
    strcat(to, "de");                            //! write outside a block
    strcpy(to, "abc");
    strncat(to, "def", 1);
    strncat(to, "def", 2);                       //! write outside a block
    strcpy(to, "abc");
    sink = strcmp(five, "hello world");          //! read outside a block
    sink = strcmp(five, "hexlo world");
    sink = strncmp(five, "hello world", 5);
    sink = strncmp(five, "hello world", 6);      //! read outside a block
    sink = memcmp(five, "hellx", 10);
    sink = memcmp(five, "hellohello", 10);       //! read outside a block
    sink = (long)memchr(five, 'l', 100);
    sink = (long)memchr(five, 'x', 5);
    sink = (long)memchr(five, 'x', 6);           //! read outside a block
    sink = (long)strchr(five, 'o');
    sink = (long)strchr(five, 'x');              //! read outside a block
    sink = (long)strrchr(five, 'h');             //! read outside a block
    sink = (long)rawmemchr(five, 'o');
    snprintf(text, sizeof text, "%.5s", five);
    memcpy(text, five, 6);                       //! read outside a block
    memmove(text, five, 6);                      //! read outside a block
    mempcpy(four, text, 5);                      //! write outside a block
    bcopy(text, four, 5);                        //! write outside a block
    bzero(four, 5);                              //! write outside a block
    char *copy = strndup(five, 5);
    free(copy);
    free(five);
    sink = strlen(five);                         //! read of freed memory
    memset(five, 0, 5);                          //! write to freed memory
    char *large = malloc(1000000);
    memset(large, 0, 1000001);                   //! write outside a block
    free(large);
    free(four);
    free(to);
    return 0;
}
