/* floating.c: for expressions.atd: floating point, and branches on it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    double sum = 0;
    float least = 1e9f;
    for (int i = -500; i < 500; i++) {
        double x = sin(i) * i;
        sum += x < 0 ? -x : x;
        if ((float)x <= least)
            least = (float)x;
        if (x == 0 || !(x > -400))
            sum += atof("1.5");
    }
    printf("%.6f %.6f\n", sum, (double)least);
    return 0;
}
