/* A switch in two loops, of which half of the cases leave both; what they go to is reached otherwise, too. */
#include <stdio.h>

static unsigned seed = 1;

static __attribute__((noinline)) unsigned next(unsigned below) {
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % below;
}

int main(void) {
    long sum = 0;
    for (int round = 0; round < 500; round++) {
        sum ^= next(3);
        for (;;) {
            sum -= next(4);
            while (next(20) != 0) {
                switch (next(16)) {
                case 0: sum += 3; break;
                case 1: sum ^= round; break;
                case 2: sum -= seed; break;
                case 3: sum *= 5; break;
                case 4: sum += sum >> 3; break;
                case 5: sum ^= 0x55; break;
                case 6: sum -= 9; break;
                case 7: sum += round * 7; break;
                case 8: goto out8;
                case 9: goto out9;
                case 10: goto out10;
                case 11: goto out11;
                case 12: goto out12;
                case 13: goto out13;
                case 14: goto out14;
                default: goto out15;
                }
            }
            sum += 11;
        }
    out8:
        sum += 8 * next(5);
    out9:
        sum ^= 9 * next(6);
    out10:
        sum += 10 * next(7);
    out11:
        sum ^= 11 * next(8);
    out12:
        sum += 12 * next(9);
    out13:
        sum ^= 13 * next(8);
    out14:
        sum += 14 * next(7);
    out15:
        sum ^= 15 * next(6);
    }
    printf("%ld\n", sum);
    return 0;
}
