/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Element types: which of the runtime's they are, and which reductions have a meaning for them. It
 * knows types and the runtime's numbers; it must not know ops. */
#ifndef TESSERA_PLUGIN_IR_ELEMENT_TYPES_H
#define TESSERA_PLUGIN_IR_ELEMENT_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

/* tessera_dtype of an element type, or 0. */
int32_t ts_dtype(MlirType element);
/* The same for elements that are only moved: one of as many bytes serves. */
int32_t ts_dtype_to_move(MlirType element);

/* Bytes from one element to the next in an array, as LLVM lays them out; 0 where that is not known
 * here. */
int64_t ts_element_bytes(MlirType element);

/* Has `reduction` (a tessera_reduction) a meaning for values of `type` (a tessera_dtype)? */
bool ts_reduction_has_meaning(int32_t reduction, int32_t type);
/* May values of element type `from` be reduced in element type `to`? */
bool ts_reduction_converts(int32_t from, int32_t to);

#endif /* TESSERA_PLUGIN_IR_ELEMENT_TYPES_H */
