/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which reductions a GPU does in parts, and in how many, so that they are enough work for all of
 * it. It knows extents; it must not know how parts are made. */
#include "lowering/targets/cuda/reductions.h"

enum {
  LEAST_PARTS = 4, /* that are worth a kernel more */
  LEAST_ROWS = 8,
  ROWS = 1024,       /* that blocks combine, so that a GPU is full of them */
  ENOUGH_ROWS = 128, /* for a block on each multiprocessor */
  LEAST_ROW = 4096,  /* elements of a part of a row */
  THREADS = 1 << 17, /* that combine along columns, so that a GPU is full of them */
  ENOUGH_THREADS = 1 << 16,
  LEAST_COLUMN = 256, /* steps that take longer than a kernel more */
  LEAST_COLUMN_PART = 16
};

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static int64_t wanted_parts(const ts_parted *r, bool along_rows) {
  if (along_rows)
    return r->kept > ENOUGH_ROWS || r->combined < LEAST_ROWS * LEAST_ROW
               ? 0
               : least(ROWS / r->kept, r->combined / LEAST_ROW);
  if (r->kept > ENOUGH_THREADS || r->combined < LEAST_COLUMN)
    return 0;
  return least(THREADS / r->kept, r->combined / LEAST_COLUMN_PART);
}

static int longest(const ts_parted *r) {
  int found = -1;
  for (int l = 0; l < r->num_loops; l++)
    if (ts_parted_combines(r, l) && (found < 0 || r->extents[l] > r->extents[found]))
      found = l;
  return found;
}

/* Parts of the longest reduction, rather some fewer than parts that leave a rest. Where rows are
 * combined each part is a row; along columns parts take steps in turn, so that threads read in
 * order. */
bool ts_cuda_choose_parts(ts_parted *r) {
  bool along_rows = ts_parted_combines(r, r->inner);
  r->loop = longest(r);
  int64_t extent = r->extents[r->loop];
  r->parts = least(wanted_parts(r, along_rows), extent / 2);
  if (r->parts < LEAST_PARTS)
    return false;
  r->parts = ts_parted_without_rest(extent, r->parts);
  r->each = extent / r->parts;
  r->rest = extent % r->parts;
  r->in_turn = !along_rows;
  r->place = along_rows ? ts_parted_result_rank(r) : 0;
  return true;
}
