/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which kernels keep the rows that they go through in registers, and how many threads a row has.
 * It knows nests; it writes no code. */
#include "lowering/targets/cuda/row_grid.h"

#include "capi/capi.h"
#include "lowering/kernels/steps.h"
#include "lowering/targets/cuda/thread.h"
#include "mlir-c/BuiltinTypes.h"

enum {
  WIDE_BYTES = 16,     /* of one access */
  MOST_WIDTH = 8,      /* copies of a body in a row */
  MOST_OF_WARP = 1024, /* elements that a warp has of a row */
  MOST_REGISTERS = 64, /* that a thread keeps elements in */
  FEW_REGISTERS = 32,  /* where the largest blocks leave each thread no more than 64 in all */
  ENOUGH = 16,         /* elements that a thread has to itself, rather than more threads */
  ENOUGH_OF_FEW = 4,   /* the same, where rows are so few that blocks are too */
  FEW_ROWS = 264,      /* two blocks for each multiprocessor of a large GPU */
  LEAST_THREADS = 128  /* of a block that has a row */
};

/* The loop through the row; -1: the nest has one element a step. */
static int row_loop(const ts_grid_loops *loops) {
  return loops->num_rest > 0 ? loops->rest[0] : -1;
}

/* How the nest goes through its row. */
static ts_kept form_of(const ts_grid_loops *loops, const ts_access *access) {
  int loop = row_loop(loops);
  return loop >= 0 && !ts_product_is(&access->strides[loop], 0) ? TS_KEPT_ROW : TS_KEPT_ONE;
}

/* ---- nests ----------------------------------------------------------------------------------- */

/* An element a step, a loop through the row, or the row combined; all outputs accordingly. */
static bool fits(const ts_nest *nest, const ts_grid_loops *loops) {
  int loop = row_loop(loops);
  bool combines = loops->num_reductions > 0;
  if (loops->num_rest > 1 || (loop >= 0 && nest->loops[loop].pick))
    return false;
  if (combines && ts_grid_team_work(nest, loops) != TS_TEAM_COMBINES)
    return false;
  ts_kept wanted = loop >= 0 && !combines ? TS_KEPT_ROW : TS_KEPT_ONE;
  for (int o = 0; o < nest->num_outputs; o++)
    if (form_of(loops, &nest->accesses[nest->num_inputs + o]) != wanted)
      return false;
  return true;
}

/* Elements of the row that all nests go through; -1: they have none, or different ones. */
static int64_t common_row(const ts_kernel *kernel, const ts_launch_grid *grid) {
  int64_t row = -1;
  for (int n = 0; n < kernel->num_nests; n++) {
    const ts_grid_loops *loops = &grid->loops[n];
    if (!fits(kernel->nests[n], loops))
      return -1;
    if (loops->num_rest == 0)
      continue;
    int64_t extent = ts_thread_known_extents(kernel->nests[n], loops->num_rest, loops->rest);
    if (extent < 1 || (row >= 0 && extent != row))
      return -1;
    row = extent;
  }
  return row;
}

/* ---- pointers -------------------------------------------------------------------------------- */

/* Element by element the same memory. */
static bool is_same(const ts_grid_loops *a_loops, const ts_access *a, const ts_grid_loops *b_loops,
                    const ts_access *b) {
  if (!ts_product_equal(&a->offset, &b->offset) || form_of(a_loops, a) != form_of(b_loops, b))
    return false;
  if (form_of(a_loops, a) == TS_KEPT_ROW &&
      !ts_product_equal(&a->strides[row_loop(a_loops)], &b->strides[row_loop(b_loops)]))
    return false;
  for (int l = 0; l < a_loops->num_grid; l++)
    if (!ts_product_equal(&a->strides[a_loops->grid[l]], &b->strides[b_loops->grid[l]]))
      return false;
  return true;
}

/* How threads keep what is behind pointer `p`, and in how many nests. */
static ts_kept choose_kept(const ts_kernel *kernel, const ts_launch_grid *grid, int p, int *nests) {
  const ts_access *first = NULL;
  const ts_grid_loops *first_loops = NULL;
  *nests = 0;
  if (kernel->pointers[p].is_written && !kernel->pointers[p].is_apart)
    return TS_KEPT_NOT;
  for (int n = 0; n < kernel->num_nests; n++) {
    bool is_here = false;
    for (int a = 0; a < kernel->nests[n]->num_accesses; a++) {
      const ts_access *access = &kernel->nests[n]->accesses[a];
      if (kernel->pointer_of[n][a] != p)
        continue;
      if (first && !is_same(first_loops, first, &grid->loops[n], access))
        return TS_KEPT_NOT;
      first = access;
      first_loops = &grid->loops[n];
      is_here = true;
    }
    *nests += is_here;
  }
  return first ? form_of(first_loops, first) : TS_KEPT_NOT;
}

/* Rows that threads keep beyond a nest; -1: some memory cannot be kept that has to be. */
static int choose_all_kept(const ts_kernel *kernel, ts_launch_grid *grid) {
  int rows = 0, nests;
  for (int p = 0; p < kernel->num_pointers; p++) {
    const ts_pointer *pointer = &kernel->pointers[p];
    grid->kept[p] = choose_kept(kernel, grid, p, &nests);
    if (!ts_thread_may_keep(pointer->element) ||
        (grid->kept[p] == TS_KEPT_NOT && (pointer->is_written || pointer->elements)))
      return -1;
    rows += grid->kept[p] == TS_KEPT_ROW && nests > 1;
  }
  return rows;
}

/* ---- teams ----------------------------------------------------------------------------------- */

/* Neighbouring elements, so that the largest of given memory fill an access. */
static int64_t choose_width(const ts_kernel *kernel, const ts_launch_grid *grid, int64_t row) {
  int64_t most = 0;
  for (int n = 0; n < kernel->num_nests; n++) {
    const ts_nest *nest = kernel->nests[n];
    int loop = row_loop(&grid->loops[n]);
    for (int a = 0; loop >= 0 && a < nest->num_accesses; a++) {
      int p = kernel->pointer_of[n][a];
      if (p < 0 || kernel->pointers[p].elements ||
          !ts_grid_is_wide(nest, &nest->accesses[a], loop, 2))
        continue;
      int64_t bytes = ts_steps_element_bytes(nest->accesses[a].memory);
      most = bytes > most ? bytes : most;
    }
  }
  int64_t width = most ? WIDE_BYTES / most : 1;
  width = width > MOST_WIDTH ? MOST_WIDTH : width;
  while (width > 1 && (row % width != 0 || width * TS_CUDA_WARP > row))
    width /= 2;
  return width < 1 ? 1 : width;
}

static int64_t elements_of(int64_t row, int64_t team, int64_t width) {
  return (row + team * width - 1) / (team * width) * width;
}

/* Threads of a row; 0: there is no number of them that can keep it. */
static int choose_team(int64_t row, int64_t width, int rows, int64_t steps) {
  int64_t enough = steps >= 0 && steps < FEW_ROWS ? ENOUGH_OF_FEW : ENOUGH;
  if (row <= MOST_OF_WARP && elements_of(row, TS_CUDA_WARP, width) * rows <= MOST_REGISTERS)
    return TS_CUDA_WARP;
  for (int team = LEAST_THREADS; team < TS_CUDA_MOST_THREADS; team *= 2) {
    int64_t elements = elements_of(row, team, width);
    if (elements <= enough && elements * rows <= MOST_REGISTERS)
      return team;
  }
  return elements_of(row, TS_CUDA_MOST_THREADS, width) * rows <= FEW_REGISTERS
             ? TS_CUDA_MOST_THREADS
             : 0;
}

void ts_row_grid_choose(const ts_kernel *kernel, ts_arena *arena, ts_launch_grid *grid) {
  int64_t row = grid->kind == TS_GRID_TEAMS ? common_row(kernel, grid) : -1;
  if (row < 0)
    return;
  const ts_grid_loops *first = &grid->loops[0];
  int64_t steps = ts_thread_known_extents(kernel->nests[0], first->num_grid, first->grid);
  ts_launch_grid chosen = *grid;
  chosen.kind = TS_GRID_ROWS;
  chosen.kept = TS_NEW(arena, ts_kept, kernel->num_pointers);
  int rows = choose_all_kept(kernel, &chosen);
  if (rows < 0)
    return;
  chosen.row = row;
  chosen.width = choose_width(kernel, grid, row);
  chosen.team = choose_team(row, chosen.width, rows > 0 ? rows : 1, steps);
  if (!chosen.team)
    return;
  chosen.threads = chosen.team == TS_CUDA_WARP ? TS_CUDA_THREADS : chosen.team;
  if (ts_grid_shared_bytes(kernel, &chosen) <= TS_CUDA_SHARED_BYTES)
    *grid = chosen;
}
