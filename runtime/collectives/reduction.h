/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions as tables: element type x operation.
 * It must not know views, groups or ranks. */
#ifndef TESSERA_RUNTIME_COLLECTIVES_REDUCTION_H
#define TESSERA_RUNTIME_COLLECTIVES_REDUCTION_H

#include "tessera/runtime.h"

/* accumulator[i] = accumulator[i] op values[i]. */
typedef void (*tr_combine)(void *accumulator, const void *values, int64_t count);

/* How one reduction from `input` to `output` elements is done. */
typedef struct tr_reducer {
  tessera_dtype input;       /* what travels, read as unsigned where the reduction says so */
  tessera_dtype accumulator; /* what is added up */
  tessera_dtype output;
  tessera_reduction reduction;
  tr_combine combine;
} tr_reducer;

/* Fails if the reduction has no meaning for the types. */
tessera_status tr_reducer_find(tessera_dtype input, tessera_dtype output,
                               tessera_reduction reduction, tr_reducer *reducer);

/* The last step of an average: divides by the number of values, integers towards zero. */
void tr_reducer_divide(const tr_reducer *reducer, void *accumulator, int64_t count,
                       int64_t divisor);

#endif /* TESSERA_RUNTIME_COLLECTIVES_REDUCTION_H */
