/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Numbers known now or only at the launch. It must not know any IR. */
#include "numbers/number.h"

#include <stddef.h>

static const char nobody; /* only pointed to */

const ts_number ts_unknown_number = {.value = (const struct ts_program_number *)&nobody};

ts_number ts_known_number(int64_t number) {
  return (ts_number){.known = number};
}

bool ts_is_run_time(ts_number number) {
  return number.value != NULL;
}

bool ts_number_equal(ts_number a, ts_number b) {
  return a.value == b.value && a.value != ts_unknown_number.value &&
         (a.value || a.known == b.known);
}

bool ts_number_is(ts_number number, int64_t known) {
  return !number.value && number.known == known;
}

int64_t ts_number_to_attribute(ts_number number) {
  return number.value ? TS_DYNAMIC : number.known;
}

ts_number ts_number_from_attribute(int64_t number) {
  return number == TS_DYNAMIC ? ts_unknown_number : ts_known_number(number);
}

const char *ts_number_mistake(ts_arena *arena, const char *what, int64_t number) {
  if (number == TS_DYNAMIC || (number >= 0 && number <= TS_MAX_NUMBER))
    return NULL;
  return ts_arena_format(arena, "%s of %lld is %s, expected 0 to %lld", what, (long long)number,
                         number < 0 ? "negative" : "too large", (long long)TS_MAX_NUMBER);
}
