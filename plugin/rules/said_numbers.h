/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Numbers that come to an extent. It must not know what the extent is for. */
#ifndef TESSERA_PLUGIN_RULES_SAID_NUMBERS_H
#define TESSERA_PLUGIN_RULES_SAID_NUMBERS_H

#include "mlir-c/IR.h"

/* The value, an index or an integer of at least 64 bits, that `number` equals as far as extents are
 * not negative: without conversions between these types, questions whether an extent is negative,
 * the larger of an extent and itself, and what it is multiplied and divided by. */
MlirValue ts_simplest_number(MlirValue number);

#endif /* TESSERA_PLUGIN_RULES_SAID_NUMBERS_H */
