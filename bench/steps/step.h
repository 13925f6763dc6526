/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a step written by hand is: its place among the ranks, its memory, its run. It knows MPI and
 * must not know Tessera. */
#ifndef TESSERA_BENCH_STEP_H
#define TESSERA_BENCH_STEP_H

#include <stdbool.h>
#include <stdint.h>

/* One rank among `ranks`; `threads` for each product and loop; `bytes`: received so far, counted as
 * docs/runtime.md counts them. */
typedef struct job {
  int rank, ranks, threads;
  int64_t bytes;
} job;

/* `start` allocates what a run works on, once, and is never undone; its memory is the run's first
 * argument. Arguments and results are this rank's pieces, dense, in the program's order; arguments
 * are not written, and every result is written whole. All ranks run alike. */
typedef struct step {
  const char *name;
  void *(*start)(job *job);
  void (*run)(void *memory, const float *const *arguments, float *const *results);
} step;

extern const step matmul_step, mlp_rows_step, mlp_columns_step, block_rows_step, block_heads_step,
    stencil_step;

#endif
