/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* shift, update_halo, exchange and all_slice that come again, or differ in one thing from the call
 * before at the same site: what is remembered must never show. usage: repeat-moves [ROUNDS] */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "layouts.h"

/* ---- what a call depends on ------------------------------------------------------------------ */

/* Each as one of a few choices, in this order. */
enum {
  ADDRESS, /* of the site's records */
  INDEX,
  NAME,
  KIND,
  GRID,
  GROUP,
  RANK,
  ROWS,
  COLUMNS,
  AXIS,
  OFFSET,
  ROTATE,
  HALO,
  OTHER_HALO, /* of the second dimension */
  FROM,
  TO,
  ORDER,
  SLIDE,
  TOLD,
  DYNAMIC,
  TYPE,
  LOCAL_SIZES,
  IN_ARRANGEMENT,
  OUT_ARRANGEMENT,
  SHARING, /* how in and out lie to each other */
  SHARERS, /* on all ranks, or on some */
  NUM_SETTINGS
};
enum { ADDRESSES = 2, INDICES = 4, KINDS = 4, GRIDS = 7, GROUPS = 6, RANKS = 4, HALOS = 5 };
enum { ROW_COUNTS = 6, COLUMN_COUNTS = 4, OFFSETS = 7, LAYOUTS = 8, TOLDS = 3, SHARINGS = 4 };
static const int choices[NUM_SETTINGS] = {ADDRESSES,
                                          INDICES,
                                          2,
                                          KINDS,
                                          GRIDS,
                                          GROUPS,
                                          RANKS,
                                          ROW_COUNTS,
                                          COLUMN_COUNTS,
                                          2,
                                          OFFSETS,
                                          2,
                                          HALOS,
                                          HALOS,
                                          LAYOUTS,
                                          LAYOUTS,
                                          2,
                                          2,
                                          TOLDS,
                                          2,
                                          2,
                                          3,
                                          NUM_ARRANGEMENTS,
                                          NUM_ARRANGEMENTS,
                                          SHARINGS,
                                          2};

enum { MANY_AXES = 48 };

/* A program's records, which another program may replace at the same addresses. */
typedef struct records {
  tessera_grid grid;
  tessera_site site;
  int64_t extents[MAX_GRID_RANK];
  int32_t axes[MANY_AXES];
  int64_t from[MAX_LAYOUT_WORDS], to[MAX_LAYOUT_WORDS];
} records;

/* A call, with the oracle's view of both its sides. */
typedef struct move {
  int settings[NUM_SETTINGS];
  tessera_site_kind kind;
  int32_t device, devices;
  uint64_t number; /* of this call's values */
  space space;
  layout from, to;
  bool is_open; /* the grid's first extent comes from the launch */
  int32_t axes[2], num_axes;
  int32_t first_axis, first_dim; /* of the grid and the tensor: of those that are not 1 */
  int32_t source;                /* of a shift: the device whose data comes; -1: none */
  numbers told;
} move;

/* ---- grids and tensors ----------------------------------------------------------------------- */

static void find_grid(move *m) {
  int64_t n = m->devices, two = n % 2 ? 1 : 2, half = n / two;
  const struct {
    int32_t rank;
    bool is_open;
    int64_t extents[3]; /* behind as many of 1 as it takes */
  } grids[GRIDS] = {{2, false, {two, half}},
                    {2, false, {half, two}},
                    {2, false, {n, 1}},
                    {1, true, {n}},
                    {2, true, {half, two}},
                    {3, false, {two, half, 1}},
                    {MAX_GRID_RANK, false, {two, half}}};
  int which = m->settings[GRID];
  m->space.grid_rank = grids[which].rank;
  m->is_open = grids[which].is_open;
  m->first_axis = grids[which].rank > 3 ? MAX_GRID_RANK - 2 : 0;
  for (int32_t i = 0; i < m->space.grid_rank; i++)
    m->space.grid[i] = i < m->first_axis ? 1 : grids[which].extents[i - m->first_axis];
}

/* Appends those of `count` axes that the grid has. */
static int32_t add_axes(const move *m, const int32_t *which, int32_t count, int32_t *axes) {
  int32_t added = 0;
  for (int32_t i = 0; i < count; i++)
    if (m->first_axis + which[i] < m->space.grid_rank)
      axes[added++] = m->first_axis + which[i];
  return added;
}

static void find_group(move *m) {
  static const int32_t lists[][2] = {{0, 1}, {1, 0}, {0}, {1}}, lengths[] = {2, 2, 1, 1};
  int which = m->space.grid_rank == 1 ? 2 : m->settings[GROUP] % 4;
  m->num_axes = add_axes(m, lists[which], lengths[which], m->axes);
}

static void find_sizes(move *m) {
  static const int32_t ranks[RANKS] = {1, 2, 3, 9};
  static const int64_t rows[ROW_COUNTS] = {12, 13, 1, 0, 10, 400}, columns[] = {2, 3, 1, 4};
  m->space.rank = ranks[m->settings[RANK]];
  m->first_dim = m->space.rank > 3 ? 7 : 0;
  for (int32_t i = 0; i < m->space.rank; i++)
    m->space.sizes[i] = i < m->first_dim ? 1 : 2;
  m->space.sizes[m->first_dim] = rows[m->settings[ROWS]];
  if (m->space.rank > 1)
    m->space.sizes[m->first_dim + 1] = columns[m->settings[COLUMNS]];
}

/* Unsplit. */
static void make_whole(const move *m, layout *layout) {
  memset(layout, 0, sizeof(*layout));
  for (int32_t i = 0; i < m->space.rank; i++) {
    layout->dims[i].num_factors = 1;
    layout->dims[i].factors[0].size = m->space.sizes[i];
  }
}

static void split(const move *m, factor *factor) {
  factor->num_axes = m->num_axes;
  memcpy(factor->axes, m->axes, sizeof(m->axes));
}

/* ---- shift, all_slice ------------------------------------------------------------------------ */

static int32_t shift_axis(const move *m) {
  return m->axes[m->settings[AXIS] % m->num_axes];
}

static int64_t shift_offset(const move *m) {
  static const int64_t offsets[OFFSETS] = {1, -1, 2, -2, 0, 5, -100};
  return offsets[m->settings[OFFSET]];
}

static void describe_shift(move *m) {
  int64_t step = 1, extent = m->space.grid[shift_axis(m)];
  for (int32_t i = shift_axis(m) + 1; i < m->space.grid_rank; i++)
    step *= m->space.grid[i];
  int64_t here = m->device / step % extent, there = here - shift_offset(m);
  if (m->settings[ROTATE])
    there = (there % extent + extent) % extent;
  m->source = there < 0 || there >= extent ? -1 : m->device + (int32_t)((there - here) * step);
  make_whole(m, &m->from);
  make_whole(m, &m->to);
}

static int32_t slice_dim(const move *m) {
  return m->first_dim + (m->space.rank > 1 ? m->settings[AXIS] : 0);
}

static void describe_slice(move *m) {
  dimension *dim = &m->to.dims[slice_dim(m)];
  make_whole(m, &m->from);
  make_whole(m, &m->to);
  split(m, &dim->factors[0]);
  int64_t shards = shard_count(&m->space, &dim->factors[0]), size = dim->factors[0].size;
  dim->has_offsets = m->settings[LOCAL_SIZES] == 2 && size >= 2 * shards;
  for (int64_t i = 0; i <= shards; i++) /* all but the last have two rows */
    dim->offsets[i] = i == shards ? size : 2 * i;
}

/* ---- update_halo ----------------------------------------------------------------------------- */

/* Buffers have the same extents however wide their halos are, so that a call may differ in the
 * halos alone. */
static void split_buffer(move *m, int32_t dim, int which, int64_t rows) {
  static const int64_t halos[HALOS][2] = {{1, 2}, {2, 1}, {3, 0}, {0, 3}, {0, 0}};
  static const int32_t lists[GROUPS][2][2] = {{{0}, {1}},    {{1}, {0}}, {{0, 1}, {0}},
                                              {{1, 0}, {0}}, {{0}, {0}}, {{0}, {1, 0}}};
  static const int32_t lengths[GROUPS][2] = {{1, 1}, {1, 1}, {2, 0}, {2, 0}, {0, 1}, {0, 2}};
  int group = m->settings[GROUP], halo = m->settings[which ? OTHER_HALO : HALO];
  dimension *result = &m->to.dims[dim];
  factor *only = &result->factors[0];
  only->num_axes = add_axes(m, lists[group][which], lengths[group][which], only->axes);
  if (only->num_axes > 0) {
    result->low = halos[halo][0];
    result->high = halos[halo][1];
    rows = (rows - result->low - result->high) * shard_count(&m->space, only) +
           (m->settings[LOCAL_SIZES] == 2);
    m->told.values[m->told.num++] = result->low;
    m->told.values[m->told.num++] = result->high;
  }
  m->space.sizes[dim] = only->size = rows;
}

static void describe_halo(move *m) {
  static const int64_t rows[ROW_COUNTS] = {6, 5, 3, 4, 8, 400},
                       columns[COLUMN_COUNTS] = {5, 6, 3, 4};
  make_whole(m, &m->to);
  split_buffer(m, m->first_dim, 0, rows[m->settings[ROWS]]);
  if (m->space.rank > 1)
    split_buffer(m, m->first_dim + 1, 1, columns[m->settings[COLUMNS]]);
}

/* ---- exchange -------------------------------------------------------------------------------- */

/* With all that a layout may have, so that there are many numbers to tell. */
static void make_full(const move *m, layout *layout) {
  make_whole(m, layout);
  split(m, &layout->dims[m->first_dim].factors[0]);
  for (int32_t i = 0; i < m->space.rank; i++) {
    dimension *dim = &layout->dims[i];
    int64_t shards = shard_count(&m->space, &dim->factors[0]);
    dim->low = i == m->first_dim || i == m->first_dim + 1;
    dim->high = 2 * dim->low;
    dim->has_offsets = !m->space.dynamic[i];
    for (int64_t k = 0; k <= shards; k++)
      dim->offsets[k] = k * dim->factors[0].size / shards;
  }
}

/* In short runs, so that there are many boxes. */
static void make_interleaved(const move *m, layout *layout) {
  make_whole(m, layout);
  dimension *dim = &layout->dims[m->first_dim];
  if (m->space.dynamic[m->first_dim] || dim->factors[0].size % 2 != 0)
    return;
  dim->num_factors = 2;
  dim->factors[0].size /= 2;
  dim->factors[1].size = 2;
  split(m, &dim->factors[1]);
}

static void make_side(const move *m, int which, layout *layout) {
  dice dice = {(uint64_t)which, 0};
  if (which == 0)
    make_full(m, layout);
  else if (which == 1)
    make_interleaved(m, layout);
  else
    draw_layout(&dice, &m->space, layout);
  for (int32_t i = 0; i < m->first_dim; i++) /* which would make large pieces */
    layout->dims[i].low = layout->dims[i].high = 0;
}

/* Layouts that differ from others, but in which most pieces have the same extents. */
static void vary(const move *m, dimension *dim) {
  int64_t low = dim->low, shards = shard_count(&m->space, &dim->factors[0]);
  for (int32_t i = 0; m->settings[ORDER] && i < dim->num_factors; i++) {
    factor *factor = &dim->factors[i];
    for (int32_t a = 0, b = factor->num_axes - 1; a < b; a++, b--) {
      int32_t axis = factor->axes[a];
      factor->axes[a] = factor->axes[b];
      factor->axes[b] = axis;
    }
  }
  for (int64_t i = 1; m->settings[SLIDE] && dim->has_offsets && i < shards; i++)
    dim->offsets[i] += dim->offsets[i] < dim->offsets[shards];
  if (m->settings[HALO] % 2) {
    dim->low = dim->high;
    dim->high = low;
  }
}

static void describe_exchange(move *m) {
  m->space.dynamic[m->first_dim] = m->settings[DYNAMIC];
  make_side(m, m->settings[FROM], &m->from);
  make_side(m, m->settings[TO], &m->to);
  for (int32_t i = 0; i < m->space.rank; i++)
    vary(m, &m->to.dims[i]);
}

/* ---- records --------------------------------------------------------------------------------- */

static void describe(const int *settings, int32_t device, int32_t devices, move *m) {
  static const tessera_site_kind kinds[KINDS] = {TESSERA_SITE_SHIFT, TESSERA_SITE_UPDATE_HALO,
                                                 TESSERA_SITE_EXCHANGE, TESSERA_SITE_ALL_SLICE};
  static void (*const describers[KINDS])(move *) = {describe_shift, describe_halo,
                                                    describe_exchange, describe_slice};
  memset(m, 0, sizeof(*m));
  memcpy(m->settings, settings, sizeof(m->settings));
  m->kind = kinds[settings[KIND]];
  m->device = device;
  m->devices = devices;
  find_grid(m);
  find_group(m);
  find_sizes(m);
  describers[settings[KIND]](m);
}

static size_t element_of(const move *m) {
  return m->settings[TYPE] ? sizeof(int32_t) : sizeof(int64_t);
}

static void write_halo_words(const move *m, int64_t *words) {
  *words++ = m->space.rank;
  for (int32_t i = 0; i < m->space.rank; i++) {
    const factor *only = &m->to.dims[i].factors[0];
    *words++ = only->num_axes;
    for (int32_t a = 0; a < only->num_axes; a++)
      *words++ = only->axes[a];
  }
}

static void write_layouts(move *m, records *r) {
  static const uint64_t one_in[TOLDS] = {0, 1, 3};
  uint64_t told = one_in[m->settings[TOLD]];
  if (m->kind == TESSERA_SITE_UPDATE_HALO)
    write_halo_words(m, r->from);
  if (m->kind != TESSERA_SITE_EXCHANGE)
    return;
  m->told.num = 0;
  tell_sizes(&m->space, &m->told);
  write_words(&m->space, &m->from, 1, told, r->from, &m->told);
  write_words(&m->space, &m->to, 2, told, r->to, &m->told);
}

static void write_records(move *m, records *r) {
  static const int32_t indices[INDICES] = {7, 7 + 1024, 8, -1};
  memcpy(r->extents, m->space.grid, sizeof(r->extents));
  if (m->is_open)
    r->extents[0] = -1;
  memcpy(r->axes, m->axes, sizeof(m->axes));
  r->grid = (tessera_grid){sizeof(r->grid), m->space.grid_rank, "g", r->extents};
  bool is_halo = m->kind == TESSERA_SITE_UPDATE_HALO, is_shift = m->kind == TESSERA_SITE_SHIFT;
  bool has_words = is_halo || m->kind == TESSERA_SITE_EXCHANGE;
  bool cuts = is_halo || m->kind == TESSERA_SITE_ALL_SLICE;
  /* An exchange is between all ranks, whatever axes its site names. */
  int32_t unused = m->kind == TESSERA_SITE_EXCHANGE && m->settings[NAME] ? MANY_AXES : 0;
  tessera_dtype type = m->settings[TYPE] ? TESSERA_I32 : TESSERA_I64;
  r->site = (tessera_site){.struct_size = sizeof(r->site),
                           .kind = m->kind,
                           .name = m->settings[NAME] ? "again" : "once more",
                           .location = "",
                           .grid = &r->grid,
                           .axes = r->axes,
                           .num_axes = has_words ? unused : m->num_axes,
                           .index = indices[m->settings[INDEX]],
                           .input_rank = m->space.rank,
                           .output_rank = is_halo ? 0 : m->space.rank,
                           .input_type = (int32_t)type,
                           .output_type = is_halo ? 0 : (int32_t)type,
                           .axis = is_shift ? shift_axis(m) : slice_dim(m),
                           .offset = is_shift ? shift_offset(m) : 0,
                           .from = has_words ? r->from : NULL,
                           .to = m->kind == TESSERA_SITE_EXCHANGE ? r->to : NULL};
  if (is_shift && m->settings[ROTATE])
    r->site.flags = TESSERA_SITE_ROTATE;
  if (cuts && m->settings[LOCAL_SIZES])
    r->site.flags = TESSERA_SITE_LOCAL_SIZES;
  write_layouts(m, r);
}

/* ---- memory ---------------------------------------------------------------------------------- */

typedef enum sharing { APART, SAME, PARTLY, INTERLEAVED } sharing;

typedef struct memory {
  memref in, out;
  void *owned[2];
} memory;

/* As the call may have it: only a shift's in and out may overlap, but not where it is a copy. */
static sharing find_sharing(const move *m) {
  sharing sharing = (enum sharing)m->settings[SHARING];
  if (sharing == APART || (m->settings[SHARERS] && m->device % 2 == 0))
    return APART;
  if (m->kind != TESSERA_SITE_SHIFT)
    return INTERLEAVED;
  return sharing == PARTLY && m->source == m->device ? APART : sharing;
}

/* Elements of one side between those of the other. */
static memref interleave(const move *m, const int64_t *shape, char *data, int64_t offset) {
  memref result = {.allocated = data, .aligned = data, .offset = offset};
  int64_t stride = 2;
  for (int32_t i = m->space.rank - 1; i >= 0; i--) {
    result.dims[i] = shape[i];
    result.dims[m->space.rank + i] = stride;
    stride *= shape[i];
  }
  return result;
}

static int64_t product(const int64_t *shape, int32_t rank) {
  int64_t result = 1;
  for (int32_t i = 0; i < rank; i++)
    result *= shape[i];
  return result;
}

static memory make_memory(const move *m) {
  memory result = {0};
  int64_t in_shape[MAX_RANK], out_shape[MAX_RANK];
  int32_t rank = m->space.rank;
  sharing sharing = m->kind == TESSERA_SITE_UPDATE_HALO ? SAME : find_sharing(m);
  arrangement in_way = (arrangement)m->settings[IN_ARRANGEMENT];
  local_shape(&m->space, sharing == SAME ? &m->to : &m->from, m->device, in_shape);
  local_shape(&m->space, &m->to, m->device, out_shape);
  if (sharing == INTERLEAVED) {
    int64_t in = product(in_shape, rank), out = product(out_shape, rank);
    size_t bytes = element_of(m) * 2 * (size_t)(in > out ? in : out);
    result.owned[0] = tessera_alloc(bytes);
    if (bytes > 0)
      memset(result.owned[0], 0xa5, bytes);
    result.in = interleave(m, in_shape, result.owned[0], 0);
    result.out = interleave(m, out_shape, result.owned[0], 1);
    return result;
  }
  in_shape[m->first_dim] += sharing == PARTLY; /* one row behind the other */
  result.in = memref_create(rank, in_shape, element_of(m), in_way);
  result.in.dims[m->first_dim] -= sharing == PARTLY;
  result.out = sharing == APART ? memref_create(rank, out_shape, element_of(m),
                                                (arrangement)m->settings[OUT_ARRANGEMENT])
                                : result.in;
  if (sharing == PARTLY)
    result.out.offset += result.in.dims[rank + m->first_dim];
  result.owned[0] = result.in.allocated;
  result.owned[1] = sharing == APART ? result.out.allocated : NULL;
  return result;
}

static void free_memory(memory *memory) {
  tessera_free(memory->owned[0]);
  tessera_free(memory->owned[1]);
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t bits_of_element(const move *m, uint64_t value) {
  return m->settings[TYPE] ? (uint32_t)value : value;
}

static uint64_t value_of(const move *m, int32_t owner, int64_t index) {
  return bits_of_element(m, mix(m->number, (uint64_t)owner * 10000000 + (uint64_t)index));
}

/* What lies in a halo, the same everywhere. */
static uint64_t junk_of(const move *m) {
  return bits_of_element(m, mix(m->number, ~(uint64_t)0));
}

static uint64_t load(const move *m, const memref *memref, int64_t i) {
  uint64_t value = 0;
  memcpy(&value, memref_at(memref, m->space.rank, element_of(m), i), element_of(m));
  return value;
}

/* Of what is shifted every device has its own, else all have pieces of one tensor. */
static void fill(const move *m, const memref *in) {
  bool is_shift = m->kind == TESSERA_SITE_SHIFT;
  const layout *layout = m->kind == TESSERA_SITE_UPDATE_HALO ? &m->to : &m->from;
  for (int64_t i = 0; i < memref_elements(in, m->space.rank); i++) {
    bool in_core;
    int64_t index = global_index(&m->space, layout, m->device, i, &in_core);
    uint64_t value = in_core ? value_of(m, is_shift ? m->device : 0, index) : junk_of(m);
    memcpy(memref_at(in, m->space.rank, element_of(m), i), &value, element_of(m));
  }
}

/* False if an element may have any value; `before` is what it was. */
static bool find_expected(const move *m, int64_t i, uint64_t before, uint64_t *expected) {
  bool in_core;
  int64_t index = global_index(&m->space, &m->to, m->device, i, &in_core);
  *expected = before;
  if (m->kind == TESSERA_SITE_SHIFT && m->source < 0)
    return true;
  if (index >= 0)
    *expected = value_of(m, m->kind == TESSERA_SITE_SHIFT ? m->source : 0, index);
  return index >= 0 || m->kind == TESSERA_SITE_UPDATE_HALO;
}

static void check_result(const move *m, const memref *out, const uint64_t *before) {
  for (int64_t i = 0; i < memref_elements(out, m->space.rank); i++) {
    uint64_t expected, found = load(m, out, i);
    if (!find_expected(m, i, before[i], &expected) || found == expected)
      continue;
    fail_test("device %d: call %llu of kind %d, rank %d, grid %d, group %d: element %lld is wrong",
              m->device, (unsigned long long)m->number, m->kind, m->space.rank, m->settings[GRID],
              m->settings[GROUP], (long long)i);
    return;
  }
}

/* ---- one call -------------------------------------------------------------------------------- */

typedef struct call {
  const move *move;
  const tessera_site *site;
  const memory *memory;
} call;

static void do_call(void *argument) {
  const call *c = argument;
  const int64_t *numbers = c->move->told.num ? c->move->told.values : NULL;
  if (c->move->kind == TESSERA_SITE_SHIFT)
    tessera_rt_shift(c->site, NULL, &c->memory->in, &c->memory->out);
  else if (c->move->kind == TESSERA_SITE_UPDATE_HALO)
    tessera_rt_update_halo(c->site, NULL, &c->memory->in, numbers);
  else if (c->move->kind == TESSERA_SITE_EXCHANGE)
    tessera_rt_exchange(c->site, NULL, &c->memory->in, &c->memory->out, numbers);
  else
    tessera_rt_all_slice(c->site, NULL, &c->memory->in, &c->memory->out);
}

/* Returns the bytes that the call has counted; 0 if it does not count. */
static uint64_t run_call(move *m, records *r, bool counts) {
  tessera_context *context = tessera_context_current();
  tessera_site_traffic traffic = {0, 0};
  write_records(m, r);
  memory memory = make_memory(m);
  fill(m, &memory.in);
  int64_t elements = memref_elements(&memory.out, m->space.rank);
  uint64_t *before = malloc(sizeof(*before) * (size_t)(elements + 1));
  for (int64_t i = 0; i < elements; i++)
    before[i] = load(m, &memory.out, i);
  if (counts)
    tessera_traffic_start(context);
  do_call(&(call){m, &r->site, &memory});
  if (counts)
    EXPECT(tessera_traffic_read(context, &r->site, &traffic) == TESSERA_OK &&
           traffic.calls == (uint64_t)(r->site.index >= 0));
  check_result(m, &memory.out, before);
  free(before);
  free_memory(&memory);
  return traffic.bytes;
}

typedef struct wrong_calls {
  tessera_site sites[8];
  bool tells_nothing[8];
  int count;
} wrong_calls;

static tessera_site *add_wrong(wrong_calls *wrong, const tessera_site *right) {
  wrong->sites[wrong->count] = *right;
  return &wrong->sites[wrong->count++];
}

static wrong_calls find_wrong(const move *m, const tessera_site *right) {
  wrong_calls wrong = {.count = 0};
  add_wrong(&wrong, right)->grid = NULL;
  if (m->kind == TESSERA_SITE_EXCHANGE) {
    wrong.tells_nothing[wrong.count] = m->told.num > 0;
    add_wrong(&wrong, right)->to = m->told.num > 0 ? right->to : NULL;
    add_wrong(&wrong, right)->to = NULL;
  }
  if (right->from)
    add_wrong(&wrong, right)->from = NULL;
  if (m->kind == TESSERA_SITE_UPDATE_HALO) /* which has no output */
    return wrong;
  add_wrong(&wrong, right)->input_type = TESSERA_F64;
  add_wrong(&wrong, right)->output_type = TESSERA_F64;
  add_wrong(&wrong, right)->input_rank--;
  add_wrong(&wrong, right)->output_rank--;
  return wrong;
}

static void expect_refusal(call call, int which) {
  caught caught;
  if (attempt(&caught, do_call, &call) == TESSERA_OK)
    fail_test("device %d: kind %d: wrong call %d is not refused", call.move->device,
              call.move->kind, which);
}

/* A refusal is the end of a context. */
static void begin_anew(void) {
  tessera_context *context;
  EXPECT(tessera_finalize() != TESSERA_OK);
  EXPECT(tessera_default_context(&context) == TESSERA_OK);
}

/* What is wrong is refused before any data is sent, even if all else is as it was: one of the ways
 * to be wrong. */
static void refuse(move *m, records *r, uint64_t number) {
  memory memory = make_memory(m);
  write_records(m, r);
  const tessera_site right = r->site;
  const wrong_calls wrong = find_wrong(m, &right);
  move untold = *m;
  untold.told.num = 0;
  int way = (int)(number % (uint64_t)(wrong.count + (m->kind == TESSERA_SITE_EXCHANGE)));
  if (way < wrong.count) {
    r->site = wrong.sites[way];
    expect_refusal((call){wrong.tells_nothing[way] ? &untold : m, &r->site, &memory}, way);
    r->site = right;
  } else {
    memory.out.dims[m->first_dim]++;
    expect_refusal((call){m, &r->site, &memory}, way);
  }
  begin_anew();
  free_memory(&memory);
}

/* ---- many calls ------------------------------------------------------------------------------ */

/* A program under test: its records, and how many calls it has made. */
typedef struct program {
  records addresses[ADDRESSES];
  uint64_t calls;
  bool counts;
  int32_t device, devices;
} program;

static uint64_t run_settings(program *p, const int *settings) {
  move m;
  describe(settings, p->device, p->devices, &m);
  m.number = p->calls++;
  return run_call(&m, &p->addresses[settings[ADDRESS]], p->counts);
}

/* A call, so often that it is surely remembered, and each that differs from it in one setting
 * between two of it. The same on every rank. */
static void run_around(program *p, int *settings) {
  uint64_t bytes = run_settings(p, settings);
  EXPECT(run_settings(p, settings) == bytes);
  for (int changed = 0; changed < NUM_SETTINGS; changed++) {
    int kept = settings[changed];
    for (int choice = 0; choice < choices[changed]; choice++) {
      settings[changed] = choice;
      if (choice != kept)
        run_settings(p, settings);
      settings[changed] = kept;
      if (choice != kept)
        EXPECT(run_settings(p, settings) == bytes);
    }
  }
}

/* Most rounds are around a call that can be remembered, of pieces that do not take long. */
static void choose_remembered(int *settings, uint64_t round) {
  settings[KIND] = (int)(round % KINDS);
  if (round / KINDS % 4 != 0)
    settings[ROWS] %= ROW_COUNTS - 1;
  if (round / KINDS % 8 == 1)
    return;
  settings[INDEX] %= INDICES - 1;
  settings[GRID] %= GRIDS - 1;
  settings[RANK] %= RANKS - 1;
  settings[LOCAL_SIZES] = 0;
  settings[SHARING] %= PARTLY;
}

static void choose(int *settings, uint64_t round) {
  for (int k = 0; k < NUM_SETTINGS; k++)
    settings[k] = (int)(mix(round, (uint64_t)k) % (uint64_t)choices[k]);
  choose_remembered(settings, round);
}

static void run_rounds(program *p, uint64_t first, uint64_t count) {
  for (uint64_t i = first; i < first + count; i++) {
    int settings[NUM_SETTINGS];
    choose(settings, i);
    run_around(p, settings);
  }
}

/* Calls that are remembered, and then made wrong. */
static void run_refusals(program *p, uint64_t first, uint64_t count) {
  for (uint64_t i = first; i < first + count; i++) {
    move m;
    int settings[NUM_SETTINGS];
    choose(settings, i);
    for (int again = 0; again < 2; again++)
      run_settings(p, settings);
    describe(settings, p->device, p->devices, &m);
    refuse(&m, &p->addresses[settings[ADDRESS]], i / KINDS);
  }
}

/* ---- many types ------------------------------------------------------------------------------ */

enum { TYPE_SITES = 150, TYPE_ROWS = 40, TYPE_COLUMNS = 8 };

/* Each site sends and receives memory of its own strides, in messages and runs that are long enough
 * for either way. */
static void shift_strided(int32_t which, uint64_t number, int32_t device, int32_t devices) {
  enum { MOST = TYPE_ROWS * (TYPE_COLUMNS + 1 + 2 * TYPE_SITES) };
  static const int64_t extent = -1;
  static const int32_t axis = 0;
  static const tessera_grid grid = {sizeof(grid), 1, "all", &extent};
  static int64_t in[MOST], out[MOST];
  tessera_site site = {.struct_size = sizeof(site),
                       .kind = TESSERA_SITE_SHIFT,
                       .name = "shift",
                       .location = "",
                       .grid = &grid,
                       .axes = &axis,
                       .num_axes = 1,
                       .index = 20 + which,
                       .input_rank = 2,
                       .output_rank = 2,
                       .input_type = TESSERA_I64,
                       .output_type = TESSERA_I64,
                       .flags = TESSERA_SITE_ROTATE,
                       .offset = 1};
  int64_t in_stride = TYPE_COLUMNS + 1 + 2 * which, out_stride = in_stride + 1;
  memref from = {in, (char *)in, 0, {TYPE_ROWS, TYPE_COLUMNS, in_stride, 1}};
  memref to = {out, (char *)out, 0, {TYPE_ROWS, TYPE_COLUMNS, out_stride, 1}};
  int32_t source = (device + devices - 1) % devices;
  bool is_right = true;
  memset(out, 0xa5, sizeof(out));
  for (int64_t i = 0; i < MOST; i++)
    in[i] = (int64_t)mix(number, (uint64_t)(device * MOST + i));
  tessera_rt_shift(&site, NULL, &from, &to);
  for (int64_t i = 0; i < TYPE_ROWS * out_stride; i++) {
    int64_t row = i / out_stride, column = i % out_stride, expected;
    memset(&expected, 0xa5, sizeof(expected));
    if (column < TYPE_COLUMNS)
      expected = (int64_t)mix(number, (uint64_t)(source * MOST + row * in_stride + column));
    is_right = is_right && out[i] == expected;
  }
  if (!is_right)
    fail_test("device %d: shift %d of strided memory is wrong", device, (int)which);
}

/* More than are kept at once: in order, so that none is there any more; one among them that is
 * always there; then in any order. */
static void many_types(int32_t device, int32_t devices) {
  for (uint64_t i = 0; i < 5 * TYPE_SITES; i++) {
    bool in_order = i < 3 * TYPE_SITES;
    shift_strided((int32_t)((in_order ? i : mix(i, 3)) % TYPE_SITES), 2 * i, device, devices);
    shift_strided(0, 2 * i + 1, device, devices);
  }
}

/* MPI is the test's own, so the runtime may end and begin again. */
int main(int argc, char **argv) {
  enum { LIVES = 2 };
  uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
  int status = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &(int){0});
  for (uint64_t life = 0; life < LIVES && !status; life++) {
    static program program;
    tessera_context *context;
    EXPECT(tessera_default_context(&context) == TESSERA_OK);
    program.counts = life > 0;
    program.device = tessera_context_rank(context);
    program.devices = tessera_context_size(context);
    run_rounds(&program, life * rounds, rounds);
    if (life == 0)
      run_refusals(&program, rounds, rounds < 40 ? rounds : 40);
    if (life == 0)
      many_types(program.device, program.devices);
    status = finish_tests(); /* ends the runtime, not MPI */
  }
  MPI_Finalize();
  return status;
}
