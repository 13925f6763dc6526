/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which reductions have a meaning for which element types. Knows the runtime's numbers, not ops. */
#ifndef TESSERA_LOWERING_CALLS_REDUCTION_TYPES_H
#define TESSERA_LOWERING_CALLS_REDUCTION_TYPES_H

#include <stdbool.h>
#include <stdint.h>

/* Has `reduction` (a tessera_reduction) a meaning for values of `type` (a tessera_dtype)? */
bool ts_reduction_has_meaning(int32_t reduction, int32_t type);

/* The name of a tessera_reduction in messages. */
const char *ts_reduction_name(int32_t reduction);

/* May values of element type `from` be reduced in element type `to`? */
bool ts_reduction_converts(int32_t from, int32_t to);

#endif
