/* one.cc: one of two definitions of a type that wrong.cc declares. */
struct unknown {
    int value;
};
unknown one;
