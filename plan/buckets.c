/* buckets.c: the bucket of a histogram for a value, and the range of values of a bucket. Requires checked
   buckets; the code that engine/site/histograms.c inserts computes the same. */
#include "plan/plan.h"

static uint32_t bit_length(uint64_t value) {
    return value ? 64 - (uint32_t)__builtin_clzll(value) : 0;
}

uint32_t plan_bucket_of(const struct plan_buckets *buckets, int64_t value) {
    if (buckets->logarithmic)
        return value < 0 ? 0 : 1 + bit_length((uint64_t)value);
    if (value < buckets->low)
        return 0;
    if (value >= buckets->high)
        return buckets->count - 1;
    return 1 + (uint32_t)(((uint64_t)value - (uint64_t)buckets->low) / (uint64_t)buckets->step);
}

int64_t plan_bucket_low(const struct plan_buckets *buckets, uint32_t bucket) {
    if (bucket == 0)
        return INT64_MIN;
    if (buckets->logarithmic)
        return bucket == 1 ? 0 : INT64_C(1) << (bucket - 2);
    if (bucket == buckets->count - 1)
        return buckets->high;
    return buckets->low + (int64_t)(bucket - 1) * buckets->step;
}

int64_t plan_bucket_high(const struct plan_buckets *buckets, uint32_t bucket) {
    return bucket == buckets->count - 1 ? INT64_MAX : plan_bucket_low(buckets, bucket + 1) - 1;
}
