/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How a kernel's loops go over a grid: which steps are a thread's, and which a team's of a block.
 * It knows nests; it writes no code. */
#include "lowering/targets/cuda/grid.h"

#include "capi/capi.h"
#include "lowering/kernels/steps.h"
#include "lowering/targets/combine.h"
#include "lowering/targets/cuda/thread.h"
#include "mlir-c/BuiltinTypes.h"

enum {
  LEAST_TEAM_STEPS = 16,       /* that are worth a team */
  MOST_WARP_STEPS = 1024,      /* that a warp does alone */
  FEW_BLOCKS = 64,             /* of which a GPU has place for far more: each is larger */
  LEAST_LARGE_STEPS = 1 << 14, /* that are worth it */
  WIDE_BYTES = 16,             /* of one access */
  MOST_WIDTH = 8,              /* copies of a body */
  LEAST_WIDE_STEPS = 1 << 16,  /* fewer need all threads that they can get */
};

/* ---- loops ----------------------------------------------------------------------------------- */

/* A nest alone has its parallel loops spread over the grid, wherever they stand. */
static void split_loops(const ts_kernel *kernel, const ts_nest *nest, ts_grid_loops *loops) {
  bool alone = kernel->num_nests == 1;
  *loops = (ts_grid_loops){0};
  for (int l = 0; l < nest->num_loops; l++) {
    bool is_reduction = nest->loops[l].is_reduction;
    if (alone ? !is_reduction : l < kernel->num_shared) {
      loops->grid[loops->num_grid++] = l;
      continue;
    }
    loops->rest[loops->num_rest++] = l;
    if (is_reduction)
      loops->reductions[loops->num_reductions++] = l;
    else
      loops->parallel[loops->num_parallel++] = l;
  }
}

static bool is_many(const ts_nest *nest, int num, const int *loops) {
  int64_t steps = ts_thread_known_extents(nest, num, loops);
  return steps < 0 || steps >= LEAST_TEAM_STEPS;
}

/* ---- teams ----------------------------------------------------------------------------------- */

/* How far apart the elements of neighbouring steps are that a loop reads: a sum over the inputs. */
static int64_t reading_distance(const ts_nest *nest, int loop) {
  enum { FAR = 8 };
  int64_t sum = 0;
  for (int a = 0; a < nest->num_inputs; a++) {
    int64_t step = ts_product_number(&nest->accesses[a].strides[loop], FAR);
    step = step < 0 ? -step : step;
    if (nest->accesses[a].memory)
      sum += step < FAR ? step : FAR;
  }
  return sum;
}

/* Neighbouring steps of the reductions read what is nearer than those of parallel loops do, which
 * may read nothing else at all. */
static bool reads_along_reductions(const ts_nest *nest, const ts_grid_loops *loops) {
  int parallel = nest->num_loops - 1;
  while (parallel >= 0 && nest->loops[parallel].is_reduction)
    parallel--;
  int last = loops->num_reductions > 0 ? loops->reductions[loops->num_reductions - 1] : -1;
  int64_t other = parallel < 0 ? 0 : reading_distance(nest, parallel);
  return last >= 0 && (other == 0 || reading_distance(nest, last) <= other);
}

ts_team_work ts_grid_team_work(const ts_nest *nest, const ts_grid_loops *loops) {
  return reads_along_reductions(nest, loops) &&
                 is_many(nest, loops->num_reductions, loops->reductions) &&
                 ts_combine_any_order(nest)
             ? TS_TEAM_COMBINES
             : TS_TEAM_ELEMENTS;
}

static bool needs_team(const ts_nest *nest, const ts_grid_loops *loops) {
  return ts_grid_team_work(nest, loops) == TS_TEAM_COMBINES ||
         (loops->num_parallel > 0 && is_many(nest, loops->num_parallel, loops->parallel));
}

int64_t ts_grid_shared_bytes(const ts_kernel *kernel, const ts_launch_grid *grid) {
  int64_t teams = grid->threads / grid->team, own = 0, combined = 0;
  for (int p = 0; p < kernel->num_pointers; p++)
    own += kernel->pointers[p].elements * ts_steps_element_bytes(kernel->pointers[p].memory);
  for (int n = 0; n < kernel->num_nests; n++) {
    const ts_nest *nest = kernel->nests[n];
    int64_t bytes = 0;
    for (int o = 0; o < nest->num_outputs; o++)
      bytes += grid->threads / TS_CUDA_WARP *
               ts_steps_element_bytes(nest->accesses[nest->num_inputs + o].memory);
    if (grid->team > TS_CUDA_WARP && ts_grid_team_work(nest, &grid->loops[n]) == TS_TEAM_COMBINES)
      combined += bytes;
  }
  /* Rows in registers are combined in one of two places, each with memory of its own. */
  return teams * own + (grid->kind == TS_GRID_ROWS ? 2 * combined : combined);
}

/* Full reductions, and those to a few elements. */
static bool needs_large_blocks(const ts_kernel *kernel, const ts_launch_grid *grid) {
  const ts_grid_loops *first = &grid->loops[0];
  int64_t blocks = ts_thread_known_extents(kernel->nests[0], first->num_grid, first->grid);
  for (int n = 0; blocks >= 0 && blocks <= FEW_BLOCKS && n < kernel->num_nests; n++) {
    const ts_grid_loops *loops = &grid->loops[n];
    if (ts_grid_team_work(kernel->nests[n], loops) == TS_TEAM_COMBINES &&
        ts_thread_known_extents(kernel->nests[n], loops->num_reductions, loops->reductions) >=
            LEAST_LARGE_STEPS)
      return true;
  }
  return false;
}

static bool choose_teams(const ts_kernel *kernel, ts_launch_grid *grid) {
  bool needed = false, warp = true;
  for (int n = 0; n < kernel->num_nests; n++) {
    const ts_grid_loops *loops = &grid->loops[n];
    int64_t steps = ts_thread_known_extents(kernel->nests[n], loops->num_rest, loops->rest);
    needed |= needs_team(kernel->nests[n], loops);
    warp &= steps >= 0 && steps <= MOST_WARP_STEPS;
  }
  if (!needed)
    return false;
  grid->kind = TS_GRID_TEAMS;
  grid->threads = needs_large_blocks(kernel, grid) ? TS_CUDA_MOST_THREADS : TS_CUDA_THREADS;
  grid->team = warp ? TS_CUDA_WARP : grid->threads;
  if (ts_grid_shared_bytes(kernel, grid) > TS_CUDA_SHARED_BYTES)
    grid->team = grid->threads;
  return ts_grid_shared_bytes(kernel, grid) <= TS_CUDA_SHARED_BYTES;
}

/* ---- width ----------------------------------------------------------------------------------- */

static bool is_multiple(const ts_product *product, int64_t width) {
  return product->factor % width == 0;
}

/* What LLVM has vectors of that lie in memory as elements do. */
static bool has_vectors(MlirType element) {
  if (mlirTypeIsAFloat(element))
    return mlirFloatTypeGetWidth(element) >= 16;
  if (!mlirTypeIsAInteger(element) || !mlirIntegerTypeIsSignless(element))
    return false;
  unsigned width = mlirIntegerTypeGetWidth(element);
  return width == 8 || width == 16 || width == 32 || width == 64;
}

bool ts_grid_is_wide(const ts_nest *nest, const ts_access *access, int inner, int64_t width) {
  if (!access->memory || width == 1 || !ts_product_is(&access->strides[inner], 1) ||
      !is_multiple(&access->offset, width) ||
      !has_vectors(mlirShapedTypeGetElementType(mlirValueGetType(access->memory->memref))))
    return false;
  for (int l = 0; l < nest->num_loops; l++)
    if (l != inner && !is_multiple(&access->strides[l], width))
      return false;
  return true;
}

/* Steps that a thread does at once, so that the widest elements fill an access. */
static int64_t choose_width(const ts_kernel *kernel, const ts_launch_grid *grid) {
  int64_t most = 0;
  const ts_grid_loops *loops = &grid->loops[0];
  int64_t steps = ts_thread_known_extents(kernel->nests[0], loops->num_grid, loops->grid);
  if (loops->num_grid == 0 || (steps >= 0 && steps < LEAST_WIDE_STEPS))
    return 1;
  for (int n = 0; n < kernel->num_nests; n++) {
    const ts_nest *nest = kernel->nests[n];
    int inner = grid->loops[n].grid[loops->num_grid - 1];
    if (grid->loops[n].num_rest > 0)
      return 1;
    for (int a = 0; a < nest->num_accesses; a++) {
      const ts_access *access = &nest->accesses[a];
      if (!access->memory || !ts_grid_is_wide(nest, access, inner, 2))
        continue;
      int64_t bytes = ts_steps_element_bytes(access->memory);
      most = bytes > most ? bytes : most;
    }
  }
  int64_t width = most ? WIDE_BYTES / most : 1;
  width = width > MOST_WIDTH ? MOST_WIDTH : width;
  const ts_product *extent = &kernel->nests[0]->loops[loops->grid[loops->num_grid - 1]].extent;
  while (width > 1 && loops->num_grid > 1 && !is_multiple(extent, width))
    width /= 2;
  return width;
}

/* ---- choosing -------------------------------------------------------------------------------- */

void ts_grid_choose(const ts_kernel *kernel, ts_arena *arena, ts_launch_grid *grid) {
  *grid = (ts_launch_grid){.width = 1, .loops = TS_NEW(arena, ts_grid_loops, kernel->num_nests)};
  for (int n = 0; n < kernel->num_nests; n++)
    split_loops(kernel, kernel->nests[n], &grid->loops[n]);
  if (choose_teams(kernel, grid))
    return;
  grid->kind = TS_GRID_THREADS;
  grid->width = choose_width(kernel, grid);
  const ts_grid_loops *loops = &grid->loops[0];
  int64_t steps = ts_thread_known_extents(kernel->nests[0], loops->num_grid, loops->grid);
  grid->threads = TS_CUDA_THREADS;
  if (steps >= 0 && steps < TS_CUDA_THREADS)
    grid->threads =
        steps <= TS_CUDA_WARP ? TS_CUDA_WARP : (int)(steps + TS_CUDA_WARP - 1) / 32 * 32;
  grid->team = 1;
}
