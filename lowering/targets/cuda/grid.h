/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How a kernel's loops go over a grid: which steps are a thread's, and which a team's of a block.
 * It knows nests; it writes no code. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_GRID_H
#define TESSERA_LOWERING_TARGETS_CUDA_GRID_H

#include "lowering/kernels/kernel.h"

enum {
  TS_CUDA_WARP = 32,
  TS_CUDA_THREADS = 256,
  TS_CUDA_MOST_THREADS = 1024,
  TS_CUDA_SHARED_BYTES =
      44 << 10 /* of a block's memory of its own; 48 KiB is what all chips have */
};

/* The loops of a nest: those that the grid goes through, and the rest, in order; and which of the
 * rest are parallel. */
typedef struct ts_grid_loops {
  int num_grid, num_rest, num_parallel, num_reductions;
  int grid[TS_NEST_LOOPS], rest[TS_NEST_LOOPS];
  int parallel[TS_NEST_LOOPS], reductions[TS_NEST_LOOPS];
} ts_grid_loops;

typedef enum ts_grid_kind {
  TS_GRID_THREADS, /* a thread does a step, or `width` neighbouring ones, by itself */
  TS_GRID_TEAMS,   /* a team of threads does a step together */
  TS_GRID_ROWS     /* the same, and each thread keeps its part of the row in registers */
} ts_grid_kind;

/* What of memory the threads of a team keep in registers from nest to nest. */
typedef enum ts_kept {
  TS_KEPT_NOT,
  TS_KEPT_ROW, /* each thread the elements at its places of the row */
  TS_KEPT_ONE  /* all threads the one element that the step has there */
} ts_kept;

typedef struct ts_launch_grid {
  ts_grid_kind kind;
  int threads;          /* of a block */
  int team;             /* threads of a team: a warp or the block */
  int64_t width;        /* steps of the innermost loop that a thread does at once */
  int64_t row;          /* TS_GRID_ROWS: elements of it */
  ts_kept *kept;        /* the same: by pointer */
  ts_grid_loops *loops; /* by nest */
} ts_launch_grid;

/* What a team does of a nest. */
typedef enum ts_team_work {
  TS_TEAM_ELEMENTS, /* each thread some of its parallel steps, with all of their reductions */
  TS_TEAM_COMBINES  /* each some of the reduction's steps, and then all combine what they have */
} ts_team_work;
ts_team_work ts_grid_team_work(const ts_nest *nest, const ts_grid_loops *loops);

/* Bytes of memory that a block has for its teams: buffers of the kernel's own, and what threads
 * combine. */
int64_t ts_grid_shared_bytes(const ts_kernel *kernel, const ts_launch_grid *grid);

void ts_grid_choose(const ts_kernel *kernel, ts_arena *arena, ts_launch_grid *grid);

/* Can 16 bytes of neighbouring steps of loop `inner` be loaded or stored at once, if they begin at
 * a multiple of `width`? */
bool ts_grid_is_wide(const ts_nest *nest, const ts_access *access, int inner, int64_t width);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_GRID_H */
