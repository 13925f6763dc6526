/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Pieces of random layouts against a definition written independently: index by index, every device
 * of the grid. Prints what fails, exits 1. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/pieces.h"

enum { MAX_AXES = 3, MAX_DIMS = 3, MAX_FACTORS = 2, MAX_DEVICES = 64, CASES = 20000 };

static uint64_t state = 1;

static int64_t pick(int64_t count) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int64_t)((state >> 33) % (uint64_t)count);
}

/* What a random case is, in its own terms. */
typedef struct dim_case {
  int num_factors;
  int64_t sizes[MAX_FACTORS];
  int num_axes[MAX_FACTORS];
  int axes[MAX_FACTORS][MAX_AXES];
  int64_t halo[2];
  int64_t offsets[MAX_DEVICES + 1];
  int num_offsets;
  int64_t extent;
} dim_case;

typedef struct layout_case {
  int grid_rank;
  int64_t grid[MAX_AXES];
  int num_devices;
  int rank;
  dim_case dims[MAX_DIMS];
  int64_t words[256];
  int64_t global[MAX_DIMS];
} layout_case;

/* ---- making cases ---------------------------------------------------------------------------- */

static int shards_of(const layout_case *layout, const dim_case *dim, int factor) {
  int shards = 1;
  for (int i = 0; i < dim->num_axes[factor]; i++)
    shards *= (int)layout->grid[dim->axes[factor][i]];
  return shards;
}

static void make_offsets(const layout_case *layout, dim_case *dim) {
  int shards = shards_of(layout, dim, 0);
  dim->num_offsets = shards + 1;
  dim->offsets[0] = 0;
  for (int i = 1; i < shards; i++)
    dim->offsets[i] = dim->offsets[i - 1] + pick(dim->extent - dim->offsets[i - 1] + 1);
  dim->offsets[shards] = dim->extent;
}

static void make_dim(layout_case *layout, dim_case *dim, int *unused, int *num_unused) {
  memset(dim, 0, sizeof(*dim));
  dim->num_factors = 1 + (int)pick(MAX_FACTORS);
  dim->extent = 1;
  for (int f = 0; f < dim->num_factors; f++) {
    dim->sizes[f] = pick(8);
    dim->extent *= dim->sizes[f];
    while (*num_unused > 0 && pick(2))
      dim->axes[f][dim->num_axes[f]++] = unused[--*num_unused];
  }
  if (dim->num_factors > 1)
    return;
  if (pick(3) == 0) {
    dim->halo[0] = pick(3);
    dim->halo[1] = pick(3);
  }
  if (pick(3) == 0)
    make_offsets(layout, dim);
}

static int64_t *write_dim(const dim_case *dim, int64_t *words) {
  *words++ = pick(2) ? dim->extent : -1;
  *words++ = dim->num_factors;
  int unknown = (int)pick(4);
  for (int f = 0; f < dim->num_factors; f++) {
    /* One factor may be left to be derived, if the others are not empty. */
    int derivable = dim->num_factors == 1 || dim->sizes[1 - f] > 0;
    *words++ = f == unknown && derivable ? -1 : dim->sizes[f];
    *words++ = dim->num_axes[f];
    for (int i = 0; i < dim->num_axes[f]; i++)
      *words++ = dim->axes[f][i];
  }
  int has_halo = dim->halo[0] || dim->halo[1];
  *words++ = has_halo ? 2 : 0;
  for (int i = 0; has_halo && i < 2; i++)
    *words++ = dim->halo[i];
  *words++ = dim->num_offsets;
  for (int i = 0; i < dim->num_offsets; i++)
    *words++ = dim->offsets[i];
  return words;
}

static void make_case(layout_case *layout) {
  int unused[MAX_AXES], num_unused;
  layout->grid_rank = 1 + (int)pick(MAX_AXES);
  layout->num_devices = 1;
  for (int i = 0; i < layout->grid_rank; i++) {
    layout->grid[i] = 1 + pick(4);
    layout->num_devices *= (int)layout->grid[i];
    unused[i] = i;
  }
  num_unused = layout->grid_rank;
  for (int i = num_unused - 1; i > 0; i--) {
    int other = (int)pick(i + 1), kept = unused[i];
    unused[i] = unused[other];
    unused[other] = kept;
  }
  layout->rank = (int)pick(MAX_DIMS + 1);
  int64_t *words = layout->words;
  *words++ = layout->rank;
  for (int i = 0; i < layout->rank; i++) {
    make_dim(layout, &layout->dims[i], unused, &num_unused);
    layout->global[i] = layout->dims[i].extent;
    words = write_dim(&layout->dims[i], words);
  }
  *words = 0;
}

/* ---- the definition -------------------------------------------------------------------------- */

static int coordinate_of(const layout_case *layout, int device, int axis) {
  for (int i = layout->grid_rank - 1; i > axis; i--)
    device /= (int)layout->grid[i];
  return device % (int)layout->grid[axis];
}

static int shard_of(const layout_case *layout, const dim_case *dim, int factor, int device) {
  int shard = 0;
  for (int i = 0; i < dim->num_axes[factor]; i++)
    shard = shard * (int)layout->grid[dim->axes[factor][i]] +
            coordinate_of(layout, device, dim->axes[factor][i]);
  return shard;
}

/* Which shard owns index `index` of `size`: shards take floor(size / shards), the last ones one
 * more. */
static int owner_of(int64_t index, int64_t size, int shards) {
  int64_t start = 0;
  for (int shard = 0; shard < shards; shard++) {
    start += size / shards + (shard >= shards - size % shards);
    if (index < start)
      return shard;
  }
  return -1;
}

static int offset_owner(const dim_case *dim, int64_t index) {
  for (int shard = 0; shard + 1 < dim->num_offsets; shard++)
    if (index >= dim->offsets[shard] && index < dim->offsets[shard + 1])
      return shard;
  return -1;
}

static int owns(const layout_case *layout, const dim_case *dim, int64_t index, int device) {
  for (int f = dim->num_factors - 1; f >= 0; f--) {
    int64_t at = index % dim->sizes[f];
    index /= dim->sizes[f];
    int owner = dim->num_offsets ? offset_owner(dim, at)
                                 : owner_of(at, dim->sizes[f], shards_of(layout, dim, f));
    if (owner != shard_of(layout, dim, f, device))
      return 0;
  }
  return 1;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static int failures;

static void complain(const layout_case *layout, int device, const char *what) {
  if (failures++ > 10)
    return;
  printf("device %d of %d, %s:", device, layout->num_devices, what);
  for (int i = 0; i < 40; i++)
    printf(" %" PRId64, layout->words[i]);
  printf("\n");
}

/* The local indices of one dimension as a map to global ones, from the runs; -1 elsewhere. */
static void expand_runs(const tr_piece *piece, int dim, int64_t *map) {
  for (int64_t i = 0; i < piece->shape[dim]; i++)
    map[i] = -1;
  for (int64_t r = 0; r < piece->runs[dim].count; r++) {
    const tr_run *run = &piece->runs[dim].runs[r];
    for (int64_t i = 0; i < run->length; i++)
      map[run->local + i] = run->global + i;
  }
}

/* Between the halos the owned indices come in order; the halos go on where they do, and end with
 * the tensor. */
static void check_dim(const layout_case *layout, int d, int device, const tr_piece *core,
                      const tr_piece *whole) {
  const dim_case *dim = &layout->dims[d];
  int64_t want[256], got[256], count = 0, first = -1;
  for (int64_t i = 0; i < dim->halo[0]; i++)
    want[count++] = -1;
  for (int64_t i = 0; i < dim->extent; i++)
    if (owns(layout, dim, i, device)) {
      first = first < 0 ? i : first;
      want[count++] = i;
    }
  for (int64_t i = 0; i < dim->halo[1]; i++)
    want[count++] = -1;
  if (count != core->shape[d] || count != whole->shape[d]) {
    complain(layout, device, "wrong local extent");
    return;
  }
  expand_runs(core, d, got);
  if (memcmp(got, want, sizeof(int64_t) * (size_t)count) != 0)
    complain(layout, device, "wrong indices");
  if (first < 0 || dim->num_factors > 1)
    return;
  for (int64_t i = 0; i < count; i++) {
    int64_t index = first - dim->halo[0] + i;
    want[i] = index >= 0 && index < dim->extent ? index : -1;
  }
  expand_runs(whole, d, got);
  if (memcmp(got, want, sizeof(int64_t) * (size_t)count) != 0)
    complain(layout, device, "wrong indices in halos");
}

static void check_device(const layout_case *layout, const tr_placement *placement, int device,
                         int64_t *shapes, int *covered) {
  tr_piece core, whole;
  if (tr_piece_create(placement, device, TR_PIECE_CORE, layout->rank, layout->global, &core) ||
      tr_piece_create(placement, device, TR_PIECE_HALO, layout->rank, layout->global, &whole)) {
    complain(layout, device, "no piece");
    return;
  }
  int64_t elements = 1;
  for (int d = 0; d < layout->rank; d++) {
    check_dim(layout, d, device, &core, &whole);
    shapes[device * layout->rank + d] = core.shape[d];
    elements *= core.shape[d] - layout->dims[d].halo[0] - layout->dims[d].halo[1];
  }
  if (tr_leads_replicas(placement, device))
    *covered += (int)elements;
  tr_piece_destroy(&core);
  tr_piece_destroy(&whole);
}

static void check_case(const layout_case *layout) {
  tr_placement placement = {layout->words, layout->grid_rank, layout->grid};
  int64_t shapes[MAX_DEVICES * MAX_DIMS + 1], elements = 1;
  int covered = 0;
  if (tr_placement_check(&placement, layout->rank, layout->global)) {
    complain(layout, 0, "refused");
    return;
  }
  for (int device = 0; device < layout->num_devices; device++)
    check_device(layout, &placement, device, shapes, &covered);
  for (int d = 0; d < layout->rank; d++) {
    elements *= layout->global[d];
    if (tr_global_extent(&placement, layout->rank, d, shapes) != layout->global[d])
      complain(layout, d, "wrong global extent");
  }
  if (covered != elements)
    complain(layout, 0, "leading devices do not hold every element once");
}

int main(void) {
  for (int i = 0; i < CASES; i++) {
    layout_case layout = {0};
    make_case(&layout);
    check_case(&layout);
  }
  return failures ? 1 : 0;
}
