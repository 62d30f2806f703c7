struct list { struct list *next; long value; } nodes[10];
long sum(struct list *at) { long total = 0; for (; at; at = at->next) total += at->value; return total; }
int main(void) {
    int i;
    for (i = 0; i < 9; i++) { nodes[i].next = &nodes[i + 1]; nodes[i].value = i; }
    return sum(nodes) == 36 ? 0 : 1;
}
