/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which reductions a CPU does in parts, so that rounding grows with parts rather than values, rows
 * are long enough for vectors, and all cores have something to do. It knows extents; it must not
 * know how parts are made. */
#ifndef TESSERA_LOWERING_TARGETS_CPU_REDUCTIONS_H
#define TESSERA_LOWERING_TARGETS_CPU_REDUCTIONS_H

#include "lowering/targets/parted.h"

/* Those of many rows, and large ones of few long rows. The choice follows from extents alone, so
 * that sums are the same on any number of cores. */
ts_parted_choose ts_cpu_choose_parts;

#endif /* TESSERA_LOWERING_TARGETS_CPU_REDUCTIONS_H */
