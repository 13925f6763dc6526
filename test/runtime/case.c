/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Collectives as plain loops over all devices, and calls that are compared with them. */
#include "case.h"

#include <stdio.h>
#include <string.h>

#include "values.h"

/* ---- the oracle's view of groups ------------------------------------------------------------- */

int64_t devices_of(const shape *grid) {
  int64_t devices = 1;
  for (int32_t i = 0; i < grid->rank; i++)
    devices *= grid->sizes[i];
  return devices;
}

int32_t group_size(const test_case *test) {
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

/* A member of a group of this size, as an index over the listed axes. */
static void index_of(const test_case *test, int32_t position, int64_t *index) {
  for (int32_t i = test->num_axes - 1; i >= 0; i--) {
    index[i] = position % test->grid.sizes[test->axes[i]];
    position /= (int32_t)test->grid.sizes[test->axes[i]];
  }
}

/* The other members that a member sends to and receives from: a ring. */
static int32_t next_position(const test_case *test, int32_t device) {
  return (position_of(test, device) + 1) % group_size(test);
}

static int32_t previous_position(const test_case *test, int32_t device) {
  int32_t size = group_size(test);
  return (position_of(test, device) + size - 1) % size;
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

/* ---- shapes ---------------------------------------------------------------------------------- */

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
  switch (test->kind) {
  case TESSERA_SITE_ALL_GATHER:
  case TESSERA_SITE_GATHER:
  case TESSERA_SITE_UPDATE_HALO: /* the core of its buffer */
    return with_piece(test, test->axis, position_of(test, device));
  case TESSERA_SITE_ALL_TO_ALL:
    return with_piece(test, test->concat, position_of(test, device));
  default:
    return test->whole;
  }
}

static shape output_shape(const test_case *test, int32_t device) {
  int32_t position = position_of(test, device);
  if (test->kind == TESSERA_SITE_ALL_TO_ALL && test->axis == test->concat)
    return with_dealt(test, position);
  if (test->kind == TESSERA_SITE_UPDATE_HALO) {
    shape buffer = with_piece(test, test->axis, position);
    buffer.sizes[test->axis] += test->halos[0] + test->halos[1];
    return buffer;
  }
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

/* ---- what must come out ---------------------------------------------------------------------- */

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
  case TESSERA_SITE_SEND:
    *expected = input_at(test, member(test, device, previous_position(test, device)), at);
    return true;
  case TESSERA_SITE_UPDATE_HALO:
    *row += piece_start(cut, rows, size, position) - test->halos[0];
    if (*row < 0 || *row >= rows)
      return false;
    source = find_piece(test, test->axis, row);
    *expected = input_at(test, member(test, device, source), at);
    return true;
  default:
    *expected = reduced_at(test, device, at);
    return true;
  }
}

/* ---- one case -------------------------------------------------------------------------------- */

static const char *const kind_names[] = {
    "",     "all_gather", "all_reduce",     "all_slice", "all_to_all", "broadcast", "gather",
    "recv", "reduce",     "reduce_scatter", "scatter",   "send",       "shift",     "update_halo"};

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

bool is_listed(const test_case *test) {
  return mix(test->seed, 5) % 2 == 0;
}

static void call_ring(const test_case *test, int32_t device, tessera_site site, const memref *in,
                      const memref *out) {
  int64_t index[MAX_RANK];
  index_of(test, next_position(test, device), index);
  tessera_rt_send(&site, NULL, in, index);
  site.kind = TESSERA_SITE_RECV;
  index_of(test, previous_position(test, device), index);
  tessera_rt_recv(&site, NULL, out, index);
}

/* What describes the call, in memory that stays. */
static void write_records(const test_case *test, started_case *s) {
  s->grid = (tessera_grid){sizeof(s->grid), test->grid.rank, "g", s->test.grid.sizes};
  s->site = (tessera_site){.struct_size = sizeof(s->site),
                           .kind = test->kind,
                           .name = kind_names[test->kind],
                           .location = "",
                           .grid = &s->grid,
                           .axes = s->test.axes,
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
  if (test->kind != TESSERA_SITE_UPDATE_HALO)
    return;
  s->words[0] = test->axis + 1;
  s->words[1 + test->axis] = test->num_axes;
  for (int32_t i = 0; i < test->num_axes; i++)
    s->words[2 + test->axis + i] = test->axes[i];
  s->site.from = s->words;
  s->site.num_axes = 0;
}

static void call(started_case *s) {
  const test_case *test = &s->test;
  const tessera_site *site = &s->site;
  memref in = on_device(&s->in), out = on_device(&s->out);
  switch (test->kind) {
  case TESSERA_SITE_ALL_GATHER:
    tessera_rt_all_gather(site, NULL, &in, &out);
    break;
  case TESSERA_SITE_ALL_SLICE:
    tessera_rt_all_slice(site, NULL, &in, &out);
    break;
  case TESSERA_SITE_ALL_TO_ALL:
    tessera_rt_all_to_all(site, NULL, &in, &out);
    break;
  case TESSERA_SITE_REDUCE_SCATTER:
    tessera_rt_reduce_scatter(site, NULL, &in, &out);
    break;
  case TESSERA_SITE_BROADCAST:
    tessera_rt_broadcast(site, NULL, &in, &out, test->root);
    break;
  case TESSERA_SITE_GATHER:
    tessera_rt_gather(site, NULL, &in, &out, test->root);
    break;
  case TESSERA_SITE_SCATTER:
    tessera_rt_scatter(site, NULL, &in, &out, test->root);
    break;
  case TESSERA_SITE_REDUCE:
    tessera_rt_reduce(site, NULL, &in, &out, test->root);
    break;
  case TESSERA_SITE_SHIFT:
    tessera_rt_shift(site, NULL, &in, &out);
    break;
  case TESSERA_SITE_SEND:
    call_ring(test, s->device, *site, &in, &out);
    break;
  case TESSERA_SITE_UPDATE_HALO:
    tessera_rt_update_halo(site, NULL, &out, test->halos);
    break;
  default:
    tessera_rt_all_reduce(site, NULL, &in, &out);
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

/* The input, in memory of its own, or as the core of the output. */
static void fill_input(const test_case *test, int32_t device, const memref *in, const shape *all,
                       const shape *core) {
  size_t element = tessera_dtype_size(test->input);
  for (int64_t i = 0, count = devices_of(core); i < count; i++) {
    int64_t indices[MAX_RANK] = {0};
    split_index(core, i, indices);
    value value = input_at(test, device, indices);
    if (test->kind == TESSERA_SITE_UPDATE_HALO)
      indices[test->axis] += test->halos[0];
    store_value(test->input, value, memref_at(in, all->rank, element, linear_index(all, indices)));
  }
}

static void prepare(const test_case *test, int32_t device, started_case *s) {
  shape in_shape = input_shape(test, device), out_shape = output_shape(test, device);
  size_t in_size = tessera_dtype_size(test->input), out_size = tessera_dtype_size(test->output);
  arrangement how = (arrangement)(mix(test->seed, 3) % NUM_ARRANGEMENTS);
  arrangement how_out = (arrangement)(mix(test->seed, 4) % NUM_ARRANGEMENTS);
  bool is_in_place = test->kind == TESSERA_SITE_UPDATE_HALO;
  *s = (started_case){.test = *test, .device = device};
  s->in = memref_create(in_shape.rank, in_shape.sizes, in_size, how);
  s->out = memref_create(out_shape.rank, out_shape.sizes, out_size, how_out);
  fill_input(test, device, is_in_place ? &s->out : &s->in, is_in_place ? &out_shape : &in_shape,
             &in_shape);
  write_records(test, s);
}

static void finish(started_case *s) {
  await_device();
  check_output(&s->test, s->device, &s->out);
  memref_destroy(&s->in);
  memref_destroy(&s->out);
}

void start_case(const test_case *test, int32_t device, started_case *started) {
  bool is_buffer = test->kind == TESSERA_SITE_UPDATE_HALO;
  prepare(test, device, started);
  memref in = on_device(&started->in), out = on_device(&started->out);
  started->operation = tessera_rt_start(&started->site, NULL, is_buffer ? &out : &in, &out,
                                        is_buffer ? test->halos : test->root);
}

void wait_for_case(started_case *started) {
  tessera_rt_wait(&started->site, started->operation);
  finish(started);
}

static void run_once(const test_case *test, int32_t device) {
  started_case s;
  prepare(test, device, &s);
  call(&s);
  finish(&s);
}

void run_case(const test_case *test, int32_t device) {
  test_case again = *test;
  uint64_t times = is_listed(test) ? 2 : 1;
  for (again.again = 0; again.again < times; again.again++)
    run_once(&again, device);
}
