/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Seconds and medians of them. It must not know what is timed. */
#ifndef TESSERA_BENCH_COMMON_TIMING_H
#define TESSERA_BENCH_COMMON_TIMING_H

#include <stdlib.h>
#include <time.h>

/* Seconds since some time ago. */
static inline double bench_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline int bench_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median of `num` times, which are in order afterwards. */
static inline double bench_median(double *times, int num) {
  qsort(times, (size_t)num, sizeof(*times), bench_compare);
  return times[num / 2];
}

#endif /* TESSERA_BENCH_COMMON_TIMING_H */
