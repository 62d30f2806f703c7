/* owner.c: the file that defines struct owner. */
#include <stdlib.h>

struct owner {
    int flags;
    long weight;
};
struct owner *new_owner(long weight);
struct owner *new_owner(long weight) {
    struct owner *owner = (struct owner *)malloc(sizeof *owner);
    owner->flags = 3;
    owner->weight = weight;
    return owner;
}
