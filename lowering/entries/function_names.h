/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Names of the source's functions, out of the way of every name that the lowering and what follows
 * it will need. It knows symbols; it must not know bodies. */
#ifndef TESSERA_LOWERING_ENTRIES_FUNCTION_NAMES_H
#define TESSERA_LOWERING_ENTRIES_FUNCTION_NAMES_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* False after an error at each symbol of the source that has a name of the runtime's. Declarations
 * in the LLVM dialect are taken to be the lowering's own, of a run before. */
bool ts_names_check(MlirOperation module);

/* Gives every function with a body a name that no library and no record has: @erf of the source
 * must not become the erf that math.erf calls. */
void ts_names_set_apart(MlirOperation module);

/* Whether `op` is a function with a body; declarations keep their names, by which they are linked.
 */
bool ts_names_is_defined(MlirOperation op);

/* The name that a function had in the source. */
MlirStringRef ts_names_source(MlirStringRef symbol);

#endif /* TESSERA_LOWERING_ENTRIES_FUNCTION_NAMES_H */
