/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Times each collective of the runtime beside what a program would write with MPI: derived
 * datatypes, packing by hand, the direct call. It knows the public ABI and MPI alone. */
#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/runtime.h"

enum { MOST_RANKS = 16, MOST_MESSAGES = 2 * MOST_RANKS, MOST_PHASES = 2, MOST_ROUNDS = 1001 };
enum { OURS, TYPES, PACKED, DIRECT, NUM_WAYS };
static const char *const way_names[NUM_WAYS] = {"ours", "types", "packed", "direct"};

/* ---- what is moved, as a program with MPI sees it -------------------------------------------- */

/* `rows` runs of `run` bytes, `stride` bytes from one to the next. */
typedef struct block {
  char *base;
  int64_t rows, run, stride;
} block;

typedef struct message {
  bool is_send;
  int peer; /* this rank itself: a copy of the send that follows the receive */
  block block;
  char *packed;
  MPI_Datatype type;
} message;

typedef struct phase {
  int count;
  message messages[MOST_MESSAGES];
} phase;

typedef struct memref {
  void *allocated;
  char *aligned;
  int64_t offset, dims[4]; /* sizes, then strides */
} memref;

typedef struct scenario scenario;

typedef struct kind {
  const char *name;
  tessera_site_kind site;
  int64_t run; /* bytes of contiguous runs; 0: all of it */
  void (*describe)(scenario *scenario);
  void (*direct)(const scenario *scenario);
} kind;

/* One kind at one size. `piece` is what one rank contributes or receives: rows x width floats. */
struct scenario {
  const kind *kind;
  int rank, size;
  int64_t piece, rows, width; /* bytes, rows, floats of a row */
  char *in, *out;
  size_t in_bytes, out_bytes;
  memref in_view, out_view;
  int32_t axis, concat_axis;
  int num_phases;
  phase phases[MOST_PHASES];
  MPI_Datatype column; /* a column block of the wide side, resized to its width */
  int64_t halos[4], words[8];
  int64_t extents[2];
  tessera_grid grid;
  tessera_site site;
};

static memref view(char *data, int64_t rows, int64_t columns) {
  return (memref){data, data, 0, {rows, columns, columns, 1}};
}

static void add(phase *phase, bool is_send, int peer, char *base, int64_t rows, int64_t run,
                int64_t stride) {
  phase->messages[phase->count++] =
      (message){is_send, peer, {base, rows, run, stride}, NULL, MPI_DATATYPE_NULL};
}

static void allocate(scenario *s, int64_t in_floats, int64_t out_floats) {
  s->in_bytes = (size_t)in_floats * sizeof(float);
  s->out_bytes = (size_t)out_floats * sizeof(float);
  s->in = tessera_alloc(s->in_bytes);
  s->out = tessera_alloc(s->out_bytes);
  for (int64_t i = 0; i < in_floats; i++)
    ((float *)s->in)[i] = (float)((i * 7 + s->rank * 3) % 97);
  memset(s->out, 0, s->out_bytes);
}

/* ---- kinds: shapes and messages -------------------------------------------------------------- */

/* rows x width on every rank beside one another: rows x (size * width). With width = piece, rows
 * are one and all is contiguous. */
static void describe_gather(scenario *s) {
  bool is_rooted = s->site.kind == TESSERA_SITE_GATHER;
  int64_t run = s->width * 4, wide = run * s->size;
  phase *p = &s->phases[s->num_phases++];
  allocate(s, s->rows * s->width, s->rows * s->width * s->size);
  s->in_view = view(s->in, s->rows, s->width);
  s->out_view = view(s->out, s->rows, s->width * s->size);
  s->axis = 1;
  for (int i = 0; i < s->size; i++) {
    if (!is_rooted || s->rank == 0)
      add(p, false, i, s->out + i * run, s->rows, run, wide);
    if (!is_rooted || i == 0)
      add(p, true, i, s->in, 1, s->piece, s->piece);
  }
}

static void describe_scatter(scenario *s) {
  int64_t run = s->width * 4, wide = run * s->size;
  phase *p = &s->phases[s->num_phases++];
  allocate(s, s->rows * s->width * s->size, s->rows * s->width);
  s->in_view = view(s->in, s->rows, s->width * s->size);
  s->out_view = view(s->out, s->rows, s->width);
  s->axis = 1;
  add(p, false, 0, s->out, 1, s->piece, s->piece);
  for (int i = 0; s->rank == 0 && i < s->size; i++)
    add(p, true, i, s->in + i * run, s->rows, run, wide);
}

/* (size * rows) x width to rows x (size * width). */
static void describe_join_columns(scenario *s) {
  int64_t run = s->width * 4, wide = run * s->size;
  phase *p = &s->phases[s->num_phases++];
  allocate(s, s->rows * s->width * s->size, s->rows * s->width * s->size);
  s->in_view = view(s->in, s->rows * s->size, s->width);
  s->out_view = view(s->out, s->rows, s->width * s->size);
  s->concat_axis = 1;
  for (int i = 0; i < s->size; i++) {
    add(p, false, i, s->out + i * run, s->rows, run, wide);
    add(p, true, i, s->in + i * s->piece, 1, s->piece, s->piece);
  }
}

/* rows x (size * width) to (size * rows) x width. */
static void describe_split_columns(scenario *s) {
  int64_t run = s->width * 4, wide = run * s->size;
  phase *p = &s->phases[s->num_phases++];
  allocate(s, s->rows * s->width * s->size, s->rows * s->width * s->size);
  s->in_view = view(s->in, s->rows, s->width * s->size);
  s->out_view = view(s->out, s->rows * s->size, s->width);
  s->axis = 1;
  for (int i = 0; i < s->size; i++) {
    add(p, false, i, s->out + i * s->piece, 1, s->piece, s->piece);
    add(p, true, i, s->in + i * run, s->rows, run, wide);
  }
}

static void describe_whole(scenario *s) {
  allocate(s, s->rows * s->width, s->rows * s->width);
  s->in_view = view(s->in, s->rows, s->width);
  s->out_view = view(s->out, s->rows, s->width);
}

static void describe_reduce_scatter(scenario *s) {
  allocate(s, s->rows * s->width * s->size, s->rows * s->width);
  s->in_view = view(s->in, s->rows, s->width * s->size);
  s->out_view = view(s->out, s->rows, s->width);
  s->axis = 1;
}

/* To the next rank around the ring: the left half of rows twice as wide, or all of dense ones. */
static void describe_shift(scenario *s) {
  int64_t run = s->width * 4, wide = s->rows == 1 ? run : 2 * run;
  phase *p = &s->phases[s->num_phases++];
  allocate(s, s->rows * wide / 4, s->rows * wide / 4);
  s->in_view = (memref){s->in, s->in, 0, {s->rows, s->width, wide / 4, 1}};
  s->out_view = (memref){s->out, s->out, 0, {s->rows, s->width, wide / 4, 1}};
  s->site.offset = 1;
  s->site.flags = TESSERA_SITE_ROTATE;
  add(p, false, (s->rank + s->size - 1) % s->size, s->out, s->rows, run, wide);
  add(p, true, (s->rank + 1) % s->size, s->in, s->rows, run, wide);
}

/* The borders along one dimension of rows x columns floats between ranks at `place` of `count`,
 * `step` ranks apart; `depth` rows or columns each way. */
static void add_borders(scenario *s, int dim, int64_t rows, int64_t columns, int64_t depth,
                        int place, int count, int step) {
  phase *p = &s->phases[s->num_phases++];
  int64_t length = dim == 0 ? rows : columns;
  int64_t unit = dim == 0 ? columns * 4 : 4, stride = columns * 4;
  int64_t block_rows = dim == 0 ? 1 : rows, run = depth * unit;
  if (place > 0) {
    add(p, false, s->rank - step, s->in, block_rows, run, stride);
    add(p, true, s->rank - step, s->in + depth * unit, block_rows, run, stride);
  }
  if (place + 1 < count) {
    add(p, false, s->rank + step, s->in + (length - depth) * unit, block_rows, run, stride);
    add(p, true, s->rank + step, s->in + (length - 2 * depth) * unit, block_rows, run, stride);
  }
}

static void describe_halo(scenario *s, int64_t rows, int64_t columns, int64_t depth) {
  allocate(s, rows * columns, 1);
  s->in_view = view(s->in, rows, columns);
  for (int i = 0; i < 4; i++)
    s->halos[i] = depth;
}

static void describe_row_halo(scenario *s) {
  describe_halo(s, 6, s->piece / 4, 1);
  memcpy(s->words, (int64_t[]){1, 1, 0}, 3 * sizeof(int64_t));
  add_borders(s, 0, 6, s->piece / 4, 1, s->rank, s->size, 1);
}

static void describe_column_halo(scenario *s) {
  describe_halo(s, s->rows, 6 * s->width, s->width);
  memcpy(s->words, (int64_t[]){2, 0, 1, 0}, 4 * sizeof(int64_t));
  add_borders(s, 1, s->rows, 6 * s->width, s->width, s->rank, s->size, 1);
}

/* A square tile on a grid of two columns; one row and one column of floats around it. */
static void describe_tile_halo(scenario *s) {
  int64_t side = s->piece / 4 + 2;
  describe_halo(s, side, side, 1);
  s->extents[0] = s->size / 2;
  s->extents[1] = 2;
  s->grid.rank = 2;
  s->site.num_axes = 2;
  memcpy(s->words, (int64_t[]){2, 1, 0, 1, 1}, 5 * sizeof(int64_t));
  int columns = (int)s->extents[1];
  add_borders(s, 0, side, side, 1, s->rank / columns, (int)s->extents[0], columns);
  add_borders(s, 1, side, side, 1, s->rank % columns, columns, 1);
}

/* ---- ours ------------------------------------------------------------------------------------ */

static void call_ours(const scenario *s) {
  static const int64_t root = 0;
  const void *in = &s->in_view, *out = &s->out_view;
  switch (s->site.kind) {
  case TESSERA_SITE_ALL_GATHER:
    tessera_rt_all_gather(&s->site, NULL, in, out);
    break;
  case TESSERA_SITE_ALL_TO_ALL:
    tessera_rt_all_to_all(&s->site, NULL, in, out);
    break;
  case TESSERA_SITE_ALL_REDUCE:
    tessera_rt_all_reduce(&s->site, NULL, in, out);
    break;
  case TESSERA_SITE_REDUCE_SCATTER:
    tessera_rt_reduce_scatter(&s->site, NULL, in, out);
    break;
  case TESSERA_SITE_BROADCAST:
    tessera_rt_broadcast(&s->site, NULL, in, out, &root);
    break;
  case TESSERA_SITE_GATHER:
    tessera_rt_gather(&s->site, NULL, in, out, &root);
    break;
  case TESSERA_SITE_SCATTER:
    tessera_rt_scatter(&s->site, NULL, in, out, &root);
    break;
  case TESSERA_SITE_REDUCE:
    tessera_rt_reduce(&s->site, NULL, in, out, &root);
    break;
  case TESSERA_SITE_SHIFT:
    tessera_rt_shift(&s->site, NULL, in, out);
    break;
  default:
    tessera_rt_update_halo(&s->site, NULL, in, s->halos);
    break;
  }
}

/* ---- by hand --------------------------------------------------------------------------------- */

static void copy_block(const block *from, const block *to) {
  int64_t run = from->run < to->run ? from->run : to->run;
  int64_t from_parts = from->run / run, to_parts = to->run / run;
  for (int64_t i = 0; i < from->rows * from_parts; i++)
    memcpy(to->base + i / to_parts * to->stride + i % to_parts * run,
           from->base + i / from_parts * from->stride + i % from_parts * run, (size_t)run);
}

static bool is_contiguous(const block *block) {
  return block->rows == 1 || block->run == block->stride;
}

static void pack(const message *message) {
  const block *b = &message->block;
  for (int64_t i = 0; i < b->rows; i++)
    memcpy(message->packed + i * b->run, b->base + i * b->stride, (size_t)b->run);
}

static void unpack(const message *message) {
  const block *b = &message->block;
  for (int64_t i = 0; i < b->rows; i++)
    memcpy(b->base + i * b->stride, message->packed + i * b->run, (size_t)b->run);
}

/* A rank's own piece is a copy: its receive stands before its send. */
static void copy_own(const scenario *s, const phase *p) {
  for (int i = 0; i < p->count; i++)
    for (int k = 0; !p->messages[i].is_send && p->messages[i].peer == s->rank && k < p->count; k++)
      if (p->messages[k].is_send && p->messages[k].peer == s->rank)
        copy_block(&p->messages[k].block, &p->messages[i].block);
}

static void run_phase(const scenario *s, const phase *p, int way) {
  MPI_Request requests[MOST_MESSAGES];
  int count = 0;
  for (int i = 0; i < p->count; i++) {
    const message *m = &p->messages[i];
    bool packs = way == PACKED && !is_contiguous(&m->block);
    char *data = packs ? m->packed : m->block.base;
    int items = way == TYPES ? 1 : (int)(m->block.rows * m->block.run);
    MPI_Datatype type = way == TYPES ? m->type : MPI_BYTE;
    if (m->peer == s->rank)
      continue;
    if (m->is_send && packs)
      pack(m);
    if (m->is_send)
      MPI_Isend(data, items, type, m->peer, 7, MPI_COMM_WORLD, &requests[count++]);
    else
      MPI_Irecv(data, items, type, m->peer, 7, MPI_COMM_WORLD, &requests[count++]);
  }
  copy_own(s, p);
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; way == PACKED && i < p->count; i++)
    if (!p->messages[i].is_send && p->messages[i].peer != s->rank &&
        !is_contiguous(&p->messages[i].block))
      unpack(&p->messages[i]);
}

/* ---- direct calls ---------------------------------------------------------------------------- */

static void direct_all_gather(const scenario *s) {
  MPI_Allgather(s->in, (int)s->piece, MPI_BYTE, s->out, 1, s->column, MPI_COMM_WORLD);
}

static void direct_gather(const scenario *s) {
  MPI_Gather(s->in, (int)s->piece, MPI_BYTE, s->out, 1, s->column, 0, MPI_COMM_WORLD);
}

static void direct_scatter(const scenario *s) {
  MPI_Scatter(s->in, 1, s->column, s->out, (int)s->piece, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void direct_join_columns(const scenario *s) {
  MPI_Alltoall(s->in, (int)s->piece, MPI_BYTE, s->out, 1, s->column, MPI_COMM_WORLD);
}

static void direct_split_columns(const scenario *s) {
  MPI_Alltoall(s->in, 1, s->column, s->out, (int)s->piece, MPI_BYTE, MPI_COMM_WORLD);
}

static void direct_all_reduce(const scenario *s) {
  MPI_Allreduce(s->in, s->out, (int)(s->piece / 4), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void direct_reduce(const scenario *s) {
  MPI_Reduce(s->in, s->out, (int)(s->piece / 4), MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void direct_broadcast(const scenario *s) {
  if (s->rank == 0)
    memcpy(s->out, s->in, (size_t)s->piece);
  MPI_Bcast(s->out, (int)s->piece, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* Columns are brought together first: MPI reduces nothing strided in one call. */
static void direct_reduce_scatter(const scenario *s) {
  static char *memory;
  static size_t capacity;
  char *from = s->in;
  if (s->rows > 1) {
    if (capacity < s->in_bytes) {
      tessera_free(memory);
      memory = tessera_alloc(capacity = s->in_bytes);
    }
    for (int64_t i = 0; i < s->rows * s->size; i++)
      memcpy(memory + i * s->width * 4,
             s->in + (i % s->rows * s->size + i / s->rows) * s->width * 4, (size_t)s->width * 4);
    from = memory;
  }
  MPI_Reduce_scatter_block(from, s->out, (int)(s->piece / 4), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void direct_shift(const scenario *s) {
  MPI_Datatype type = s->phases[0].messages[0].type;
  MPI_Sendrecv(s->in, 1, type, (s->rank + 1) % s->size, 8, s->out, 1, type,
               (s->rank + s->size - 1) % s->size, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static const kind kinds[] = {
    {"all_gather", TESSERA_SITE_ALL_GATHER, 0, describe_gather, direct_all_gather},
    {"all_gather, runs of 4", TESSERA_SITE_ALL_GATHER, 4, describe_gather, direct_all_gather},
    {"all_gather, runs of 64", TESSERA_SITE_ALL_GATHER, 64, describe_gather, direct_all_gather},
    {"all_gather, runs of 1024", TESSERA_SITE_ALL_GATHER, 1024, describe_gather, direct_all_gather},
    {"all_gather, runs of 16384", TESSERA_SITE_ALL_GATHER, 16384, describe_gather,
     direct_all_gather},
    {"all_to_all", TESSERA_SITE_ALL_TO_ALL, 0, describe_join_columns, direct_join_columns},
    {"all_to_all to runs of 64", TESSERA_SITE_ALL_TO_ALL, 64, describe_join_columns,
     direct_join_columns},
    {"all_to_all to runs of 4096", TESSERA_SITE_ALL_TO_ALL, 4096, describe_join_columns,
     direct_join_columns},
    {"all_to_all from runs of 64", TESSERA_SITE_ALL_TO_ALL, 64, describe_split_columns,
     direct_split_columns},
    {"all_to_all from runs of 4096", TESSERA_SITE_ALL_TO_ALL, 4096, describe_split_columns,
     direct_split_columns},
    {"all_reduce", TESSERA_SITE_ALL_REDUCE, 0, describe_whole, direct_all_reduce},
    {"reduce_scatter", TESSERA_SITE_REDUCE_SCATTER, 0, describe_reduce_scatter,
     direct_reduce_scatter},
    {"reduce_scatter, runs of 256", TESSERA_SITE_REDUCE_SCATTER, 256, describe_reduce_scatter,
     direct_reduce_scatter},
    {"reduce", TESSERA_SITE_REDUCE, 0, describe_whole, direct_reduce},
    {"broadcast", TESSERA_SITE_BROADCAST, 0, describe_whole, direct_broadcast},
    {"gather", TESSERA_SITE_GATHER, 0, describe_gather, direct_gather},
    {"gather, runs of 256", TESSERA_SITE_GATHER, 256, describe_gather, direct_gather},
    {"scatter", TESSERA_SITE_SCATTER, 0, describe_scatter, direct_scatter},
    {"scatter, runs of 256", TESSERA_SITE_SCATTER, 256, describe_scatter, direct_scatter},
    {"shift", TESSERA_SITE_SHIFT, 0, describe_shift, direct_shift},
    {"shift, runs of 256", TESSERA_SITE_SHIFT, 256, describe_shift, direct_shift},
    {"update_halo of rows", TESSERA_SITE_UPDATE_HALO, 0, describe_row_halo, NULL},
    {"update_halo of columns of 4", TESSERA_SITE_UPDATE_HALO, 4, describe_column_halo, NULL},
    {"update_halo of columns of 64", TESSERA_SITE_UPDATE_HALO, 64, describe_column_halo, NULL},
    {"update_halo of columns of 4096", TESSERA_SITE_UPDATE_HALO, 4096, describe_column_halo, NULL},
    {"update_halo of tiles", TESSERA_SITE_UPDATE_HALO, 0, describe_tile_halo, NULL},
};

/* ---- one scenario ---------------------------------------------------------------------------- */

static void start_types(scenario *s) {
  MPI_Datatype block;
  MPI_Type_vector((int)s->rows, (int)(s->width * 4), (int)(s->width * 4 * s->size), MPI_BYTE,
                  &block);
  MPI_Type_create_resized(block, 0, s->width * 4, &s->column);
  MPI_Type_commit(&s->column);
  MPI_Type_free(&block);
  for (int p = 0; p < s->num_phases; p++)
    for (int i = 0; i < s->phases[p].count; i++) {
      message *m = &s->phases[p].messages[i];
      MPI_Type_vector((int)m->block.rows, (int)m->block.run, (int)m->block.stride, MPI_BYTE,
                      &m->type);
      MPI_Type_commit(&m->type);
      if (!is_contiguous(&m->block))
        m->packed = tessera_alloc((size_t)(m->block.rows * m->block.run));
    }
}

static void start_scenario(scenario *s, const kind *kind, int64_t piece) {
  static const int32_t axes[] = {0, 1};
  memset(s, 0, sizeof(*s));
  s->kind = kind;
  MPI_Comm_rank(MPI_COMM_WORLD, &s->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &s->size);
  s->piece = piece;
  s->width = (kind->run ? kind->run : piece) / 4;
  s->rows = piece / (s->width * 4);
  s->extents[0] = s->size;
  s->grid = (tessera_grid){sizeof(s->grid), 1, "g", s->extents};
  s->site = (tessera_site){.struct_size = sizeof(s->site),
                           .kind = kind->site,
                           .name = kind->name,
                           .location = "",
                           .grid = &s->grid,
                           .axes = axes,
                           .num_axes = 1,
                           .index = 0,
                           .input_rank = 2,
                           .output_rank = 2,
                           .input_type = TESSERA_F32,
                           .output_type = TESSERA_F32};
  bool reduces = kind->site == TESSERA_SITE_ALL_REDUCE || kind->site == TESSERA_SITE_REDUCE ||
                 kind->site == TESSERA_SITE_REDUCE_SCATTER;
  s->site.reduction = reduces ? TESSERA_SUM : TESSERA_REDUCTION_NONE;
  kind->describe(s);
  s->site.axis = s->axis;
  s->site.concat_axis = s->concat_axis;
  if (kind->site == TESSERA_SITE_GATHER || kind->site == TESSERA_SITE_SCATTER)
    s->site.flags |= TESSERA_SITE_EVEN_SIZES;
  s->site.from = s->words;
  start_types(s);
}

static void end_scenario(scenario *s) {
  for (int p = 0; p < s->num_phases; p++)
    for (int i = 0; i < s->phases[p].count; i++) {
      MPI_Type_free(&s->phases[p].messages[i].type);
      tessera_free(s->phases[p].messages[i].packed);
    }
  MPI_Type_free(&s->column);
  tessera_free(s->in);
  tessera_free(s->out);
}

static bool has_way(const scenario *s, int way) {
  if (way == TYPES || way == PACKED)
    return s->num_phases > 0 && (way == PACKED || s->kind->run || s->num_phases > 1);
  return way == OURS || s->kind->direct;
}

static void run_way(const scenario *s, int way) {
  if (way == OURS)
    call_ours(s);
  else if (way == DIRECT)
    s->kind->direct(s);
  for (int p = 0; (way == TYPES || way == PACKED) && p < s->num_phases; p++)
    run_phase(s, &s->phases[p], way);
}

/* Every way must leave the same bytes; only then are times worth a look. */
static bool ways_agree(const scenario *s) {
  bool agree = true, in_place = s->site.kind == TESSERA_SITE_UPDATE_HALO;
  char *result = in_place ? s->in : s->out, *first = NULL;
  size_t bytes = in_place ? s->in_bytes : s->out_bytes;
  for (int way = 0; way < NUM_WAYS; way++) {
    if (!has_way(s, way))
      continue;
    memset(s->out, 0, s->out_bytes);
    run_way(s, way);
    if (!first && (first = malloc(bytes)))
      memcpy(first, result, bytes);
    agree = agree && first && memcmp(first, result, bytes) == 0;
  }
  free(first);
  return agree;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The ways in an order that every rank has alike and every round anew: what ran before leaves the
 * caches warm or cold for what comes next, and must not always be the same. The generator is
 * Marsaglia's xorshift ("Xorshift RNGs", 2003). */
static void order_ways(uint32_t *random, int *order) {
  for (int i = 0; i < NUM_WAYS; i++) {
    *random ^= *random << 13;
    *random ^= *random >> 17;
    *random ^= *random << 5;
    int at = (int)(*random % (uint32_t)(i + 1));
    if (at < i)
      order[i] = order[at];
    order[at] = i;
  }
}

/* The runtime tries several ways in the first calls, and again after some: it is timed when it has
 * settled, of long calls after two trials. */
static void settle(const scenario *s) {
  for (int i = s->piece <= 1 << 22 ? 200 : 96; i > 0; i--)
    run_way(s, OURS);
}

/* Some MPIs keep their core as long as they wait: where ranks share cores, one that is still there
 * would take it from those that are timed already. */
static void meet(void) {
  MPI_Request request;
  int is_done = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  while (MPI_Test(&request, &is_done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !is_done)
    sched_yield();
}

/* Microseconds a call: the slowest rank of each round, the median of the rounds. */
static void time_ways(const scenario *s, int rounds, double *medians) {
  static double times[NUM_WAYS][MOST_ROUNDS];
  int repeats = s->piece <= 4096 ? 100 : s->piece <= 1 << 17 ? 20 : s->piece <= 1 << 20 ? 4 : 1;
  /* Single calls take either of two times, up to thrice as long, for some seconds: a few rounds
   * have their median in one or the other by chance. */
  int factor = repeats > 1 || s->piece > 1 << 24 ? 1 : s->piece <= 1 << 22 ? 5 : 3;
  rounds = rounds * factor < MOST_ROUNDS ? rounds * factor : MOST_ROUNDS;
  int order[NUM_WAYS];
  uint32_t random = 1;
  settle(s);
  for (int round = 0; round < rounds; round++) {
    order_ways(&random, order);
    for (int i = 0; i < NUM_WAYS; i++) {
      int way = order[i];
      if (!has_way(s, way))
        continue;
      meet();
      double start = MPI_Wtime();
      for (int k = 0; k < repeats; k++)
        run_way(s, way);
      double time = (MPI_Wtime() - start) / repeats * 1e6;
      MPI_Allreduce(&time, &times[way][round], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
  }
  for (int way = 0; way < NUM_WAYS; way++) {
    qsort(times[way], (size_t)rounds, sizeof(double), ascending);
    medians[way] = has_way(s, way) ? times[way][rounds / 2] : 0;
  }
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* What ours takes as a multiple of the faster way by hand, or of the direct call; 0: there is none.
 */
static double beside_hand(const double *medians) {
  double best = medians[PACKED];
  if (medians[TYPES] > 0 && medians[TYPES] < best)
    best = medians[TYPES];
  return best > 0 ? medians[OURS] / best : 0;
}

static double beside_direct(const double *medians) {
  return medians[DIRECT] > 0 ? medians[OURS] / medians[DIRECT] : 0;
}

static void print_number(double number) {
  if (number > 0)
    printf(" %10.2f", number);
  else
    printf(" %10s", "-");
}

static void print_row(const scenario *s, const double *medians) {
  printf("%-32s %9lld", s->kind->name, (long long)s->piece);
  for (int way = 0; way < NUM_WAYS; way++)
    print_number(medians[way]);
  print_number(beside_hand(medians));
  print_number(beside_direct(medians));
  printf("\n");
  fflush(stdout);
}

/* False where the ways have different results. */
static bool time_row(scenario *s, const kind *kind, int64_t piece, int rounds, double *medians) {
  start_scenario(s, kind, piece);
  bool agree = ways_agree(s);
  time_ways(s, rounds, medians);
  if (!agree)
    printf("rank %d: the ways of %s, %lld bytes, have different results\n", s->rank, kind->name,
           (long long)piece);
  end_scenario(s);
  return agree;
}

enum { TIMINGS = 5, TALLIES = 2 };
static const double level = 1.1;

/* Rows beside the better way by hand, or the direct call. */
typedef struct tally {
  const char *beside;
  double (*ratio)(const double *medians);
  int rows, level_at_once, level_by_median;
  double worst; /* median */
} tally;

static void count_row(tally *tally, double *ratios, bool prints) {
  double first = ratios[0], median = first;
  if (first == 0)
    return;
  if (first > level) {
    qsort(ratios, TIMINGS, sizeof(double), ascending);
    median = ratios[TIMINGS / 2];
    if (prints)
      printf("    %s, %d timings: %.2f to %.2f, median %.2f\n", tally->beside, TIMINGS, ratios[0],
             ratios[TIMINGS - 1], median);
  }
  tally->rows++;
  tally->level_at_once += first <= level;
  tally->level_by_median += first > level && median <= level;
  tally->worst = median > tally->worst ? median : tally->worst;
}

/* A ratio over the limit may be the moment's: such a row is timed again, and the median of all its
 * timings is what counts. False where the ways have different results. */
static bool run_row(scenario *s, const kind *kind, int64_t piece, int rounds, bool prints,
                    tally *tallies) {
  double ratios[TALLIES][TIMINGS], medians[NUM_WAYS];
  bool agree = true, is_over = false;
  for (int k = 0; k == 0 || (is_over && k < TIMINGS); k++) {
    agree = time_row(s, kind, piece, rounds, medians) && agree;
    for (int i = 0; i < TALLIES; i++)
      ratios[i][k] = tallies[i].ratio(medians);
    if (k > 0)
      continue;
    if (prints)
      print_row(s, medians);
    for (int i = 0; i < TALLIES; i++)
      is_over = is_over || ratios[i][0] > level;
    MPI_Bcast(&is_over, 1, MPI_C_BOOL, 0, MPI_COMM_WORLD);
  }
  for (int i = 0; i < TALLIES; i++)
    count_row(&tallies[i], ratios[i], prints);
  return agree;
}

static void print_tally(const tally *tally) {
  printf("%d rows %s: %d within %.2f, %d more by the median of %d timings, largest median %.2f\n",
         tally->rows, tally->beside, tally->level_at_once, level, tally->level_by_median, TIMINGS,
         tally->worst);
}

/* One row, as compiled programs make their calls: inside an attempt. */
typedef struct row {
  const kind *kind;
  int64_t piece;
  int rounds;
  bool prints, is_right;
  tally *tallies;
} row;

static void run_one(void *data) {
  static scenario s;
  row *row = data;
  row->is_right = run_row(&s, row->kind, row->piece, row->rounds, row->prints, row->tallies);
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 21;
  const char *filter = argc > 2 ? argv[2] : "";
  int64_t least = argc > 3 ? atoll(argv[3]) : 8, most = argc > 4 ? atoll(argv[4]) : 64 << 20;
  tessera_context *context;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &(int){0});
  if (tessera_default_context(&context)) {
    fprintf(stderr, "%s\n", tessera_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  bool prints = tessera_context_rank(context) == 0, wrong = false;
  bool has_two_columns = tessera_context_size(context) % 2 == 0;
  tally tallies[TALLIES] = {{"beside the better way by hand", beside_hand, 0, 0, 0, 0},
                            {"beside the direct call", beside_direct, 0, 0, 0, 0}};
  rounds = rounds < 1 ? 1 : rounds > MOST_ROUNDS ? MOST_ROUNDS : rounds;
  if (prints) {
    printf("%s, %d ranks, medians of %d interleaved rounds or more, microseconds a call\n%-32s %9s",
           tessera_context_backend(context), (int)tessera_context_size(context), rounds, "",
           "bytes");
    for (int way = 0; way < NUM_WAYS; way++)
      printf(" %10s", way_names[way]);
    printf(" %10s %10s\n", "/by hand", "/direct");
  }
  for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
    for (int64_t piece = 8; piece <= 64 << 20; piece = piece < 16 << 20 ? 8 * piece : 4 * piece) {
      bool is_tile = kinds[k].describe == describe_tile_halo;
      if (!strstr(kinds[k].name, filter) || piece < least || piece > most ||
          piece < 2 * kinds[k].run || (is_tile && (piece > 1 << 15 || !has_two_columns)))
        continue;
      row row = {&kinds[k], piece, rounds, prints, false, tallies};
      wrong = tessera_attempt(context, run_one, &row) || !row.is_right || wrong;
    }
  for (int i = 0; prints && i < TALLIES; i++)
    print_tally(&tallies[i]);
  tessera_finalize();
  MPI_Finalize();
  return wrong;
}
