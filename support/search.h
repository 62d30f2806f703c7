/* search.h: binary search in sorted arrays; also for the runtime. */
#ifndef ATOMC_SUPPORT_SEARCH_H
#define ATOMC_SUPPORT_SEARCH_H

#include <stdint.h>

/* The first number `at` in [begin, end) for which `comes_before` is false; `end` if there is none.
   `comes_before` must be true for all numbers below the result. */
#define FIRST_NOT(begin, end, at, comes_before)                                                              \
    __extension__({                                                                                          \
        uint64_t low_ = (begin), high_ = (end);                                                              \
        while (low_ < high_) {                                                                               \
            const uint64_t at = low_ + (high_ - low_) / 2;                                                   \
            if (comes_before)                                                                                \
                low_ = at + 1;                                                                               \
            else                                                                                             \
                high_ = at;                                                                                  \
        }                                                                                                    \
        low_;                                                                                                \
    })

#endif
