/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Every collective x element type x reduction x grid x group x tensor axis, against a plain loop
 * over all devices. usage: collectives [sample STRIDE | random GRIDS [SEED]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "values.h"

typedef struct shape {
  int32_t rank;
  int64_t sizes[MAX_RANK];
} shape;

/* One call and its place among the devices. */
typedef struct test_case {
  shape grid;
  int32_t axes[MAX_RANK];
  int32_t num_axes;
  tessera_site_kind kind;
  tessera_dtype input, output;
  tessera_reduction reduction;
  shape whole;    /* the undivided tensor */
  int32_t axis;   /* of the tensor, or of the grid for shifts */
  int32_t concat; /* all_to_all */
  int64_t offset; /* shift */
  uint32_t flags;
  int64_t root[MAX_RANK];
  uint64_t seed;
  uint64_t again; /* the number of the call among those of this case */
} test_case;

/* ---- the oracle's view of groups ---------------------------------------------------------------
 */

static int64_t devices_of(const shape *grid) {
  int64_t devices = 1;
  for (int32_t i = 0; i < grid->rank; i++)
    devices *= grid->sizes[i];
  return devices;
}

static int32_t group_size(const test_case *test) {
  int64_t size = 1;
  for (int32_t i = 0; i < test->num_axes; i++)
    size *= test->grid.sizes[test->axes[i]];
  return (int32_t)size;
}

static void coordinates_of(const test_case *test, int32_t device, int64_t *coordinates) {
  for (int32_t i = test->grid.rank - 1; i >= 0; i--) {
    coordinates[i] = device % test->grid.sizes[i];
    device /= (int32_t)test->grid.sizes[i];
  }
}

/* The device that is number `position` in the group of `device`. */
static int32_t member(const test_case *test, int32_t device, int32_t position) {
  int64_t coordinates[MAX_RANK];
  coordinates_of(test, device, coordinates);
  for (int32_t i = test->num_axes - 1; i >= 0; i--) {
    int64_t extent = test->grid.sizes[test->axes[i]];
    coordinates[test->axes[i]] = position % extent;
    position /= (int32_t)extent;
  }
  int64_t result = 0;
  for (int32_t i = 0; i < test->grid.rank; i++)
    result = result * test->grid.sizes[i] + coordinates[i];
  return (int32_t)result;
}

static int32_t position_of(const test_case *test, int32_t device) {
  int32_t position = 0;
  while (member(test, device, position) != device)
    position++;
  return position;
}

static int32_t root_position(const test_case *test) {
  int64_t position = 0;
  for (int32_t i = 0; i < test->num_axes; i++)
    position = position * test->grid.sizes[test->axes[i]] + test->root[i];
  return (int32_t)position;
}

/* How rows are cut: as the runtime does it, or as it has to be told. */
typedef enum cut { BALANCED, GROWING } cut;

static cut cut_of(const test_case *test, int32_t axis) {
  bool is_split = test->kind == TESSERA_SITE_ALL_TO_ALL && axis == test->axis;
  return test->flags & TESSERA_SITE_LOCAL_SIZES && (!is_split || axis == test->concat) ? GROWING
                                                                                       : BALANCED;
}

/* Row where piece `index` of `count` begins: 10 rows over 4 are 2, 2, 3, 3, or 0, 2, 3, 5. */
static int64_t piece_start(cut cut, int64_t rows, int32_t count, int32_t index) {
  int64_t start = 0;
  if (cut == GROWING)
    return rows * index * index / count / count;
  for (int32_t i = 0; i < index; i++)
    start += rows / count + (i >= count - rows % count);
  return start;
}

static int64_t piece_rows(cut cut, int64_t rows, int32_t count, int32_t index) {
  return piece_start(cut, rows, count, index + 1) - piece_start(cut, rows, count, index);
}

/* ---- shapes -----------------------------------------------------------------------------------
 */

static shape with_piece(const test_case *test, int32_t axis, int32_t position) {
  shape result = test->whole;
  result.sizes[axis] =
      piece_rows(cut_of(test, axis), result.sizes[axis], group_size(test), position);
  return result;
}

/* Rows that `position` gets of what `source` brings, where all_to_all cuts what it joins. */
static int64_t dealt_rows(const test_case *test, int32_t source, int32_t position) {
  int32_t size = group_size(test);
  int64_t theirs =
      piece_rows(cut_of(test, test->axis), test->whole.sizes[test->axis], size, source);
  return piece_rows(BALANCED, theirs, size, position);
}

static shape with_dealt(const test_case *test, int32_t position) {
  shape result = test->whole;
  result.sizes[test->axis] = 0;
  for (int32_t i = 0; i < group_size(test); i++)
    result.sizes[test->axis] += dealt_rows(test, i, position);
  return result;
}

static shape input_shape(const test_case *test, int32_t device) {
  int32_t position = position_of(test, device);
  switch (test->kind) {
  case TESSERA_SITE_ALL_GATHER:
  case TESSERA_SITE_GATHER:
    return with_piece(test, test->axis, position);
  case TESSERA_SITE_ALL_TO_ALL:
    return with_piece(test, test->concat, position);
  default:
    return test->whole;
  }
}

static shape output_shape(const test_case *test, int32_t device) {
  int32_t position = position_of(test, device);
  if (test->kind == TESSERA_SITE_ALL_TO_ALL && test->axis == test->concat)
    return with_dealt(test, position);
  switch (test->kind) {
  case TESSERA_SITE_ALL_SLICE:
  case TESSERA_SITE_SCATTER:
  case TESSERA_SITE_REDUCE_SCATTER:
  case TESSERA_SITE_ALL_TO_ALL:
    return with_piece(test, test->axis, position);
  default:
    return test->whole;
  }
}

static int64_t linear_index(const shape *shape, const int64_t *indices) {
  int64_t index = 0;
  for (int32_t i = 0; i < shape->rank; i++)
    index = index * shape->sizes[i] + indices[i];
  return index;
}

static void split_index(const shape *shape, int64_t index, int64_t *indices) {
  for (int32_t i = shape->rank - 1; i >= 0; i--) {
    indices[i] = index % shape->sizes[i];
    index /= shape->sizes[i];
  }
}

/* ---- what must come out ------------------------------------------------------------------------
 */

/* The input of a device at indices. */
static value input_at(const test_case *test, int32_t device, const int64_t *indices) {
  shape shape = input_shape(test, device);
  uint64_t seed =
      mix(mix(test->seed + test->again, (uint64_t)device), (uint64_t)linear_index(&shape, indices));
  value drawn = random_value(test->input, test->reduction, seed);
  /* Integers that are summed as floats stay small enough to be exact. */
  if (kind_of(test->output) >= KIND_FLOAT && test->reduction == TESSERA_PRODUCT)
    drawn.integer %= 7;
  char element[16]; /* what memory makes of it */
  store_value(test->input, drawn, element);
  return load_value(test->input, element);
}

static value reduced_at(const test_case *test, int32_t device, const int64_t *indices) {
  value values[64];
  int32_t size = group_size(test);
  bool is_unsigned = test->reduction == TESSERA_UMAX || test->reduction == TESSERA_UMIN;
  for (int32_t i = 0; i < size; i++)
    values[i] = convert_value(test->input, test->output, is_unsigned,
                              input_at(test, member(test, device, i), indices));
  return reduce_values(test->output, test->reduction, values, size);
}

/* The piece that row `row` of the whole is in; `row` becomes its place in the piece. */
static int32_t find_piece(const test_case *test, int32_t axis, int64_t *row) {
  int32_t index = 0, count = group_size(test);
  int64_t rows = test->whole.sizes[axis];
  while (*row >= piece_rows(cut_of(test, axis), rows, count, index))
    *row -= piece_rows(cut_of(test, axis), rows, count, index++);
  return index;
}

/* The member whose piece a row that all_to_all dealt out comes from, and the row in it. */
static int32_t find_dealer(const test_case *test, int32_t position, int64_t *row) {
  int32_t source = 0, size = group_size(test);
  while (*row >= dealt_rows(test, source, position))
    *row -= dealt_rows(test, source++, position);
  int64_t theirs =
      piece_rows(cut_of(test, test->axis), test->whole.sizes[test->axis], size, source);
  *row += piece_start(BALANCED, theirs, size, position);
  return source;
}

/* Where shifted data comes from, or -1. */
static int32_t shift_source(const test_case *test, int32_t device) {
  int64_t coordinates[MAX_RANK], extent = test->grid.sizes[test->axis];
  coordinates_of(test, device, coordinates);
  bool rotates = test->flags & TESSERA_SITE_ROTATE;
  if (!rotates && (test->offset <= -extent || test->offset >= extent))
    return -1;
  int64_t place = coordinates[test->axis] - test->offset % extent;
  if (rotates)
    place = (place + extent) % extent;
  if (place < 0 || place >= extent)
    return -1;
  coordinates[test->axis] = place;
  int64_t result = 0;
  for (int32_t i = 0; i < test->grid.rank; i++)
    result = result * test->grid.sizes[i] + coordinates[i];
  return (int32_t)result;
}

/* The output of a device at indices; false if nothing is written there. */
static bool expected_at(const test_case *test, int32_t device, const int64_t *indices,
                        value *expected) {
  int32_t size = group_size(test), position = position_of(test, device), source;
  int64_t at[MAX_RANK], *row = &at[test->axis];
  memcpy(at, indices, sizeof(at));
  int64_t rows = test->kind == TESSERA_SITE_SHIFT ? 0 : test->whole.sizes[test->axis];
  cut cut = cut_of(test, test->axis);
  switch (test->kind) {
  case TESSERA_SITE_GATHER:
    if (position != root_position(test))
      return false;
    /* fall through */
  case TESSERA_SITE_ALL_GATHER:
    source = find_piece(test, test->axis, row);
    *expected = input_at(test, member(test, device, source), at);
    return true;
  case TESSERA_SITE_ALL_SLICE:
    *row += piece_start(cut, rows, size, position);
    *expected = input_at(test, device, at);
    return true;
  case TESSERA_SITE_SCATTER:
    *row += piece_start(cut, rows, size, position);
    *expected = input_at(test, member(test, device, root_position(test)), at);
    return true;
  case TESSERA_SITE_ALL_TO_ALL:
    if (test->axis == test->concat) {
      source = find_dealer(test, position, row);
    } else {
      source = find_piece(test, test->concat, &at[test->concat]);
      *row += piece_start(cut, rows, size, position);
    }
    *expected = input_at(test, member(test, device, source), at);
    return true;
  case TESSERA_SITE_BROADCAST:
    *expected = input_at(test, member(test, device, root_position(test)), at);
    return true;
  case TESSERA_SITE_REDUCE:
    *expected = reduced_at(test, device, at);
    return position == root_position(test);
  case TESSERA_SITE_REDUCE_SCATTER:
    *row += piece_start(cut, rows, size, position);
    *expected = reduced_at(test, device, at);
    return true;
  case TESSERA_SITE_SHIFT:
    source = shift_source(test, device);
    *expected = input_at(test, source < 0 ? device : source, at);
    return source >= 0;
  default:
    *expected = reduced_at(test, device, at);
    return true;
  }
}

/* ---- one case ---------------------------------------------------------------------------------
 */

static const char *const kind_names[] = {
    "",     "all_gather", "all_reduce",     "all_slice", "all_to_all", "broadcast", "gather",
    "recv", "reduce",     "reduce_scatter", "scatter",   "send",       "shift"};

static void describe(const test_case *test, char *text, size_t capacity) {
  size_t used = (size_t)snprintf(text, capacity, "%s grid", kind_names[test->kind]);
  for (int32_t i = 0; i < test->grid.rank; i++)
    used += (size_t)snprintf(text + used, capacity - used, "%s%d", i ? "x" : " ",
                             (int)test->grid.sizes[i]);
  for (int32_t i = 0; i < test->num_axes; i++)
    used +=
        (size_t)snprintf(text + used, capacity - used, "%s%d", i ? "," : " axes ", test->axes[i]);
  used += (size_t)snprintf(text + used, capacity - used, " types %d %d reduction %d tensor",
                           test->input, test->output, test->reduction);
  for (int32_t i = 0; i < test->whole.rank; i++)
    used += (size_t)snprintf(text + used, capacity - used, "%s%d", i ? "x" : " ",
                             (int)test->whole.sizes[i]);
  snprintf(text + used, capacity - used, " axis %d concat %d offset %d flags %u", test->axis,
           test->concat, (int)test->offset, test->flags);
}

/* Whether the call is one of a program's, which is remembered. */
static bool is_listed(const test_case *test) {
  return mix(test->seed, 5) % 2 == 0;
}

static void call(const test_case *test, const memref *in, const memref *out) {
  tessera_grid grid = {sizeof(grid), test->grid.rank, "g", test->grid.sizes};
  tessera_site site = {.struct_size = sizeof(site),
                       .kind = test->kind,
                       .name = kind_names[test->kind],
                       .location = "",
                       .grid = &grid,
                       .axes = test->axes,
                       .num_axes = test->num_axes,
                       .index = is_listed(test) ? 3 : -1,
                       .input_rank = test->whole.rank,
                       .output_rank = test->whole.rank,
                       .input_type = (int32_t)test->input,
                       .output_type = (int32_t)test->output,
                       .reduction = (int32_t)test->reduction,
                       .flags = test->flags,
                       .axis = test->axis,
                       .concat_axis = test->concat,
                       .offset = test->offset};
  switch (test->kind) {
  case TESSERA_SITE_ALL_GATHER:
    tessera_rt_all_gather(&site, NULL, in, out);
    break;
  case TESSERA_SITE_ALL_SLICE:
    tessera_rt_all_slice(&site, NULL, in, out);
    break;
  case TESSERA_SITE_ALL_TO_ALL:
    tessera_rt_all_to_all(&site, NULL, in, out);
    break;
  case TESSERA_SITE_REDUCE_SCATTER:
    tessera_rt_reduce_scatter(&site, NULL, in, out);
    break;
  case TESSERA_SITE_BROADCAST:
    tessera_rt_broadcast(&site, NULL, in, out, test->root);
    break;
  case TESSERA_SITE_GATHER:
    tessera_rt_gather(&site, NULL, in, out, test->root);
    break;
  case TESSERA_SITE_SCATTER:
    tessera_rt_scatter(&site, NULL, in, out, test->root);
    break;
  case TESSERA_SITE_REDUCE:
    tessera_rt_reduce(&site, NULL, in, out, test->root);
    break;
  case TESSERA_SITE_SHIFT:
    tessera_rt_shift(&site, NULL, in, out);
    break;
  default:
    tessera_rt_all_reduce(&site, NULL, in, out);
    break;
  }
}

static void check_output(const test_case *test, int32_t device, const memref *out) {
  shape shape = output_shape(test, device);
  size_t element = tessera_dtype_size(test->output);
  char text[256], untouched[16];
  memset(untouched, 0xa5, sizeof(untouched));
  for (int64_t i = 0; i < memref_elements(out, shape.rank); i++) {
    int64_t indices[MAX_RANK] = {0};
    value expected = {0, 0, 0};
    split_index(&shape, i, indices);
    const char *found = memref_at(out, shape.rank, element, i);
    bool fits =
        expected_at(test, device, indices, &expected)
            ? values_agree(test->output, test->reduction, load_value(test->output, found), expected)
            : memcmp(found, untouched, element) == 0;
    if (fits)
      continue;
    value actual = load_value(test->output, found);
    describe(test, text, sizeof(text));
    fail_test("%s: device %d element %d is %lld %g%+gi, not %lld %g%+gi", text, device, (int)i,
              (long long)actual.integer, actual.real, actual.imaginary, (long long)expected.integer,
              expected.real, expected.imaginary);
    return;
  }
}

static void run_once(const test_case *test, int32_t device) {
  shape in_shape = input_shape(test, device), out_shape = output_shape(test, device);
  size_t in_size = tessera_dtype_size(test->input), out_size = tessera_dtype_size(test->output);
  arrangement how = (arrangement)(mix(test->seed, 3) % NUM_ARRANGEMENTS);
  arrangement how_out = (arrangement)(mix(test->seed, 4) % NUM_ARRANGEMENTS);
  memref in = memref_create(in_shape.rank, in_shape.sizes, in_size, how);
  memref out = memref_create(out_shape.rank, out_shape.sizes, out_size, how_out);
  for (int64_t i = 0; i < memref_elements(&in, in_shape.rank); i++) {
    int64_t indices[MAX_RANK] = {0};
    split_index(&in_shape, i, indices);
    store_value(test->input, input_at(test, device, indices),
                memref_at(&in, in_shape.rank, in_size, i));
  }
  call(test, &in, &out);
  check_output(test, device, &out);
  memref_destroy(&in);
  memref_destroy(&out);
}

/* What is remembered is done once more, on other values. */
static void run_case(const test_case *test, int32_t device) {
  test_case again = *test;
  uint64_t times = under_mpi() && is_listed(test) ? 2 : 1;
  for (again.again = 0; again.again < times; again.again++)
    run_once(&again, device);
}

/* ---- all cases ---------------------------------------------------------------------------------
 */

/* Runs one of `stride` cases, the same ones on every rank. */
typedef struct selection {
  shape grid;
  uint64_t stride;
  uint64_t count;
} selection;

static void consider(selection *selection, test_case *test, int32_t device) {
  test->seed = mix(selection->count++, (uint64_t)test->kind);
  if (mix(test->seed, 9) % selection->stride == 0)
    run_case(test, device);
}

/* In half of the cases, what the call says of the pieces along `axis`: without a word they are
 * balanced. */
static void say_pieces(test_case *test, int32_t axis, uint64_t choice) {
  bool has_root = test->kind == TESSERA_SITE_GATHER || test->kind == TESSERA_SITE_SCATTER;
  if (choice % 4 == 0)
    test->flags = TESSERA_SITE_LOCAL_SIZES;
  if (choice % 4 == 1 && has_root && test->whole.sizes[axis] % group_size(test) == 0)
    test->flags = TESSERA_SITE_EVEN_SIZES;
}

static void consider_cut(selection *selection, test_case test, int32_t axis, int32_t device) {
  say_pieces(&test, axis, mix(selection->count, 11));
  consider(selection, &test, device);
}

static const shape shapes[] = {
    {2, {4, 6}}, {2, {5, 3}}, {1, {11}}, {3, {3, 7, 2}}, {2, {0, 5}}, {2, {2, 1}},
};
enum { NUM_SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static const tessera_dtype all_types[] = {
    TESSERA_I1,  TESSERA_I8,  TESSERA_I16, TESSERA_I32,   TESSERA_I64, TESSERA_U8,
    TESSERA_U16, TESSERA_U32, TESSERA_U64, TESSERA_INDEX, TESSERA_F16, TESSERA_BF16,
    TESSERA_F32, TESSERA_F64, TESSERA_C64, TESSERA_C128,  TESSERA_I4,  TESSERA_F8,
};
/* The last two are moved, and never computed with. */
enum { NUM_TYPES = sizeof(all_types) / sizeof(all_types[0]), NUM_REDUCED_TYPES = NUM_TYPES - 2 };

static const tessera_dtype widenings[][2] = {
    {TESSERA_I1, TESSERA_I32},   {TESSERA_I8, TESSERA_I32},  {TESSERA_I32, TESSERA_I64},
    {TESSERA_U8, TESSERA_U64},   {TESSERA_F16, TESSERA_F32}, {TESSERA_BF16, TESSERA_F64},
    {TESSERA_F32, TESSERA_F64},  {TESSERA_I16, TESSERA_F32}, {TESSERA_C64, TESSERA_C128},
    {TESSERA_I8, TESSERA_INDEX}, {TESSERA_U16, TESSERA_F64}, {TESSERA_F64, TESSERA_F32},
    {TESSERA_F32, TESSERA_BF16}, {TESSERA_I32, TESSERA_I8},
};
enum { NUM_WIDENINGS = sizeof(widenings) / sizeof(widenings[0]) };

static void draw_root(test_case *test, uint64_t seed) {
  for (int32_t i = 0; i < test->num_axes; i++)
    test->root[i] = (int64_t)(mix(seed, (uint64_t)i) % (uint64_t)test->grid.sizes[test->axes[i]]);
}

static void reductions_of_types(selection *selection, test_case test, int32_t device) {
  static const tessera_site_kind kinds[] = {TESSERA_SITE_ALL_REDUCE, TESSERA_SITE_REDUCE,
                                            TESSERA_SITE_REDUCE_SCATTER};
  for (int reduction = TESSERA_SUM; reduction <= TESSERA_MINNUM; reduction++) {
    test.reduction = (tessera_reduction)reduction;
    if (!has_meaning(test.output, test.reduction))
      continue;
    for (int k = 0; k < 3; k++) {
      test.kind = kinds[k];
      test.whole = shapes[mix(selection->count, 1) % NUM_SHAPES];
      draw_root(&test, selection->count);
      for (test.axis = 0; test.axis < test.whole.rank; test.axis++)
        if (test.kind == TESSERA_SITE_REDUCE_SCATTER)
          consider_cut(selection, test, test.axis, device);
        else if (test.axis == 0)
          consider(selection, &test, device);
    }
    test.kind = TESSERA_SITE_ALL_REDUCE;
    test.whole = (shape){0, {0}};
    test.axis = 0;
    consider(selection, &test, device);
  }
}

static void all_reductions(selection *selection, test_case test, int32_t device) {
  for (int i = 0; i < NUM_REDUCED_TYPES; i++) {
    test.input = test.output = all_types[i];
    reductions_of_types(selection, test, device);
  }
  for (int i = 0; i < NUM_WIDENINGS; i++) {
    test.input = widenings[i][0];
    test.output = widenings[i][1];
    reductions_of_types(selection, test, device);
  }
}

static void all_moves(selection *selection, test_case test, int32_t device) {
  static const tessera_site_kind kinds[] = {
      TESSERA_SITE_ALL_GATHER, TESSERA_SITE_ALL_SLICE, TESSERA_SITE_BROADCAST,
      TESSERA_SITE_GATHER,     TESSERA_SITE_SCATTER,
  };
  for (int i = 0; i < NUM_TYPES; i++) {
    test.input = test.output = all_types[i];
    for (int s = 0; s < NUM_SHAPES; s++) {
      test.whole = shapes[s];
      draw_root(&test, selection->count);
      for (test.axis = 0; test.axis < test.whole.rank; test.axis++) {
        for (int k = 0; k < 5; k++) {
          test.kind = kinds[k];
          consider_cut(selection, test, test.axis, device);
        }
        test.kind = TESSERA_SITE_ALL_TO_ALL;
        for (test.concat = 0; test.concat < test.whole.rank; test.concat++)
          consider_cut(selection, test, test.concat, device);
        test.concat = 0;
      }
    }
  }
}

static void all_shifts(selection *selection, test_case test, int32_t device) {
  static const int64_t offsets[] = {INT64_MIN, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, INT64_MAX};
  test.kind = TESSERA_SITE_SHIFT;
  for (int32_t i = 0; i < test.num_axes; i++)
    for (size_t o = 0; o < sizeof(offsets) / sizeof(offsets[0]); o++)
      for (test.flags = 0; test.flags <= TESSERA_SITE_ROTATE; test.flags++) {
        test.axis = test.axes[i];
        test.offset = offsets[o];
        test.input = test.output = all_types[mix(selection->count, 2) % NUM_TYPES];
        test.whole = shapes[mix(selection->count, 1) % NUM_SHAPES];
        consider(selection, &test, device);
      }
}

/* Every ordered choice of axes that begins with those of `test`. */
static void all_groups(selection *selection, test_case test, int32_t device) {
  all_reductions(selection, test, device);
  all_moves(selection, test, device);
  all_shifts(selection, test, device);
  for (int32_t axis = 0; axis < test.grid.rank; axis++) {
    bool used = false;
    for (int32_t i = 0; i < test.num_axes; i++)
      used = used || test.axes[i] == axis;
    if (used)
      continue;
    test_case longer = test;
    longer.axes[longer.num_axes++] = axis;
    all_groups(selection, longer, device);
  }
}

static void run_grid(int32_t rank, int32_t size, void *data) {
  (void)size;
  selection own = *(const selection *)data;
  test_case test = {.grid = own.grid};
  all_groups(&own, test, rank);
}

/* ---- at random, out of a larger space ----------------------------------------------------------
 */

enum { MOST_DEVICES = 12, CASES_OF_A_GRID = 64 };

typedef struct drawn_grids {
  uint64_t first, count;
} drawn_grids;

static int64_t roll(uint64_t *seed, int64_t sides) {
  return (int64_t)(mix(++*seed, 17) % (uint64_t)sides);
}

static shape draw_grid(uint64_t seed) {
  seed = mix(seed, 0);
  shape grid = {.rank = (int32_t)roll(&seed, 4) + 1};
  for (int32_t i = 0; i < grid.rank; i++)
    grid.sizes[i] = 1;
  for (int32_t i = 0; i < grid.rank; i++)
    grid.sizes[i] = roll(&seed, MOST_DEVICES / devices_of(&grid)) + 1;
  return grid;
}

/* Any of the axes, in any order. */
static void draw_group(test_case *test, uint64_t *seed) {
  int32_t axes[MAX_RANK];
  for (int32_t i = 0; i < test->grid.rank; i++)
    axes[i] = i;
  test->num_axes = (int32_t)roll(seed, test->grid.rank + 1);
  for (int32_t i = 0; i < test->num_axes; i++) {
    int64_t other = i + roll(seed, test->grid.rank - i);
    test->axes[i] = axes[other];
    axes[other] = axes[i];
  }
  draw_root(test, *seed);
}

static void draw_types(test_case *test, uint64_t *seed) {
  bool reduces = test->kind == TESSERA_SITE_ALL_REDUCE || test->kind == TESSERA_SITE_REDUCE ||
                 test->kind == TESSERA_SITE_REDUCE_SCATTER;
  test->input = test->output = all_types[roll(seed, reduces ? NUM_REDUCED_TYPES : NUM_TYPES)];
  if (!reduces)
    return;
  if (roll(seed, 3) == 0) {
    const tessera_dtype *wider = widenings[roll(seed, NUM_WIDENINGS)];
    test->input = wider[0];
    test->output = wider[1];
  }
  do
    test->reduction = (tessera_reduction)(TESSERA_SUM + roll(seed, TESSERA_MINNUM));
  while (!has_meaning(test->output, test->reduction));
}

/* Axes of the tensor, where the op has them; a shift has one of the group's. */
static void draw_axes(test_case *test, uint64_t *seed) {
  if (test->kind == TESSERA_SITE_SHIFT) {
    test->axis = test->axes[roll(seed, test->num_axes)];
    test->offset = roll(seed, 19) - 9;
    test->flags = roll(seed, 2) ? TESSERA_SITE_ROTATE : 0;
    return;
  }
  if (test->whole.rank == 0)
    return;
  test->axis = (int32_t)roll(seed, test->whole.rank);
  if (test->kind == TESSERA_SITE_ALL_TO_ALL)
    test->concat = (int32_t)roll(seed, test->whole.rank);
  if (test->kind != TESSERA_SITE_ALL_REDUCE && test->kind != TESSERA_SITE_REDUCE)
    say_pieces(test, test->kind == TESSERA_SITE_ALL_TO_ALL ? test->concat : test->axis,
               (uint64_t)roll(seed, 4));
}

static test_case draw_case(const shape *grid, uint64_t seed) {
  static const struct {
    tessera_site_kind kind;
    int32_t least_rank;
  } kinds[] = {{TESSERA_SITE_ALL_REDUCE, 0}, {TESSERA_SITE_REDUCE, 0},
               {TESSERA_SITE_BROADCAST, 0},  {TESSERA_SITE_REDUCE_SCATTER, 1},
               {TESSERA_SITE_ALL_GATHER, 1}, {TESSERA_SITE_ALL_SLICE, 1},
               {TESSERA_SITE_GATHER, 1},     {TESSERA_SITE_SCATTER, 1},
               {TESSERA_SITE_ALL_TO_ALL, 2}, {TESSERA_SITE_SHIFT, 1}};
  test_case test = {.grid = *grid, .seed = seed};
  draw_group(&test, &seed);
  int64_t kind = roll(&seed, (int64_t)(sizeof(kinds) / sizeof(kinds[0])) - (test.num_axes == 0));
  test.kind = kinds[kind].kind;
  test.whole.rank = kinds[kind].least_rank + (int32_t)roll(&seed, 4);
  for (int32_t i = 0; i < test.whole.rank; i++)
    test.whole.sizes[i] = roll(&seed, 14);
  draw_types(&test, &seed);
  draw_axes(&test, &seed);
  return test;
}

static void run_drawn(int32_t rank, int32_t size, void *data) {
  const drawn_grids *all = data;
  for (uint64_t seed = all->first; seed < all->first + all->count; seed++) {
    shape grid = draw_grid(seed);
    for (uint64_t i = 0; i < CASES_OF_A_GRID && devices_of(&grid) == size; i++) {
      test_case test = draw_case(&grid, mix(seed, i + 1));
      run_case(&test, rank);
    }
  }
}

static int run_at_random(drawn_grids all) {
  if (under_mpi())
    run_here(run_drawn, &all);
  for (int32_t size = 1; size <= MOST_DEVICES && !under_mpi(); size++)
    run_local(size, run_drawn, &all);
  return finish_tests();
}

/* ---- large tensors: the ways that only they take ------------------------------------------------
 */

/* Each collective that cuts, on both axes, with every word about the pieces. */
static void cut_large(int32_t rank, int32_t size, void *data) {
  static const tessera_site_kind kinds[] = {TESSERA_SITE_ALL_GATHER, TESSERA_SITE_ALL_TO_ALL,
                                            TESSERA_SITE_GATHER, TESSERA_SITE_SCATTER,
                                            TESSERA_SITE_REDUCE_SCATTER};
  static const uint32_t flags[] = {0, TESSERA_SITE_LOCAL_SIZES, TESSERA_SITE_EVEN_SIZES};
  (void)data;
  for (uint64_t i = 0; i < 5 * 3 * 2; i++) {
    test_case test = {.grid = {1, {size}},
                      .num_axes = 1,
                      .kind = kinds[i % 5],
                      .input = TESSERA_F32,
                      .output = TESSERA_F32,
                      .whole = {2, {131, 97}},
                      .axis = (int32_t)(i / 15),
                      .concat = 1 - (int32_t)(i / 15),
                      .flags = flags[i / 5 % 3],
                      .root = {size / 2},
                      .seed = i};
    if (test.kind == TESSERA_SITE_REDUCE_SCATTER)
      test.reduction = TESSERA_SUM;
    if (test.flags == TESSERA_SITE_EVEN_SIZES)
      test.whole = (shape){2, {24 * size, 8 * size}};
    run_case(&test, rank);
  }
}

static void run_large(int32_t rank, int32_t size, void *data) {
  static const tessera_dtype types[][2] = {{TESSERA_F32, TESSERA_F32},
                                           {TESSERA_BF16, TESSERA_BF16},
                                           {TESSERA_F16, TESSERA_F32},
                                           {TESSERA_I32, TESSERA_I64}};
  (void)data;
  for (int i = 0; i < 4; i++) {
    test_case test = {.grid = {1, {size}},
                      .num_axes = 1,
                      .kind = TESSERA_SITE_ALL_REDUCE,
                      .input = types[i][0],
                      .output = types[i][1],
                      .reduction = TESSERA_SUM,
                      .whole = {2, {301, 127}},
                      .seed = (uint64_t)i};
    run_case(&test, rank);
  }
}

/* Transpositions of tensors so thin that the last member has the same pieces whichever dimension is
 * put together: they differ in that alone. */
static void run_thin(int32_t rank, int32_t size, void *data) {
  test_case test = {.grid = {1, {size}},
                    .num_axes = 1,
                    .kind = TESSERA_SITE_ALL_TO_ALL,
                    .input = TESSERA_F32,
                    .output = TESSERA_F32,
                    .whole = {3, {2 * size, 1, 1}}};
  (void)data;
  while (!is_listed(&test))
    test.seed++;
  for (int32_t i = 0; i < 4; i++) {
    test.concat = 1 + i % 2;
    run_case(&test, rank);
  }
}

/* Groups that are large enough for trees: a share of the cases. */
static void run_trees(void) {
  static const shape grids[] = {{1, {21}}, {2, {3, 17}}};
  enum { STRIDE = 240 };
  for (size_t i = 0; i < sizeof(grids) / sizeof(grids[0]); i++) {
    selection selection = {grids[i], STRIDE, 0};
    run_local((int32_t)devices_of(&grids[i]), run_grid, &selection);
  }
  run_local(19, run_large, NULL);
}

int main(int argc, char **argv) {
  static const shape grids[] = {{1, {4}}, {2, {2, 2}}, {2, {2, 3}}, {3, {2, 2, 2}},
                                {1, {1}}, {1, {2}},    {2, {1, 2}}};
  if (argc > 2 && strcmp(argv[1], "random") == 0)
    return run_at_random(
        (drawn_grids){argc > 3 ? strtoull(argv[3], NULL, 10) : 1, strtoull(argv[2], NULL, 10)});
  for (size_t i = 0; i < sizeof(grids) / sizeof(grids[0]); i++) {
    selection selection = {grids[i], 1, 0};
    if (argc > 2 && strcmp(argv[1], "sample") == 0)
      selection.stride = strtoull(argv[2], NULL, 10);
    int64_t devices = devices_of(&grids[i]);
    if (!under_mpi())
      run_local((int32_t)devices, run_grid, &selection);
    else if (run_here(NULL, NULL) == devices)
      run_here(run_grid, &selection);
  }
  static const rank_function others[] = {run_large, cut_large, run_thin};
  for (int i = 0; i < 3; i++)
    if (under_mpi())
      run_here(others[i], NULL);
    else
      run_local(4, others[i], NULL);
  if (!under_mpi())
    run_trees();
  return finish_tests();
}
