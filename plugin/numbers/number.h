/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Numbers that are known now, or only at the launch: halo sizes and shard offsets. It must not know
 * any IR; which values of a program they are is program_numbers.h's. */
#ifndef TESSERA_PLUGIN_NUMBERS_NUMBER_H
#define TESSERA_PLUGIN_NUMBERS_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "support/arena.h"

#define TS_DYNAMIC                                                                                 \
  INT64_MIN /* in lists of extents and numbers: not known now, as attributes say it */

/* All zero is the number 0. */
typedef struct ts_number {
  const struct ts_program_number
      *value; /* NULL: it is `known`. Else a value of the program, of which
                 the launch knows the number: the same for the same one */
  int64_t known;
} ts_number;

/* Of which not even the value is known; equal to no number, not itself either. */
extern const ts_number ts_unknown_number;

ts_number ts_known_number(int64_t number);
/* Only the launch knows it. */
bool ts_is_run_time(ts_number number);
bool ts_number_equal(ts_number a, ts_number b);
/* It is known, and `known`. */
bool ts_number_is(ts_number number, int64_t known);
/* As attributes say it: TS_DYNAMIC if only the launch knows it. */
int64_t ts_number_to_attribute(ts_number number);
ts_number ts_number_from_attribute(int64_t number);

/* Halo sizes and shard offsets beyond this are refused, so that sums of a few do not overflow. */
#define TS_MAX_NUMBER (INT64_C(1) << 53)
/* What is wrong with a number as attributes say it, or NULL: TS_DYNAMIC, or from 0 to
 * TS_MAX_NUMBER. `what` it is for. */
const char *ts_number_mistake(ts_arena *arena, const char *what, int64_t number);

#endif /* TESSERA_PLUGIN_NUMBERS_NUMBER_H */
