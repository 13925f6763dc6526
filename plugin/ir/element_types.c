/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reads the runtime's table of reductions and conversions, so that what it lacks is said before a
 * program runs. Knows the runtime's numbers, not ops. */
#include "lowering/calls/reduction_types.h"

#include "tessera/reductions.h"

#define BIT(suffix, reduction, kernel) | 1u << TESSERA_##reduction

bool ts_reduction_has_meaning(int32_t reduction, int32_t type) {
  static const uint32_t meanings[] = {
      [TESSERA_FAMILY_NONE] = 0,
      [TESSERA_FAMILY_OPAQUE] = 0,
      [TESSERA_FAMILY_BOOLEAN] = 0 TESSERA_BOOLEAN_REDUCTIONS(BIT, ),
      [TESSERA_FAMILY_SIGNED] = 0 TESSERA_INTEGER_REDUCTIONS(BIT, ),
      [TESSERA_FAMILY_UNSIGNED] = 0 TESSERA_INTEGER_REDUCTIONS(BIT, ),
      [TESSERA_FAMILY_FLOAT] = 0 TESSERA_FLOAT_REDUCTIONS(BIT, ),
      [TESSERA_FAMILY_COMPLEX] = 0 TESSERA_COMPLEX_REDUCTIONS(BIT, ),
  };
  return meanings[tessera_type_facts_of(type).family] >> reduction & 1;
}

const char *ts_reduction_name(int32_t reduction) {
  return tessera_reduction_name(reduction);
}

bool ts_reduction_converts(int32_t from, int32_t to) {
  return tessera_type_converts(from, to);
}
