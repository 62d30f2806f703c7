/* unset_stack_array: what third must say of a line stands at its end. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

int main(void) {
    int a[10], sum = 0;
    for (int i = 0; i < 9; i++)
        a[i] = i;
    for (int i = 0; i < 10; i++)
        if (a[i] == 100) //! unset stack read
            sum++;
    return sum > 10;
}
