/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Numbers that are a loop's index in every trip, however they are written. */
#ifndef TESSERA_PLUGIN_MODEL_TRIP_INDEX_H
#define TESSERA_PLUGIN_MODEL_TRIP_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

/* Whether `value` is the index `index` of a loop that goes from 0 to `last`: converted, kept within
 * bounds in which it is, or chosen where it would be negative, as importers have slices begin. */
bool ts_is_trip_index(MlirValue value, MlirValue index, int64_t last);

#endif /* TESSERA_PLUGIN_MODEL_TRIP_INDEX_H */
