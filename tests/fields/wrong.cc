/* wrong.cc: values that have no members, or not those. */
struct unknown;
struct base {
    int one;
};
struct second {
    int one;
};
struct both : base, second {
    int two;
};
struct over : virtual base {
    int two;
};
struct inner {
    int value;
};
struct node {
    node *next;
    inner part;
    double real;
    long double wide;
    int list[4];
    int table[2][2];
    int word;
    unknown *other;
    static int shared;
};
int node::shared;
struct large {
    long words[3];
};
struct __attribute__((packed)) packed {
    int low : 1;
    long wide : 63;
    char gap : 4;
    long crossing : 62;
};
#define OUTSIDE __attribute__((noinline, noclone)) extern "C"
OUTSIDE int at_node(node *node) {
    return node->word;
}
OUTSIDE int at_second(second *second) {
    return second->one;
}
OUTSIDE int at_both(both *both) {
    return both->two;
}
OUTSIDE int at_over(over *over) {
    return over->two;
}
OUTSIDE int at_value(large large, int number) {
    return (int)large.words[1] + number;
}
struct __attribute__((packed)) shifted {
    char first;
    long rest;
};
OUTSIDE long at_shifted(shifted shifted, long number) {
    return shifted.rest + number;
}
OUTSIDE long at_packed(packed *packed) {
    return packed->crossing;
}
OUTSIDE void at_nothing() {
    asm volatile("" ::: "memory");
}
OUTSIDE int at_pointer(int (*volatile call)(node *), node *node) {
    return call(node);
}
int main() {
    node node = {};
    second second = {};
    both both = {};
    over over;
    over.two = 0;
    packed packed = {};
    at_nothing();
    return at_pointer(at_node, &node) + at_node(&node) + at_second(&second) + at_both(&both) + at_over(&over) +
           at_value(large(), 1) + (int)at_packed(&packed) + (int)at_shifted(shifted(), 1);
}
