/* leaps.c: adds numbers in parentheses. An error leaves all calls by longjmp, a signal some by siglongjmp. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static jmp_buf failed;
static sigjmp_buf stopped;
static volatile int noted;

int sum(const char **text);

int number(const char **text) {
    int value = **text - '0';
    if (*(*text)++ == '(') {
        value = sum(text);
        (*text)++;
    } else if (value < 0 || value > 9) {
        longjmp(failed, 1);
    }
    return value;
}

int sum(const char **text) {
    int value = number(text);
    while (**text == '+') {
        (*text)++;
        value += number(text);
    }
    return value;
}

void note(int signal) {
    noted += signal > 0;
}

void stop(int signal) {
    siglongjmp(stopped, signal);
}

void wait_for_stop(void) {
    raise(SIGUSR1);
    raise(SIGUSR2);
}

int main(void) {
    static const char *const texts[] = {"1+(2+3)", "4+(5+x)"};
    signal(SIGUSR1, note);
    signal(SIGUSR2, stop);
    for (int i = 0; i < 2; i++) {
        const char *text = texts[i];
        if (setjmp(failed) == 0)
            printf("%d\n", sum(&text));
        else
            printf("no number\n");
    }
    if (sigsetjmp(stopped, 1) == 0)
        wait_for_stop();
    printf("noted %d\n", noted);
    return 0;
}
