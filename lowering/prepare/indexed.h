/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Slices of a tensor at places that another tensor lists. It knows tensor.gather and
 * tensor.scatter. */
#ifndef TESSERA_LOWERING_PREPARE_INDEXED_H
#define TESSERA_LOWERING_PREPARE_INDEXED_H

#include "lowering/calls/site_records.h"
#include "lowering/calls/wrappers.h"

/* Gathers become tensors that are generated element by element, scatters loops over the elements
 * that they insert. A coordinate outside of its dimension fails, with the op's place. */
void ts_indexed_lower(ts_sites *sites, ts_wrappers *wrappers);

#endif /* TESSERA_LOWERING_PREPARE_INDEXED_H */
