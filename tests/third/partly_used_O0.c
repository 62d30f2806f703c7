/* partly_used_O0: a line with an error ends with third's message; without byte instructions the compiler loads and stores four bytes, of which one or two
 * are in the block and are used. */
/* options: -O0 */
#include <stdlib.h>
#include <string.h>

struct bytes {
    int count;
    signed char all[];
};
struct shorts {
    int count;
    short all[];
};
static volatile int sink;
static volatile short small;

static __attribute__((noipa)) void *make(long size) {
    return malloc(size);
}
static __attribute__((noipa)) void set(struct bytes *bytes, struct shorts *shorts, int value) {
    bytes->all[0] = value;
    shorts->all[0] = value;
}
static __attribute__((noipa)) void change(struct bytes *bytes, struct shorts *shorts) {
    bytes->all[0] |= 4;
    shorts->all[0] |= 4;
    bytes->all[0] ^= 64;
    shorts->all[0]++;
}
static __attribute__((noipa)) void look(const struct bytes *bytes, const struct shorts *shorts) {
    sink = bytes->all[0];
    sink = bytes->all[0] & 4;
    sink = (unsigned char)bytes->all[0] + bytes->all[0];
    if (bytes->all[0] == 'x' && sink)
        small = bytes->all[0];
    sink = shorts->all[0];
    sink = (unsigned short)shorts->all[0];
    sink = shorts->all[0] & 8;
    sink = shorts->all[0] < 0;
}
static __attribute__((noipa)) void clear(struct bytes *bytes, struct shorts *shorts) {
    bytes->all[0] = 0;
    shorts->all[0] = 0;
}
int main(void) {
    struct bytes *bytes = make(5);
    struct shorts *shorts = make(6);
    bytes->count = shorts->count = 1;
    set(bytes, shorts, 'x');
    change(bytes, shorts);
    look(bytes, shorts);
    clear(bytes, shorts);
    sink = bytes->all[1]; //! read outside a block
    free(bytes);
    free(shorts);
    return 0;
}
