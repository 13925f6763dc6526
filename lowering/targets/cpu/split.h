/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which loop of a kernel goes over the cores of a rank. It knows nests; it must not know threads.
 */
#ifndef TESSERA_LOWERING_TARGETS_CPU_SPLIT_H
#define TESSERA_LOWERING_TARGETS_CPU_SPLIT_H

#include "lowering/kernels/kernel.h"

/* A loop whose steps any threads may do, in any order, with the same result: number `loop` of every
 * nest; -1: there is none, or too little to do. */
typedef struct ts_split {
  int loop;
  int64_t unit; /* a thread does a multiple of so many steps at a time */
} ts_split;

ts_split ts_split_choose(const ts_kernel *kernel);

/* What one element of the nest costs, in picoseconds, as a guess. */
int64_t ts_split_cost(const ts_nest *nest);

/* Marks of two values in the code of a kernel: 0 and the loop's extent, which are where it begins
 * and ends. The first is a product with the cost of a step; the second has `unit`. */
#define TS_SPLIT_FROM "tessera.split_from"
#define TS_SPLIT_TO "tessera.split_to"

#endif /* TESSERA_LOWERING_TARGETS_CPU_SPLIT_H */
