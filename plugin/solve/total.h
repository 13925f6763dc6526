/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a solved model costs in all, to tell which of several solutions is best. It knows what the
 * solver found; it must not know how. */
#ifndef TESSERA_PLUGIN_SOLVE_TOTAL_H
#define TESSERA_PLUGIN_SOLVE_TOTAL_H

#include "model/model.h"

typedef struct ts_total {
  double bytes; /* that the busiest device receives */
  double work;  /* iterations of a device */
} ts_total;

/* Of all active functions of a model that ts_model_solve has solved, each called once, once it is
 * noted what uses ask for (solve/rehearsal.h). */
ts_total ts_total_of(ts_model *model);
/* Bytes of one of them, but for those of what it calls. */
double ts_bytes_of_function(ts_model *model, const ts_function *function);

#endif /* TESSERA_PLUGIN_SOLVE_TOTAL_H */
