/* numbers.h: numbers as characters, made in registers, for the formats. A word has its first character in
   the lowest byte: little-endian, as is the host. */
#ifndef ATOMC_RUNTIME_NUMBERS_H
#define ATOMC_RUNTIME_NUMBERS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "runtime/report/report.h"

/* Calls would take a fifth of the time for a row. */
#define WHERE_USED static inline __attribute__((always_inline))

enum { WORD = 8, NUMBER = 400 /* characters of any double with two decimals */ };

/* Writes up to WORD characters. There must be room for WORD characters. */
struct __attribute__((packed, may_alias)) word_anywhere {
    uint64_t characters;
};
static inline char *store_word(char *at, uint64_t characters, unsigned count) {
    ((struct word_anywhere *)(void *)at)->characters = characters;
    return at + count;
}

static inline char *store_byte(char *at, char byte) {
    *at = byte;
    return at + 1;
}

/* Each returns the end of its output. There must be room for NUMBER characters. */

/* Both digits of 0 to 99; then the same without a leading zero. Words of 32 bits are read by one
   instruction. */
static const int32_t two_digits[100] = {
#define DIGITS(tens)                                                                                         \
    TWO(tens, 0), TWO(tens, 1), TWO(tens, 2), TWO(tens, 3), TWO(tens, 4), TWO(tens, 5), TWO(tens, 6),        \
        TWO(tens, 7), TWO(tens, 8), TWO(tens, 9)
#define TWO(tens, ones) ('0' + (tens)) | ('0' + (ones)) << 8
    DIGITS(0), DIGITS(1), DIGITS(2), DIGITS(3), DIGITS(4),
    DIGITS(5), DIGITS(6), DIGITS(7), DIGITS(8), DIGITS(9)};
#undef TWO
static const int32_t first_digits[100] = {
#define TWO(tens, ones) (tens) ? ('0' + (tens)) | ('0' + (ones)) << 8 : '0' + (ones)
    DIGITS(0), DIGITS(1), DIGITS(2), DIGITS(3), DIGITS(4),
    DIGITS(5), DIGITS(6), DIGITS(7), DIGITS(8), DIGITS(9)};
#undef TWO
#undef DIGITS
/* The two hexadecimal digits of each byte. */
static const int32_t byte_digits[256] = {
#define DIGIT(value)    ((value) < 10 ? '0' + (value) : 'a' - 10 + (value))
#define BYTE(high, low) DIGIT(high) | DIGIT(low) << 8
#define BYTES(high)                                                                                          \
    BYTE(high, 0), BYTE(high, 1), BYTE(high, 2), BYTE(high, 3), BYTE(high, 4), BYTE(high, 5), BYTE(high, 6), \
        BYTE(high, 7), BYTE(high, 8), BYTE(high, 9), BYTE(high, 10), BYTE(high, 11), BYTE(high, 12),         \
        BYTE(high, 13), BYTE(high, 14), BYTE(high, 15)
    BYTES(0), BYTES(1), BYTES(2),  BYTES(3),  BYTES(4),  BYTES(5),  BYTES(6),  BYTES(7),
    BYTES(8), BYTES(9), BYTES(10), BYTES(11), BYTES(12), BYTES(13), BYTES(14), BYTES(15)};
#undef BYTES
#undef BYTE
#undef DIGIT

/* Formats the lowest 32 bits, all eight digits at once. */
static inline uint64_t hexadecimal_digits(uint64_t value) {
    const uint64_t ones = UINT64_MAX / 255;
    value = (value & 0xffff) << 32 | (value >> 16 & 0xffff);
    value = (value & UINT64_C(0x000000ff000000ff)) << 16 | (value >> 8 & UINT64_C(0x000000ff000000ff));
    value = (value & UINT64_C(0x000f000f000f000f)) << 8 | (value >> 4 & UINT64_C(0x000f000f000f000f));
    uint64_t letters = (value + ones * 6) >> 4 & ones;
    return value + ones * '0' + letters * ('a' - 10 - '0');
}

static inline char *store_hexadecimal(char *at, uint64_t value) {
    uint64_t digits = hexadecimal_digits(value), high = value >> 4 * WORD;
    unsigned count = WORD;
    if (high > 0)
        at = high < 10 ? store_byte(at, (char)('0' + high)) : store_hexadecimal(at, high);
    else
        for (; count > 1 && (digits & 255) == '0'; count--)
            digits >>= 8;
    return store_word(at, digits, count);
}

enum { IN_WORD = 100000000 };
#define IN_TWO_WORDS ((uint64_t)IN_WORD * IN_WORD)

/* Up to WORD characters, and the number of their bits. */
struct characters {
    uint64_t word, bits;
};

/* A number below IN_WORD; with the character after it, if that is not 0, below IN_WORD / 10. A product with
   the inverse of 100 is exact for all of 32 bits. */
WHERE_USED struct characters short_decimal(uint64_t value, uint64_t after) {
    struct characters number = {after, after ? 8 : 0};
    for (uint64_t rest; value >= 100; value = rest, number.bits += 16) {
        rest = value * 1374389535 >> 37;
        number.word = number.word << 16 | (uint64_t)two_digits[value - 100 * rest];
    }
    const uint64_t bits = value < 10 ? 8 : 16;
    number.word = number.word << bits | (uint64_t)first_digits[value];
    number.bits += bits;
    return number;
}

/* Hundredths below IN_WORD / 100, with a point: up to seven characters. */
WHERE_USED struct characters short_hundredths(uint64_t value) {
    const uint64_t whole = value * 1374389535 >> 37;
    struct characters number = short_decimal(whole, 0);
    const uint64_t fraction = '.' | (uint64_t)two_digits[value - 100 * whole] << 8;
    return (struct characters){number.word | fraction << number.bits, number.bits + 24};
}

WHERE_USED char *store_short_decimal(char *at, uint64_t value) {
    struct characters number = short_decimal(value, 0);
    return store_word(at, number.word, (unsigned)number.bits / 8);
}

/* All digits of a number below IN_WORD. */
WHERE_USED struct characters eight_digits(uint64_t value) {
    struct characters number = {0, 8 * WORD};
    for (unsigned count = 0; count < WORD; count += 2) {
        uint64_t rest = value * 1374389535 >> 37;
        number.word = number.word << 16 | (uint64_t)two_digits[value - 100 * rest];
        value = rest;
    }
    return number;
}

static inline char *store_long_decimal(char *at, uint64_t value) {
    uint64_t high = value / IN_WORD;
    at = high < IN_WORD ? store_short_decimal(at, high) : store_long_decimal(at, high);
    return store_word(at, eight_digits(value % IN_WORD).word, WORD);
}

WHERE_USED char *store_decimal(char *at, uint64_t value) {
    return value < IN_WORD ? store_short_decimal(at, value) : store_long_decimal(at, value);
}

static inline char *store_hundredths(char *at, int64_t value) {
    const uint64_t hundredths = magnitude_of(value);
    if (value < 0)
        at = store_byte(at, '-');
    at = store_decimal(at, hundredths / 100);
    return store_word(at, '.' | (uint64_t)two_digits[hundredths % 100] << 8, 3);
}

/* Like printf("%.2f"): rounded to the nearest hundredth, ties to even. */
static inline char *store_two_decimals(char *at, double value) {
    enum { FRACTION = 52, BIAS = 1023 };
    uint64_t bits, hundredths = 0;
    memcpy(&bits, &value, sizeof bits);
    int64_t shift = FRACTION + BIAS - (int64_t)(bits >> FRACTION); /* value = its fraction >> shift */
    if (shift < 0)                                                 /* a large or a negative one */
        return at + snprintf(at, NUMBER, "%.2f", value);
    if (shift < 64) { /* all other values are less than a thousandth */
        uint64_t scaled = 100 * ((bits & ((UINT64_C(1) << FRACTION) - 1)) | UINT64_C(1) << FRACTION);
        uint64_t rest = scaled & ((UINT64_C(1) << shift) - 1);
        uint64_t half = shift > 0 ? UINT64_C(1) << (shift - 1) : 1;
        hundredths = scaled >> shift;
        hundredths += rest > half || (rest == half && hundredths & 1);
    }
    if (hundredths < 1000) /* in one step, with the digit before the decimal point */
        return store_word(
            at, ('0' + hundredths / 100) | '.' << 8 | (uint64_t)two_digits[hundredths % 100] << 16, 4);
    at = store_decimal(at, hundredths / 100);
    return store_word(at, '.' | (uint64_t)two_digits[hundredths % 100] << 8, 3);
}

#endif
