/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which reductions a CPU does in parts, so that rounding grows with parts rather than values, rows
 * are long enough for vectors, and all cores have something to do. It knows extents; it must not
 * know how parts are made. */
#include "lowering/targets/cpu/reductions.h"

enum {
  MANY_ROWS = 256,          /* so many values, added one after the other, round visibly */
  LEAST_ROW = 64,           /* elements of a row: several vectors, so that none waits for itself */
  PART_ELEMENTS = 16384,    /* of some rows, in a cache near a core; but not fewer rows ... */
  LEAST_ROWS = 32,          /* ... than this, so that parts are little memory ... */
  MOST_ROWS = 256,          /* ... nor more, so that they are rounded little */
  PART_OF_ROW = 8192,       /* elements, of few long rows */
  ENOUGH_ROWS = 64,         /* for all cores */
  LEAST_ELEMENTS = 1 << 17, /* for several cores to be worth waking */
};

static int64_t clamp(int64_t number, int64_t least, int64_t most) {
  return number < least ? least : number > most ? most : number;
}

/* Parts of at most `most` neighbouring steps, rather some fewer if that leaves no rest. */
static bool cut(ts_parted *r, int loop, int64_t most) {
  int64_t extent = r->extents[loop];
  r->loop = loop;
  r->each = most;
  for (int64_t fewer = most; fewer > most / 2; fewer--)
    if (extent % fewer == 0) {
      r->each = fewer;
      break;
    }
  r->parts = extent / r->each;
  r->rest = extent % r->each;
  return r->parts > 1;
}

/* Several rows as one, so that each of them adds to results of its own. */
static bool join_rows(ts_parted *r, int loop, int64_t row) {
  r->loop = loop;
  for (r->parts = 1; r->parts * row < LEAST_ROW; r->parts *= 2)
    ;
  r->each = r->extents[loop] / r->parts;
  r->rest = r->extents[loop] % r->parts;
  r->in_turn = true;
  return r->each > 1;
}

/* `rows` are added one after the other. */
static bool cut_rows(ts_parted *r, int loop, int64_t rows) {
  int64_t row = ts_parted_row(r, loop);
  if (row < LEAST_ROW && join_rows(r, loop, row))
    return true;
  r->in_turn = false;
  int64_t others = rows / r->extents[loop];
  int64_t wanted = clamp(PART_ELEMENTS / row, LEAST_ROWS, MOST_ROWS) / others;
  return cut(r, loop, clamp(wanted, 1, r->extents[loop]));
}

bool ts_cpu_choose_parts(ts_parted *r) {
  bool along_rows = ts_parted_combines(r, r->inner);
  int64_t rows = along_rows ? r->combined / r->extents[r->inner] : r->combined;
  int loop = ts_parted_longest(r, along_rows ? r->inner : -1);
  if (loop >= 0 && rows >= MANY_ROWS)
    return cut_rows(r, loop, rows);
  if (!along_rows || r->kept >= ENOUGH_ROWS || r->combined / PART_OF_ROW < 2 ||
      r->combined < LEAST_ELEMENTS / r->kept)
    return false;
  r->comes_last = true;
  return cut(r, r->inner, clamp(PART_OF_ROW, 1, r->extents[r->inner]));
}
