/* copies_overlap: a line with an error ends with third's message. */
/* options: -fno-builtin */
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *a = malloc(20), b[20] = "text in an array";
    memset(a, 'a', 19);
    a[19] = 0;
    memcpy(a, a + 4, 4);
    memcpy(a, a + 3, 4);  //! overlapping copy
    memcpy(b + 3, b, 4);  //! overlapping copy
    memcpy(a, a, 4);
    memmove(a, a + 3, 4);
    strcpy(b, b + 3);     //! overlapping copy
    strncpy(b, b + 3, 3);
    strncpy(b, b + 3, 4); //! overlapping copy
    strcpy(b, "abc");
    strncat(b, b + 2, 2); //! overlapping copy
    free(a);
    return 0;
}
