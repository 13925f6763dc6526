/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Calls that come again, and calls that differ in one thing from the one before at the same site:
 * what is remembered of a call must never show. usage: repeat [STEPS] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

/* ---- what a call depends on ------------------------------------------------------------------ */

enum { ELEMENT = 4, MOST_MEMBERS = 64 };

/* Each as one of a few choices, in this order. */
enum {
  PLACE, /* of the site: an address and an index */
  KIND,
  GRID,
  GROUP,
  ROWS,
  COLUMNS,
  AXIS,
  ROOT,
  TYPE,
  REDUCTION,
  IN_PLACE,
  IN_ARRANGEMENT,
  OUT_ARRANGEMENT,
  LOCAL_SIZES,
  EVEN_SIZES,
  NUM_SETTINGS
};
enum { PLACES = 2, KINDS = 8, GRIDS = 2, GROUPS = 4, SIZES = 5 };
static const int choices[NUM_SETTINGS] = {
    PLACES,           KINDS, GRIDS, GROUPS, SIZES, SIZES, 2, 3, 2, 2, 2, NUM_ARRANGEMENTS,
    NUM_ARRANGEMENTS, 2,     2};
static const tessera_site_kind kinds[KINDS] = {TESSERA_SITE_ALL_GATHER,     TESSERA_SITE_ALL_REDUCE,
                                               TESSERA_SITE_REDUCE_SCATTER, TESSERA_SITE_ALL_TO_ALL,
                                               TESSERA_SITE_BROADCAST,      TESSERA_SITE_GATHER,
                                               TESSERA_SITE_SCATTER,        TESSERA_SITE_REDUCE};

/* A program's records, which another program may replace at the same addresses. */
typedef struct records {
  tessera_grid grid;
  tessera_site site;
  int64_t extents[2];
  int32_t axes[2];
} records;

typedef struct step {
  int settings[NUM_SETTINGS];
  tessera_site_kind kind;
  int32_t rank;
  int64_t extents[2], coordinates[2]; /* of the grid; the root's in the group */
  int32_t axes[2], num_axes;
  int32_t members[MOST_MEMBERS], size, self, root;
  int64_t whole[2], in_shape[2], out_shape[2];
  int64_t in_start[2], out_start[2]; /* of this rank's piece in the whole */
  uint64_t number;                   /* of this call's values */
} step;

/* ---- members and pieces ---------------------------------------------------------------------- */

static void find_members(step *s) {
  static const int32_t lists[GROUPS][2] = {{0, 1}, {1, 0}, {0, 0}, {1, 0}};
  int64_t at[2] = {s->rank / s->extents[1], s->rank % s->extents[1]};
  memcpy(s->axes, lists[s->settings[GROUP]], sizeof(s->axes));
  s->num_axes = s->settings[GROUP] < 2 ? 2 : 1;
  int64_t outer = s->extents[s->axes[0]], inner = s->num_axes == 2 ? s->extents[s->axes[1]] : 1;
  s->size = (int32_t)(outer * inner);
  for (int32_t i = 0; i < s->size; i++) {
    at[s->axes[0]] = i / inner;
    if (s->num_axes == 2)
      at[s->axes[1]] = i % inner;
    s->members[i] = (int32_t)(at[0] * s->extents[1] + at[1]);
    if (s->members[i] == s->rank)
      s->self = i;
  }
  s->root = s->settings[ROOT] * (s->size - 1) / 2;
  s->coordinates[0] = s->root / inner;
  s->coordinates[1] = s->root % inner;
}

/* With sizes of their own all members but the last have two rows, whatever the others have. */
static int64_t start_of(const step *s, int64_t rows, bool has_local_sizes, int32_t member) {
  if (has_local_sizes && rows >= 2 * s->size)
    return member == s->size ? rows : 2 * member;
  int64_t larger = rows % s->size, first_larger = s->size - larger;
  return rows / s->size * member + (member > first_larger ? member - first_larger : 0);
}

static void cut(const step *s, int axis, bool has_local_sizes, int64_t *shape, int64_t *start) {
  start[axis] = start_of(s, s->whole[axis], has_local_sizes, s->self);
  shape[axis] = start_of(s, s->whole[axis], has_local_sizes, s->self + 1) - start[axis];
}

static bool is_rooted(const step *s) {
  return s->kind == TESSERA_SITE_BROADCAST || s->kind == TESSERA_SITE_GATHER ||
         s->kind == TESSERA_SITE_SCATTER || s->kind == TESSERA_SITE_REDUCE;
}

static bool reduces(const step *s) {
  return s->kind == TESSERA_SITE_ALL_REDUCE || s->kind == TESSERA_SITE_REDUCE ||
         s->kind == TESSERA_SITE_REDUCE_SCATTER;
}

static void find_shapes(step *s) {
  /* The same for all groups, so that a call may differ in its group alone. */
  int64_t ranks = s->extents[0] * s->extents[1];
  const int64_t sizes[SIZES] = {2 * ranks, 2 * ranks + 1, 1, 0, 2000};
  int axis = s->settings[AXIS];
  bool has_local_sizes = s->settings[LOCAL_SIZES];
  s->whole[axis] = sizes[s->settings[ROWS]];
  s->whole[1 - axis] = sizes[s->settings[COLUMNS] % 4];
  memcpy(s->in_shape, s->whole, sizeof(s->whole));
  memcpy(s->out_shape, s->whole, sizeof(s->whole));
  memset(s->in_start, 0, sizeof(s->in_start));
  memset(s->out_start, 0, sizeof(s->out_start));
  if (s->kind == TESSERA_SITE_ALL_GATHER || s->kind == TESSERA_SITE_GATHER)
    cut(s, axis, has_local_sizes, s->in_shape, s->in_start);
  if (s->kind == TESSERA_SITE_REDUCE_SCATTER || s->kind == TESSERA_SITE_SCATTER)
    cut(s, axis, has_local_sizes, s->out_shape, s->out_start);
  if (s->kind == TESSERA_SITE_ALL_TO_ALL) {
    cut(s, 1 - axis, has_local_sizes, s->in_shape, s->in_start);
    cut(s, axis, false, s->out_shape, s->out_start);
  }
}

static step describe(const int *settings, int32_t rank, int32_t size) {
  step s = {.kind = kinds[settings[KIND]], .rank = rank};
  memcpy(s.settings, settings, sizeof(s.settings));
  s.extents[0] = size % 2 || settings[GRID] ? size : 2;
  s.extents[1] = size / s.extents[0];
  find_members(&s);
  find_shapes(&s);
  return s;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* What a rank has at one place: small, so that sums are exact. */
static int value_of(const step *s, int32_t rank, int64_t row, int64_t column) {
  uint64_t place = (uint64_t)(rank * 8000000 + row * 4000 + column);
  return (int)(mix(s->number, place) % 1000);
}

static int expected_value(const step *s, int64_t row, int64_t column) {
  int result = value_of(s, s->members[0], row, column);
  for (int32_t i = 1; reduces(s) && i < s->size; i++) {
    int value = value_of(s, s->members[i], row, column);
    if (s->settings[REDUCTION] == 0)
      result += value;
    else
      result = value > result ? value : result;
  }
  return result;
}

static void put(const step *s, char *to, int value) {
  float real = (float)value;
  memcpy(to, s->settings[TYPE] == 0 ? (const void *)&real : (const void *)&value, ELEMENT);
}

/* Of what is not reduced, each member has its piece of one tensor; of some kinds the root alone. */
static void fill(const step *s, const memref *in) {
  bool root_alone = s->kind == TESSERA_SITE_BROADCAST || s->kind == TESSERA_SITE_SCATTER;
  int32_t owner = reduces(s) ? s->rank : s->members[0];
  for (int64_t i = 0; i < memref_elements(in, 2) && (!root_alone || s->self == s->root); i++)
    put(s, memref_at(in, 2, ELEMENT, i),
        value_of(s, owner, s->in_start[0] + i / s->in_shape[1],
                 s->in_start[1] + i % s->in_shape[1]));
}

static void check_result(const step *s, const memref *out) {
  bool root_alone = s->kind == TESSERA_SITE_GATHER || s->kind == TESSERA_SITE_REDUCE;
  for (int64_t i = 0; i < memref_elements(out, 2); i++) {
    char expected[ELEMENT];
    put(s, expected,
        expected_value(s, s->out_start[0] + i / s->out_shape[1],
                       s->out_start[1] + i % s->out_shape[1]));
    if (root_alone && s->self != s->root)
      memset(expected, 0xa5, ELEMENT);
    if (memcmp(memref_at(out, 2, ELEMENT, i), expected, ELEMENT) == 0)
      continue;
    fail_test("rank %d: kind %d group %d of %lldx%lld axis %d: element %lld is wrong", s->rank,
              s->kind, s->settings[GROUP], (long long)s->whole[0], (long long)s->whole[1],
              s->settings[AXIS], (long long)i);
    return;
  }
}

/* ---- one call -------------------------------------------------------------------------------- */

static void write_records(const step *s, records *r) {
  bool is_even = s->settings[EVEN_SIZES] && s->whole[s->settings[AXIS]] % s->size == 0;
  memcpy(r->extents, s->extents, sizeof(r->extents));
  memcpy(r->axes, s->axes, sizeof(r->axes));
  r->grid = (tessera_grid){sizeof(r->grid), 2, "g", r->extents};
  r->site = (tessera_site){.struct_size = sizeof(r->site),
                           .kind = s->kind,
                           .name = "repeat",
                           .location = "",
                           .grid = &r->grid,
                           .axes = r->axes,
                           .num_axes = s->num_axes,
                           .index = s->settings[PLACE],
                           .input_rank = 2,
                           .output_rank = 2,
                           .input_type = s->settings[TYPE] ? TESSERA_I32 : TESSERA_F32,
                           .output_type = s->settings[TYPE] ? TESSERA_I32 : TESSERA_F32,
                           .axis = s->settings[AXIS],
                           .concat_axis = 1 - s->settings[AXIS]};
  if (reduces(s))
    r->site.reduction = s->settings[REDUCTION] ? TESSERA_MAX : TESSERA_SUM;
  if (s->settings[LOCAL_SIZES])
    r->site.flags = TESSERA_SITE_LOCAL_SIZES;
  else if (is_even)
    r->site.flags = TESSERA_SITE_EVEN_SIZES;
}

static void call(const step *s, const tessera_site *site, const memref *in, const memref *out) {
  typedef void (*plain)(const tessera_site *, tessera_stream *, const void *, const void *);
  typedef void (*rooted)(const tessera_site *, tessera_stream *, const void *, const void *,
                         const int64_t *);
  static const plain plains[KINDS] = {tessera_rt_all_gather, tessera_rt_all_reduce,
                                      tessera_rt_reduce_scatter, tessera_rt_all_to_all};
  static const rooted rooteds[KINDS] = {NULL,
                                        NULL,
                                        NULL,
                                        NULL,
                                        tessera_rt_broadcast,
                                        tessera_rt_gather,
                                        tessera_rt_scatter,
                                        tessera_rt_reduce};
  if (is_rooted(s))
    rooteds[s->settings[KIND]](site, NULL, in, out, s->coordinates);
  else
    plains[s->settings[KIND]](site, NULL, in, out);
}

/* Returns the bytes that the call has counted; 0 if it does not count. */
static uint64_t run_call(const step *s, records *r, bool counts) {
  bool may_share = s->kind == TESSERA_SITE_ALL_REDUCE || s->kind == TESSERA_SITE_BROADCAST;
  bool shares = may_share && s->settings[IN_PLACE];
  tessera_context *context = tessera_context_current();
  tessera_site_traffic traffic = {0, 0};
  memref in = memref_create(2, s->in_shape, ELEMENT, (arrangement)s->settings[IN_ARRANGEMENT]);
  memref out = memref_create(2, s->out_shape, ELEMENT, (arrangement)s->settings[OUT_ARRANGEMENT]);
  write_records(s, r);
  fill(s, &in);
  if (counts)
    tessera_traffic_start(context);
  call(s, &r->site, &in, shares ? &in : &out);
  if (counts)
    EXPECT(tessera_traffic_read(context, &r->site, &traffic) == TESSERA_OK && traffic.calls == 1);
  check_result(s, shares ? &in : &out);
  memref_destroy(&in);
  memref_destroy(&out);
  return traffic.bytes;
}

/* ---- many calls ------------------------------------------------------------------------------ */

/* Each step changes one setting, or none; its call is made so often that it is surely remembered,
 * then once more where the other way of memory is taken. The same on every rank. */
static void run_steps(int32_t rank, int32_t size, int64_t first, int64_t count, bool counts) {
  static records places[PLACES];
  int settings[NUM_SETTINGS] = {0};
  for (int64_t i = first; i < first + count; i++) {
    uint64_t draw = mix((uint64_t)i, 77), bytes = 0;
    int changed = (int)(draw % NUM_SETTINGS);
    settings[changed] = (int)(draw / NUM_SETTINGS % (uint64_t)choices[changed]);
    for (uint64_t again = 0; again < 3; again++) {
      step s = describe(settings, rank, size);
      s.number = 3 * (uint64_t)i + again;
      if (again == 2)
        s.settings[IN_PLACE] ^= 1;
      uint64_t counted = run_call(&s, &places[settings[PLACE]], counts);
      if (again == 0)
        bytes = counted;
      EXPECT(counted == bytes);
    }
  }
}

/* One site for several contexts: the grid's extent comes from the launch. */
static void sum_in_context(int32_t rank, int32_t size, void *data) {
  static const int64_t extent = -1;
  static const int32_t axis = 0;
  static const tessera_grid grid = {sizeof(grid), 1, "all", &extent};
  static const tessera_site site = {.struct_size = sizeof(site),
                                    .kind = TESSERA_SITE_ALL_REDUCE,
                                    .name = "sum",
                                    .location = "",
                                    .grid = &grid,
                                    .axes = &axis,
                                    .num_axes = 1,
                                    .input_type = TESSERA_I32,
                                    .output_type = TESSERA_I32,
                                    .reduction = TESSERA_SUM};
  (void)data;
  for (int32_t i = 0; i < 3; i++) {
    int32_t own = rank + i, sum = 0;
    memref in = {&own, (char *)&own, 0, {0}}, out = {&sum, (char *)&sum, 0, {0}};
    tessera_rt_all_reduce(&site, NULL, &in, &out);
    EXPECT(sum == size * (size - 1) / 2 + size * i);
  }
}

/* MPI is the test's own, so the runtime may end and begin again. */
int main(int argc, char **argv) {
  enum { LIVES = 3, LOCAL_RANKS = 3 };
  int64_t steps = argc > 1 ? strtoll(argv[1], NULL, 10) : 1500;
  int status = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &(int){0});
  for (int64_t life = 0; life < LIVES && !status; life++) {
    tessera_context *context;
    EXPECT(tessera_default_context(&context) == TESSERA_OK);
    int32_t rank = tessera_context_rank(context), size = tessera_context_size(context);
    run_steps(rank, size, life * steps, steps, life > 0);
    sum_in_context(rank, size, NULL);
    run_local(LOCAL_RANKS, sum_in_context, NULL);
    sum_in_context(rank, size, NULL);
    status = finish_tests(); /* ends the runtime, not MPI */
  }
  MPI_Finalize();
  return status;
}
