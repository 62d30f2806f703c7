/* unset_part_copied: a line with an error ends with third's message; a structure is copied with a member that is not set,
 * between addresses that the compiler takes for unaligned. */
/* options: -O2 */
#include <stdlib.h>
#include <string.h>

struct value {
    double number;
    char *text;
    int length;
    short flags;
};
static __attribute__((noipa)) void copy(char *to, const char *from) {
    memcpy(to, from, 24);
}
static __attribute__((noipa)) int look(const struct value *value, const char *text) {
    return value->text != text || value->flags != 1;
}
int main(void) {
    struct value *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    char *c = malloc(sizeof *a + 3), *text = "abc";
    a->text = text;
    a->flags = 1;
    copy((char *)b, (char *)a);
    int x = look(b, text);
    x += b->number == 1; //! unset heap read
    x += b->length == 5; //! unset heap read
    copy(c + 3, (char *)a);
    copy((char *)b, c + 3);
    x += look(b, text);
    x += a->number == 1; //! unset heap read
    x += a->length == 5; //! unset heap read
    free(a);
    free(b);
    free(c);
    exit(x > 2);
}
