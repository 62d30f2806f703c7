/* profiled.c: branches that go the way that looks unlikely, as often as its argument says. -DLATER is another build of it: one
   procedure is new, one has other code, one is gone, and all others have other addresses. */
#include <stdio.h>
#include <stdlib.h>

#ifdef LATER
__attribute__((noinline)) long added(long number) {
    return number > 3 ? number * 5 : number - 1;
}
#else
__attribute__((noinline)) long removed(long number) {
    return number > 3 ? number * 3 : number + 1;
}
#define added removed
#endif

__attribute__((noinline)) long changed(long number) {
#ifdef LATER
    if (number % 7 == 3)
        return number / 7;
#endif
    while (number > 10)
        number -= number & 4 ? 3 : 5;
    return number;
}

static long volatile seen[4];

/* Each branch goes to what looks unlikely: to what is negative, to a return, to a call of what may not return. */
__attribute__((noinline)) long step(long sum, long letter) {
    if (letter < 0) {
        seen[0] = letter;
        if (sum > 1000000)
            exit(3);
    } else {
        seen[1] = letter;
        if (letter == 3)
            seen[2] = sum;
    }
    if (sum < 0) {
        seen[3] = sum;
        return sum - letter;
    }
    seen[2]++;
    return sum + letter;
}

__attribute__((noinline)) long kept(const char *text, long turns) {
    long sum = -5;
    for (long i = 0; i < turns; i++)
        sum = -1 - (step(sum, text[i % 61]) & 1023);
    return sum;
}

int main(int count, char **words) {
    char text[61];
    long turns = count > 1 ? atol(words[1]) : 100;
    for (int i = 0; i < 61; i++)
        text[i] = (char)(i % 9 == 4 ? i + 1 : -2 - i);
    printf("%ld %ld\n", kept(text, turns) + changed(turns), added(turns));
    return 0;
}
