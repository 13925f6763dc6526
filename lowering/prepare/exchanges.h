/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What exchanges give, as what a device has itself and what it receives. It knows exchanges and
 * their layouts; it must not know who reads what they give. */
#ifndef TESSERA_LOWERING_PREPARE_EXCHANGES_H
#define TESSERA_LOWERING_PREPARE_EXCHANGES_H

#include "lowering/prepare/composition.h"
#include "support/arena.h"

/* An exchange, and the insertion of what the device has itself into what it gives: where, by
 * device. */
typedef struct ts_exchange {
  MlirOperation op, insertion;
  const ts_box *own;
} ts_exchange;

typedef struct ts_exchanges {
  int num, max;
  ts_exchange *items;
} ts_exchanges;

/* Says of large exchanges whose results go through slices to elementwise ops alone that the part
 * which a device has itself is inserted, so that it may be read where it lies. Items are of
 * `arena`.
 */
ts_exchanges ts_exchanges_take_apart(ts_arena *arena, const ts_devices *devices);

/* Where nobody reads that part of the result, the exchange leaves it out (tessera.received); else
 * it copies the part, as it did. */
void ts_exchanges_settle(const ts_devices *devices, const ts_exchanges *exchanges);

#endif /* TESSERA_LOWERING_PREPARE_EXCHANGES_H */
