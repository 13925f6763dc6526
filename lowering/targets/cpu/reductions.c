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
  r->each = ts_parted_without_rest(extent, most);
  r->parts = extent / r->each;
  r->rest = extent % r->each;
  return r->parts > 1;
}

/* Several short rows as one, so that each of them adds to results of its own. */
static bool join_rows(ts_parted *r, int loop) {
  int64_t row = ts_parted_row(r, loop);
  int place = ts_parted_joined_place(r, loop);
  if (row >= LEAST_ROW || place < 0)
    return false;
  r->loop = loop;
  r->place = place;
  r->in_turn = true;
  for (r->parts = 1; r->parts * row < LEAST_ROW; r->parts *= 2)
    ;
  r->each = r->extents[loop] / r->parts;
  r->rest = r->extents[loop] % r->parts;
  return r->each > 1;
}

/* `rows` are added one after the other. */
static bool cut_rows(ts_parted *r, int loop, int64_t rows) {
  int64_t others = rows / r->extents[loop];
  int64_t wanted = clamp(PART_ELEMENTS / ts_parted_row(r, loop), LEAST_ROWS, MOST_ROWS) / others;
  r->in_turn = false;
  r->place = ts_parted_place(r, loop);
  return cut(r, loop, clamp(wanted, 1, r->extents[loop]));
}

/* Of the reductions but `other`, the one whose steps go farthest in memory, or least far. */
static int row_loop(const ts_parted *r, int other, bool farthest) {
  int found = -1;
  int64_t row = 0;
  for (int l = 0; l < r->num_loops; l++) {
    if (l == other || !ts_parted_combines(r, l) || r->extents[l] == 1)
      continue;
    int64_t step = ts_parted_row(r, l);
    if (found < 0 || (farthest ? step > row : step < row)) {
      found = l;
      row = step;
    }
  }
  return found;
}

bool ts_cpu_choose_parts(ts_parted *r) {
  bool along_rows = ts_parted_combines(r, r->inner);
  int other = along_rows ? r->inner : -1;
  int64_t rows = along_rows ? r->combined / r->extents[r->inner] : r->combined;
  if (rows >= MANY_ROWS)
    return join_rows(r, row_loop(r, other, false)) || cut_rows(r, row_loop(r, other, true), rows);
  if (!along_rows || r->kept >= ENOUGH_ROWS || r->combined / PART_OF_ROW < 2 ||
      r->combined < LEAST_ELEMENTS / r->kept)
    return false;
  r->in_turn = false;
  r->place = ts_parted_place(r, r->inner);
  return cut(r, r->inner, clamp(PART_OF_ROW, 1, r->extents[r->inner]));
}
