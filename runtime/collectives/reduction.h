/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which types a reduction goes through.
 * It must not know kernels, views, groups or ranks. */
#ifndef TESSERA_RUNTIME_COLLECTIVES_REDUCTION_H
#define TESSERA_RUNTIME_COLLECTIVES_REDUCTION_H

#include "planes/device.h"

/* Types and reduction of `combination`, whose input is what travels; both sides are read as
 * unsigned where the reduction says so. Fails if the reduction has no meaning for the types. */
tessera_status tr_reduction_find(const tessera_site *site, tr_combination *combination);

#endif /* TESSERA_RUNTIME_COLLECTIVES_REDUCTION_H */
