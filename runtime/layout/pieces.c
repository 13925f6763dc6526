/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Layout words to runs of indices.
 * It must not know programs, contexts or element types. */
#include "layout/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "layout/words.h"
#include "support/error.h"

int64_t tr_partial_axes(const tr_placement *placement, const int64_t **words) {
  if (!placement->layout)
    return 0;
  const int64_t *partial = tr_layout_partial(placement->layout);
  *words = partial + 1;
  return partial[0];
}

/* ---- devices --------------------------------------------------------------------------------- */

int64_t tr_coordinate(const tr_placement *placement, int64_t device, int64_t axis) {
  for (int32_t i = placement->grid_rank - 1; i > axis; i--)
    device /= placement->grid_shape[i];
  return device % placement->grid_shape[axis];
}

static int64_t shard_count(const tr_placement *placement, const tr_factor *factor) {
  int64_t shards = 1;
  for (int64_t i = 0; i < factor->num_axes; i++)
    shards *= placement->grid_shape[factor->axes[i]];
  return shards;
}

static int64_t shard_index(const tr_placement *placement, const tr_factor *factor, int64_t device) {
  int64_t index = 0;
  for (int64_t i = 0; i < factor->num_axes; i++)
    index = index * placement->grid_shape[factor->axes[i]] +
            tr_coordinate(placement, device, factor->axes[i]);
  return index;
}

/* ---- ranges ---------------------------------------------------------------------------------- */

typedef struct range {
  int64_t start;
  int64_t length;
} range;

/* Sizes differ by at most one, the larger ones last. */
static range balanced_range(int64_t size, int64_t shards, int64_t shard) {
  int64_t base = size / shards, first_larger = shards - size % shards;
  int64_t larger_before = shard > first_larger ? shard - first_larger : 0;
  return (range){shard * base + larger_before, base + (shard >= first_larger)};
}

/* The extent of a factor, given its dimension's: a factor of extent -1 is what the others leave. */
static int64_t factor_extent(const tr_dimension *dimension, const tr_factor *factor,
                             int64_t extent) {
  if (factor->size >= 0)
    return factor->size;
  const int64_t *words = dimension->factors;
  int64_t others = 1;
  for (int64_t i = 0; i < dimension->num_factors; i++) {
    tr_factor other;
    words = tr_read_factor(words, &other);
    others *= other.size < 0 ? 1 : other.size;
  }
  return others ? extent / others : 0;
}

static range factor_range(const tr_placement *placement, const tr_dimension *dimension,
                          const tr_factor *factor, int64_t device, int64_t extent) {
  int64_t shard = shard_index(placement, factor, device);
  if (dimension->num_offsets > 0)
    return (range){dimension->offsets[shard],
                   dimension->offsets[shard + 1] - dimension->offsets[shard]};
  return balanced_range(factor_extent(dimension, factor, extent), shard_count(placement, factor),
                        shard);
}

/* The local extent of a dimension without halos, or -1 if it depends on an unknown extent. */
static int64_t core_extent(const tr_placement *placement, const tr_dimension *dimension,
                           int64_t device, int64_t extent) {
  int64_t product = 1;
  const int64_t *words = dimension->factors;
  for (int64_t i = 0; i < dimension->num_factors; i++) {
    tr_factor factor;
    words = tr_read_factor(words, &factor);
    if (factor.size < 0 && extent < 0 && dimension->num_offsets == 0)
      return -1;
    product *= factor_range(placement, dimension, &factor, device, extent).length;
  }
  return product;
}

void tr_local_shape(const tr_placement *placement, int64_t device, int32_t rank,
                    const int64_t *global, int64_t *shape) {
  const int64_t *words = placement->layout ? placement->layout + 1 : NULL;
  for (int32_t i = 0; i < rank; i++) {
    tr_dimension dimension;
    if (!words) {
      shape[i] = global[i];
      continue;
    }
    words = tr_read_dimension(words, &dimension);
    shape[i] = core_extent(placement, &dimension, device, global[i]);
    /* Offsets that fall leave less than nothing without the halo. */
    if (shape[i] >= 0 || dimension.num_offsets > 0)
      shape[i] += dimension.low + dimension.high;
  }
}

/* ---- replicas -------------------------------------------------------------------------------- */

static bool at_zero_of_unmarked(const tr_placement *placement, int64_t device, const bool *marks) {
  for (int32_t axis = 0; axis < placement->grid_rank; axis++)
    if (!marks[axis] && tr_coordinate(placement, device, axis) != 0)
      return false;
  return true;
}

bool tr_leads_replicas(const tr_placement *placement, int64_t device) {
  if (!placement->layout)
    return device == 0;
  bool splits[TR_MAX_RANK] = {false};
  tr_layout_split_axes(placement->layout, splits);
  return at_zero_of_unmarked(placement, device, splits);
}

int64_t tr_global_extent(const tr_placement *placement, int32_t rank, int32_t dim,
                         const int64_t *local_shapes) {
  if (!placement->layout)
    return local_shapes[dim];
  tr_dimension dimension;
  const int64_t *words = tr_read_dimension(placement->layout + 1, &dimension);
  for (int32_t i = 0; i < dim; i++)
    words = tr_read_dimension(words, &dimension);
  if (dimension.size >= 0)
    return dimension.size;
  /* One device of each shard: the local extents of all shards add up, also where several factors
   * are split, because their product is a sum over all combinations. */
  bool splits[TR_MAX_RANK] = {false};
  tr_dimension_axes(&dimension, splits);
  int64_t devices = 1, total = 0;
  for (int32_t i = 0; i < placement->grid_rank; i++)
    devices *= placement->grid_shape[i];
  for (int64_t device = 0; device < devices; device++)
    if (at_zero_of_unmarked(placement, device, splits))
      total += local_shapes[device * rank + dim] - dimension.low - dimension.high;
  return total;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool use_axis(const tr_placement *placement, int64_t axis, bool *used) {
  if (axis < 0 || axis >= placement->grid_rank || used[axis])
    return false;
  return used[axis] = true;
}

typedef enum coverage { COVERS_ALL, COVERS_PART } coverage;

/* Of a part that lies from its end to its start: each piece, with its halo, is inside. */
static bool falls_inside(const tr_dimension *dimension, int64_t shards, int64_t extent) {
  bool falls = shards > 1 && extent >= 0;
  for (int64_t i = 0; falls && i < shards; i++) {
    int64_t start = dimension->offsets[i] - dimension->low;
    int64_t end = dimension->offsets[i + 1] + dimension->high;
    falls = dimension->offsets[i + 1] < dimension->offsets[i] && start >= 0 && start <= end &&
            end <= extent;
  }
  return falls;
}

/* `extent` is -1 where it is not known. */
static bool check_offsets(const tr_dimension *dimension, int64_t shards, int64_t extent,
                          coverage coverage) {
  const int64_t *offsets = dimension->offsets;
  if (dimension->num_offsets == 0)
    return true;
  if (dimension->num_factors != 1 || dimension->num_offsets != shards + 1 || offsets[0] < 0 ||
      (coverage == COVERS_ALL && offsets[0] != 0))
    return false;
  if (coverage == COVERS_PART && falls_inside(dimension, shards, extent))
    return true;
  for (int64_t i = 0; i < shards; i++)
    if (offsets[i] > offsets[i + 1])
      return false;
  return extent < 0 || offsets[shards] == extent ||
         (coverage == COVERS_PART && offsets[shards] < extent);
}

static bool check_halo(const tr_dimension *dimension) {
  return dimension->num_halo == 0 ||
         (dimension->num_factors == 1 && dimension->low >= 0 && dimension->high >= 0);
}

static bool check_dimension(const tr_placement *placement, const tr_dimension *dimension,
                            int64_t extent, coverage coverage, bool *used) {
  int64_t product = 1, shards = 1, unknown = 0;
  const int64_t *words = dimension->factors;
  for (int64_t i = 0; i < dimension->num_factors; i++) {
    tr_factor factor;
    words = tr_read_factor(words, &factor);
    for (int64_t k = 0; k < factor.num_axes; k++)
      if (!use_axis(placement, factor.axes[k], used))
        return false;
    shards = shard_count(placement, &factor);
    unknown += factor.size < 0;
    if (factor.size >= 0 && __builtin_mul_overflow(product, factor.size, &product))
      return false;
  }
  bool multiplies = unknown == 0 ? extent < 0 || extent == product
                                 : extent < 0 || product == 0 || extent % product == 0;
  bool agrees = dimension->size < 0 || extent < 0 || dimension->size == extent;
  return dimension->num_factors >= 1 && unknown <= 1 && multiplies && agrees &&
         check_halo(dimension) && check_offsets(dimension, shards, extent, coverage);
}

static tessera_status check(const tr_placement *placement, int32_t rank, const int64_t *global,
                            coverage coverage) {
  const int64_t *layout = placement->layout;
  if (!layout)
    return TESSERA_OK;
  bool sound = layout[0] == rank && rank <= TR_MAX_RANK && placement->grid_rank <= TR_MAX_RANK;
  bool used[TR_MAX_RANK] = {false};
  const int64_t *words = layout + 1;
  for (int32_t i = 0; sound && i < rank; i++) {
    tr_dimension dimension;
    words = tr_read_dimension(words, &dimension);
    sound = check_dimension(placement, &dimension, global[i], coverage, used);
  }
  for (int64_t i = 0; sound && i < words[0]; i++)
    sound = use_axis(placement, words[1 + 2 * i], used);
  if (!sound)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "a layout of the program does not fit its grid or the tensor's shape");
  return TESSERA_OK;
}

tessera_status tr_placement_check(const tr_placement *placement, int32_t rank,
                                  const int64_t *global) {
  return check(placement, rank, global, COVERS_ALL);
}

tessera_status tr_placement_check_part(const tr_placement *placement, int32_t rank,
                                       const int64_t *global) {
  return check(placement, rank, global, COVERS_PART);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Appends a run, joined to the last one where it continues it. */
static bool add_run(tr_run_list *list, tr_run run) {
  tr_run *last = list->count ? &list->runs[list->count - 1] : NULL;
  if (run.length == 0)
    return true;
  if (last && last->local + last->length == run.local &&
      last->global + last->length == run.global) {
    last->length += run.length;
    return true;
  }
  if (list->count == list->capacity) {
    int64_t capacity = list->capacity ? 2 * list->capacity : 4;
    tr_run *runs = realloc(list->runs, sizeof(tr_run) * (size_t)capacity);
    if (!runs)
      return false;
    list->runs = runs;
    list->capacity = capacity;
  }
  list->runs[list->count++] = run;
  return true;
}

/* Factors `index` and further, outermost first, of a dimension with several: `run` says where the
 * indices chosen so far lead; its local part counts up. */
static bool add_factor_runs(const tr_placement *placement, const tr_dimension *dimension,
                            const int64_t *words, int64_t left, int64_t device, int64_t extent,
                            tr_run *run, tr_run_list *list) {
  tr_factor factor;
  words = tr_read_factor(words, &factor);
  range range = factor_range(placement, dimension, &factor, device, extent);
  int64_t base = run->global * factor_extent(dimension, &factor, extent) + range.start;
  if (left == 1) {
    bool added = add_run(list, (tr_run){run->local, base, range.length});
    run->local += range.length;
    return added;
  }
  for (int64_t i = 0; i < range.length; i++) {
    tr_run inner = {run->local, base + i, 0};
    if (!add_factor_runs(placement, dimension, words, left - 1, device, extent, &inner, list))
      return false;
    run->local = inner.local;
  }
  return true;
}

static bool add_single_run(const tr_placement *placement, const tr_dimension *dimension,
                           int64_t device, tr_piece_part part, int64_t extent, tr_run_list *list) {
  tr_factor factor;
  tr_read_factor(dimension->factors, &factor);
  range core = factor_range(placement, dimension, &factor, device, extent);
  int64_t low = dimension->low, high = dimension->high;
  int64_t start = core.start, end = core.start + core.length;
  if (part == TR_PIECE_HALO) {
    start = start > low ? start - low : 0;
    end = end < extent - high ? end + high : extent;
  }
  return add_run(list, (tr_run){start - (core.start - low), start, end - start});
}

static bool add_dimension_runs(const tr_placement *placement, const tr_dimension *dimension,
                               int64_t device, tr_piece_part part, int64_t extent,
                               tr_run_list *list) {
  tr_run run = {0, 0, 0};
  if (dimension->num_factors == 1)
    return add_single_run(placement, dimension, device, part, extent, list);
  return add_factor_runs(placement, dimension, dimension->factors, dimension->num_factors, device,
                         extent, &run, list);
}

tessera_status tr_piece_create(const tr_placement *placement, int64_t device, tr_piece_part part,
                               int32_t rank, const int64_t *global, tr_piece *piece) {
  memset(piece, 0, sizeof(*piece));
  piece->rank = rank;
  tr_local_shape(placement, device, rank, global, piece->shape);
  bool added = true;
  const int64_t *words = placement->layout ? placement->layout + 1 : NULL;
  for (int32_t i = 0; added && i < rank; i++) {
    tr_dimension dimension;
    piece->global[i] = global[i];
    if (!words) {
      added = add_run(&piece->runs[i], (tr_run){0, 0, global[i]});
      continue;
    }
    words = tr_read_dimension(words, &dimension);
    added = add_dimension_runs(placement, &dimension, device, part, global[i], &piece->runs[i]);
  }
  if (added)
    return TESSERA_OK;
  tr_piece_destroy(piece);
  return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the pieces of a tensor");
}

void tr_piece_destroy(tr_piece *piece) {
  for (int32_t i = 0; i < piece->rank; i++)
    free(piece->runs[i].runs);
}
