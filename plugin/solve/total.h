/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a solved model costs in all, to compare two of one module. It knows what the solver found;
 * it must not know how. */
#ifndef TESSERA_PLUGIN_SOLVE_TOTAL_H
#define TESSERA_PLUGIN_SOLVE_TOTAL_H

#include "model/model.h"

typedef struct ts_total {
  double price; /* of all moves of values, in bytes and a little for each message (price.h) */
  double work;  /* iterations of a device */
} ts_total;

/* Of all active functions of a model that ts_model_solve has solved, each called once. */
ts_total ts_total_of(ts_model *model);

#endif /* TESSERA_PLUGIN_SOLVE_TOTAL_H */
