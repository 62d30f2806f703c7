/* unset_stack_array: a line with an error ends with third's message. */
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
