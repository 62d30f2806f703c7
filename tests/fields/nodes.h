/* nodes.h: structures with members of each kind; the first file only declares struct owner. */
struct owner;
enum kind { FIRST, SECOND, THIRD = 1000 };
enum sign { LESS = -1, EQUAL, MORE };
typedef unsigned short small;
struct point {
    signed char x;
    int y;
};
struct node {
    struct node *next;
    signed char tiny;
    unsigned char byte;
    short half;
    small uhalf;
    int word;
    unsigned uword;
    long quad;
    const volatile unsigned long uquad;
    enum kind kind;
    enum sign sign;
    struct point point;
    union {
        int either;
        unsigned char bytes[4];
    };
    struct {
        unsigned low : 3;
        int middle : 11;
        unsigned long high : 40;
    };
    _Bool flag;
    char name[13];
    struct point points[3];
    struct point *many;
    struct owner *owner;
    double real;
    char (*function)(int);
} typedef node_type;
struct __attribute__((packed)) packed {
    char first;
    unsigned long wide : 35;
    int narrow : 7;
    int rest;
};
