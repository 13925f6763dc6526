/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Contractions on memrefs to calls of the runtime's matrix product. It knows strides: a transposed
 * operand is one whose strides say so. */
#ifndef TESSERA_LOWERING_CALLS_GEMM_H
#define TESSERA_LOWERING_CALLS_GEMM_H

#include "lowering/calls/epilogues.h"
#include "lowering/calls/site_records.h"
#include "lowering/calls/wrappers.h"

/* Replaces every contraction that is worth it, and the fill with zero before it; and what adds a
 * residual or a bias behind it, with an activation among `activations`. NULL: neither. */
void ts_gemm_lower(ts_sites *sites, ts_wrappers *wrappers, const ts_activations *activations);

#endif /* TESSERA_LOWERING_CALLS_GEMM_H */
