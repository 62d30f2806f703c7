/* nodes.c: prints what members hold, in the form that nodes.atd prints it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#define _Bool bool
#endif
#include "nodes.h"

struct owner *new_owner(long weight);

__attribute__((noinline)) void visit(const struct node *node, int depth) {
    printf("%d %d %d %d %d %u %ld %lu %d %d\n", node->tiny, node->byte, node->half, node->uhalf, node->word, node->uword,
           node->quad, node->uquad, node->kind, node->sign);
    printf("%d %d %d %d %d %d %ld %d %s %d %d %d\n", node->point.x, node->point.y, node->either, node->bytes[3], (int)node->low,
           (int)node->middle, (long)node->high, node->flag, node->name, node->name[2], node->points[2].x, node->many[1].y);
    printf("%d %ld\n", node->next ? node->next->word : 0, node->next && node->next->next ? node->next->next->quad : 0L);
    if (depth == 0)
        printf("end\n");
}

__attribute__((noinline)) long look(struct owner *owner, node_type **all) {
    long weight;
    int flags;
    memcpy(&flags, owner, sizeof flags);
    memcpy(&weight, (char *)owner + 8, sizeof weight);
    printf("%ld %d %d\n", weight, flags, all[0]->word);
    return 1;
}

__attribute__((noinline)) void packed(struct packed *packed) {
    printf("%d %lu %d %d\n", packed->first, (unsigned long)packed->wide, packed->narrow, packed->rest);
}

__attribute__((noinline)) struct node *make(int number) {
    struct node *node = (struct node *)calloc(1, sizeof *node);
    long large = number * 0x123456789abcdefL;
    node->tiny = (signed char)(number * 77);
    node->byte = (unsigned char)(number * 77);
    node->half = (short)(number * 25077);
    node->uhalf = (small)(number * 25077);
    node->word = number * -1500000077;
    node->uword = number * 3000000000u;
    node->quad = -large;
    *(unsigned long *)&node->uquad = large ^ 1UL << 63;
    node->kind = number % 2 ? THIRD : SECOND;
    node->sign = number % 2 ? LESS : MORE;
    node->point.x = (signed char)-number;
    node->point.y = -100 * number;
    node->either = number * -1000000007;
    node->low = number & 7;
    node->middle = -number * 100;
    node->high = (unsigned long)large >> 20;
    node->flag = number & 1;
    snprintf(node->name, sizeof node->name, "node %d", number);
    node->points[2].x = (signed char)(number + 1);
    node->many = (struct point *)calloc(2, sizeof *node->many);
    node->many[1].y = -number;
    printf("made %s\n", node->name);
    return node;
}

int main(void) {
    struct node *list = NULL;
    struct packed one = {1, 0x7123456789UL & 0x7ffffffffUL, -33, -5};
    for (int i = 1; i < 6; i++) {
        struct node *node = make(i);
        node->next = list;
        list = node;
    }
    for (struct node *node = list; node; node = node->next)
        visit(node, node->next ? 1 : 0);
    packed(&one);
    struct owner *owner = new_owner(-7);
    return look(owner, &list) != 1;
}
