/* shape.cc: members of bases, and of classes in a namespace. */
#include <stdio.h>

namespace space {
class base {
public:
    virtual ~base() {}
    int hidden = 1, own = -2;
};
struct second {
    long other = 5;
    int both = 6;
};
class derived : public base, public second {
public:
    short hidden = 7;
    static int shared;
    struct inner {
        int deep;
    } inner = {-8};
    int both = 9;
};
int derived::shared = 3;
struct left : virtual second {
    int number = 1;
};
} // namespace space

__attribute__((noinline)) int visit(space::derived &shape, const space::base *base) {
    printf("%d %d %ld %d %d %d\n", shape.hidden, shape.own, shape.other, shape.inner.deep, shape.both, base->hidden);
    return 1;
}
__attribute__((noinline)) int virtually(space::left *left) {
    return left->both + left->number;
}
int main() {
    space::derived shape;
    space::left left;
    shape.own = -20;
    return visit(shape, &shape) + virtually(&left) != 8;
}
