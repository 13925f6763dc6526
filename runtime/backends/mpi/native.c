/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* MPI's own collectives, where they mean what ours mean and are faster: a row of a table each.
 * It must not know grids, nor how messages travel. */
#include <stdlib.h>
#include <string.h>

#include "backends/mpi/state.h"
#include "devices/host/host.h"

/* ---- reductions --------------------------------------------------------------------------------
 */

/* Where MPI's own reduction surely means what ours does. Left out: floating-point minima and
 * maxima, because MPI does not say what becomes of a NaN; narrow integers, whose sums saturate in
 * Open MPI 4.1's vector code; unsigned ones, which MPICH 4.0 compares with a sign. */
static bool native_type(tessera_dtype type, MPI_Datatype *native) {
  switch (type) {
  case TESSERA_I32:
    *native = MPI_INT32_T;
    return true;
  case TESSERA_I64:
  case TESSERA_INDEX:
    *native = MPI_INT64_T;
    return true;
  case TESSERA_F32:
    *native = MPI_FLOAT;
    return true;
  case TESSERA_F64:
    *native = MPI_DOUBLE;
    return true;
  default:
    return false;
  }
}

static bool native_operation(tessera_dtype type, tessera_reduction reduction, MPI_Op *native) {
  bool is_float = type == TESSERA_F32 || type == TESSERA_F64;
  switch (reduction) {
  case TESSERA_SUM:
    *native = MPI_SUM;
    return true;
  case TESSERA_PRODUCT:
    *native = MPI_PROD;
    return true;
  case TESSERA_MAX:
    *native = MPI_MAX;
    return !is_float;
  case TESSERA_MIN:
    *native = MPI_MIN;
    return !is_float;
  case TESSERA_AND:
    *native = MPI_BAND;
    return !is_float;
  case TESSERA_OR:
    *native = MPI_BOR;
    return !is_float;
  case TESSERA_XOR:
    *native = MPI_BXOR;
    return !is_float;
  default:
    return false;
  }
}

static bool find_native(tessera_dtype type, tessera_reduction reduction, MPI_Datatype *native,
                        MPI_Op *operation) {
  return native_type(type, native) && native_operation(type, reduction, operation);
}

/* ---- calls -------------------------------------------------------------------------------------
 */

/* One side of a call: memory in which members' parts lie behind each other, or one part. */
typedef struct side {
  char *data;
  int count;   /* of one part: the only one, or each of even ones */
  int *counts; /* of uneven ones */
  int *places;
  bool is_copy; /* not the program's own memory */
} side;

typedef struct native_call {
  side in, out;
  MPI_Datatype unit; /* of counts and places */
  size_t unit_bytes;
  MPI_Op operation;
  int root;
  MPI_Comm comm;
} native_call;

static int all_gather_even(const native_call *c) {
  return MPI_Allgather(c->in.data, c->in.count, c->unit, c->out.data, c->out.count, c->unit,
                       c->comm);
}

static int all_gather_uneven(const native_call *c) {
  return MPI_Allgatherv(c->in.data, c->in.count, c->unit, c->out.data, c->out.counts, c->out.places,
                        c->unit, c->comm);
}

static int all_to_all_even(const native_call *c) {
  return MPI_Alltoall(c->in.data, c->in.count, c->unit, c->out.data, c->out.count, c->unit,
                      c->comm);
}

static int all_to_all_uneven(const native_call *c) {
  return MPI_Alltoallv(c->in.data, c->in.counts, c->in.places, c->unit, c->out.data, c->out.counts,
                       c->out.places, c->unit, c->comm);
}

static int gather_even(const native_call *c) {
  return MPI_Gather(c->in.data, c->in.count, c->unit, c->out.data, c->out.count, c->unit, c->root,
                    c->comm);
}

static int gather_uneven(const native_call *c) {
  return MPI_Gatherv(c->in.data, c->in.count, c->unit, c->out.data, c->out.counts, c->out.places,
                     c->unit, c->root, c->comm);
}

static int scatter_even(const native_call *c) {
  return MPI_Scatter(c->in.data, c->in.count, c->unit, c->out.data, c->out.count, c->unit, c->root,
                     c->comm);
}

static int scatter_uneven(const native_call *c) {
  return MPI_Scatterv(c->in.data, c->in.counts, c->in.places, c->unit, c->out.data, c->out.count,
                      c->unit, c->root, c->comm);
}

static int reduce_scatter_even(const native_call *c) {
  return MPI_Reduce_scatter_block(c->in.data, c->out.data, c->out.count, c->unit, c->operation,
                                  c->comm);
}

static int reduce_scatter_uneven(const native_call *c) {
  return MPI_Reduce_scatter(c->in.data, c->out.data, c->in.counts, c->unit, c->operation, c->comm);
}

static int all_reduce(const native_call *c) {
  bool in_place = c->in.data == c->out.data;
  return MPI_Allreduce(in_place ? MPI_IN_PLACE : c->in.data, c->out.data, c->out.count, c->unit,
                       c->operation, c->comm);
}

static int reduce(const native_call *c) {
  return MPI_Reduce(c->in.data, c->out.data, c->in.count, c->unit, c->operation, c->root, c->comm);
}

static int broadcast(const native_call *c) {
  return MPI_Bcast(c->in.data ? c->in.data : c->out.data, c->in.count, c->unit, c->root, c->comm);
}

/* ---- the table ---------------------------------------------------------------------------------
 */

/* A function of MPI, as the table below calls it. */
typedef struct way {
  const char *name;
  int (*function)(const native_call *call);
} way;

/* A collective of MPI, of even parts and of uneven ones. */
typedef struct native {
  const char *name;
  int (*even)(const native_call *call);
  int (*uneven)(const native_call *call);
} native;

static const native natives[] = {
    [TESSERA_SITE_ALL_GATHER] = {"MPI_Allgather", all_gather_even, all_gather_uneven},
    [TESSERA_SITE_ALL_REDUCE] = {"MPI_Allreduce", all_reduce, NULL},
    [TESSERA_SITE_ALL_TO_ALL] = {"MPI_Alltoall", all_to_all_even, all_to_all_uneven},
    [TESSERA_SITE_BROADCAST] = {"MPI_Bcast", broadcast, NULL},
    [TESSERA_SITE_GATHER] = {"MPI_Gather", gather_even, gather_uneven},
    [TESSERA_SITE_REDUCE] = {"MPI_Reduce", reduce, NULL},
    [TESSERA_SITE_REDUCE_SCATTER] = {"MPI_Reduce_scatter", reduce_scatter_even,
                                     reduce_scatter_uneven},
    [TESSERA_SITE_SCATTER] = {"MPI_Scatter", scatter_even, scatter_uneven},
};

/* Where it is faster than messages, which members send each other at once: for parts of `least`
 * bytes or more, and of fewer than the others say, where they lie in one piece in dense memory, and
 * where they are packed. Measured by bench/collectives.sh between two ranks of one host: for two
 * members, to whom each message is one call of MPI's, with what is kept of a call that has come
 * before; for more of them, without. */
typedef struct limits {
  size_t least, joined, packed;
} limits;

#define ALWAYS SIZE_MAX
#define NEVER 0

/* Of two members, and of more. */
static const limits measured[][2] = {
#if defined(OPEN_MPI)
    [TESSERA_SITE_ALL_GATHER] = {{0, NEVER, NEVER}, {0, ALWAYS, 1 << 13}},
    [TESSERA_SITE_ALL_REDUCE] = {{1 << 9, 1 << 17, NEVER}, {0, ALWAYS, NEVER}},
    [TESSERA_SITE_ALL_TO_ALL] = {{0, NEVER, NEVER}, {0, 1 << 14, 1 << 13}},
    [TESSERA_SITE_BROADCAST] = {{0, NEVER, NEVER}, {0, ALWAYS, NEVER}},
    [TESSERA_SITE_GATHER] = {{0, NEVER, NEVER}, {0, 1 << 14, 1 << 13}},
    [TESSERA_SITE_REDUCE] = {{1 << 11, ALWAYS, NEVER}, {0, ALWAYS, NEVER}},
    [TESSERA_SITE_REDUCE_SCATTER] = {{0, NEVER, NEVER}, {0, 1 << 14, 1 << 14}},
    [TESSERA_SITE_SCATTER] = {{0, NEVER, NEVER}, {0, 1 << 14, 1 << 13}},
#else
    [TESSERA_SITE_ALL_GATHER] = {{0, NEVER, NEVER}, {0, ALWAYS, 1 << 13}},
    [TESSERA_SITE_ALL_REDUCE] = {{0, NEVER, NEVER}, {0, ALWAYS, NEVER}},
    [TESSERA_SITE_ALL_TO_ALL] = {{0, NEVER, NEVER}, {0, 1 << 13, 1 << 10}},
    [TESSERA_SITE_BROADCAST] = {{0, NEVER, NEVER}, {0, ALWAYS, NEVER}},
    [TESSERA_SITE_GATHER] = {{0, NEVER, NEVER}, {0, 1 << 14, 1 << 13}},
    [TESSERA_SITE_REDUCE] = {{0, NEVER, NEVER}, {0, ALWAYS, NEVER}},
    [TESSERA_SITE_REDUCE_SCATTER] = {{0, NEVER, NEVER}, {0, 1 << 13, 1 << 10}},
    [TESSERA_SITE_SCATTER] = {{0, NEVER, NEVER}, {0, 1 << 14, 1 << 10}},
#endif
};

/* ---- which way ---------------------------------------------------------------------------------
 */

/* From what all members know alone. Counts and places are ints. */
static bool is_worth_it(const mpi_state *state, int32_t members, const tr_collective *what) {
  const limits *limits = &measured[what->kind][members > 2];
  if ((what->is_even ? what->part : what->whole) > LARGEST_MESSAGE)
    return false;
  if (state->collectives != COLLECTIVES_MEASURED)
    return state->collectives == COLLECTIVES_NATIVE;
  if (!what->is_joined && state->strided != STRIDED_MEASURED)
    return false; /* which way strided messages go is asked for */
  return what->part >= limits->least &&
         what->part < (what->is_joined ? limits->joined : limits->packed);
}

/* ---- sides -------------------------------------------------------------------------------------
 */

/* Parts in dense memory behind each other, and back. */
static void copy_parts(const tr_parts *parts, int32_t size, char *dense, tr_direction direction) {
  for (int32_t i = 0; i < (parts->starts ? size : 1); i++) {
    tr_view copy, part;
    if (parts->starts)
      tr_part(parts, i, &part);
    else
      tr_view_assign(&part, parts->view);
    tr_view_dense(dense, &part, &copy);
    tr_device_copy_view(&tr_host_device, NULL, direction == TR_SEND ? &part : &copy,
                        direction == TR_SEND ? &copy : &part);
    dense += tr_view_bytes(&part);
  }
}

/* Counts of members' parts, and the places where they begin, in `counts`. */
static void write_counts(const tr_parts *parts, int32_t size, size_t unit, int *counts,
                         side *side) {
  size_t row = tr_view_row(parts->view, parts->axis) / unit;
  side->counts = counts;
  side->places = counts + size;
  for (int32_t i = 0; i < size; i++) {
    side->counts[i] = (int)((size_t)(parts->starts[i + 1] - parts->starts[i]) * row);
    side->places[i] = (int)((size_t)parts->starts[i] * row);
  }
}

/* True unless members' parts lie behind each other in the program's own memory. */
static bool needs_copy(const tr_parts *parts) {
  bool joins = !parts->starts || tr_view_joins(parts->view, parts->axis);
  return !joins || !tr_view_is_dense(parts->view);
}

/* What MPI reads or writes of one side, if it is not another member's. */
static side describe_side(const tr_collective *what, const tr_parts *parts, int32_t size,
                          size_t unit, int *counts) {
  side side = {.count = (int)(what->part / unit)};
  if (!parts)
    return side;
  side.data = parts->view->data;
  side.is_copy = needs_copy(parts);
  if (!parts->starts)
    side.count = (int)(tr_view_bytes(parts->view) / unit);
  else if (!what->is_even)
    write_counts(parts, size, unit, counts, &side);
  return side;
}

static size_t bytes_of_counts(const tr_group *group, const tr_collective *what) {
  enum { SIDES = 2, LISTS = 2 };
  return what->is_even ? 0 : sizeof(int) * SIDES * LISTS * (size_t)group->size;
}

/* False if it is a reduction that MPI is not asked for. Counts of uneven parts go to `counts`. */
static bool describe_call(const tr_group *group, const tr_collective *what, int *counts,
                          native_call *call) {
  *call =
      (native_call){.unit = MPI_BYTE, .unit_bytes = 1, .root = what->root, .comm = comm_of(group)};
  if (what->reduction != TESSERA_REDUCTION_NONE) {
    if (!find_native(what->type, what->reduction, &call->unit, &call->operation))
      return false;
    call->unit_bytes = tessera_dtype_size(what->type);
  }
  call->in = describe_side(what, what->in, group->size, call->unit_bytes, counts);
  int *out_counts = what->is_even ? NULL : counts + 2 * group->size;
  call->out = describe_side(what, what->out, group->size, call->unit_bytes, out_counts);
  return true;
}

static tessera_status use_copy(const mpi_state *state, kept_memory *memory, const tr_parts *parts,
                               side *side) {
  size_t bytes = tr_view_bytes(parts->view);
  if (!keep_memory(memory, bytes))
    return no_memory(state, bytes);
  side->data = memory->data;
  return TESSERA_OK;
}

/* With copies of what does not lie in one piece. */
static tessera_status do_call(mpi_state *state, int32_t size, const way *way, native_call *call,
                              const tr_parts *in, const tr_parts *out) {
  tessera_status status = TESSERA_OK;
  if (call->in.is_copy)
    status = use_copy(state, &state->in_copy, in, &call->in);
  if (!status && call->out.is_copy)
    status = use_copy(state, &state->buffer, out, &call->out);
  if (!status && call->in.is_copy)
    copy_parts(in, size, call->in.data, TR_SEND);
  if (!status)
    status = check(state, way->function(call), way->name);
  if (!status && call->out.is_copy)
    copy_parts(out, size, call->out.data, TR_RECEIVE);
  return status;
}

static way way_of(const tr_collective *what) {
  const native *row = &natives[what->kind];
  return (way){row->name, what->is_even ? row->even : row->uneven};
}

tessera_status mpi_collective(tr_world *world, const tr_group *group, const tr_collective *what) {
  mpi_state *state = world->state;
  way way = way_of(what);
  native_call call;
  if (!is_worth_it(state, group->size, what))
    return TESSERA_ERROR_UNSUPPORTED;
  if (!keep_memory(&state->counts, bytes_of_counts(group, what)))
    return no_memory(state, bytes_of_counts(group, what));
  if (!describe_call(group, what, state->counts.data, &call))
    return TESSERA_ERROR_UNSUPPORTED;
  return do_call(state, group->size, &way, &call, what->in, what->out);
}

/* ---- again -------------------------------------------------------------------------------------
 */

/* The parts of a side that is copied. */
typedef struct kept_parts {
  tr_parts parts;
  tr_view view;
} kept_parts;

/* One call of MPI that will come again. */
typedef struct kept_call {
  native_call call;
  way way;
  int32_t size; /* of the group */
  bool has_copies;
  kept_parts in, out;
  int64_t numbers[]; /* starts of parts that are copied, then counts */
} kept_call;

static void keep_parts(kept_parts *kept, const tr_parts *parts, int32_t size, int64_t *starts) {
  if (!parts)
    return;
  tr_view_assign(&kept->view, parts->view);
  kept->parts = (tr_parts){&kept->view, parts->axis, parts->starts ? starts : NULL};
  if (parts->starts)
    memcpy(starts, parts->starts, sizeof(int64_t) * ((size_t)size + 1));
}

void *mpi_keep(tr_world *world, const tr_group *group, const tr_collective *what) {
  (void)world;
  bool has_copies = (what->in && needs_copy(what->in)) || (what->out && needs_copy(what->out));
  size_t starts = has_copies ? (size_t)group->size + 1 : 0;
  kept_call *kept =
      malloc(sizeof(*kept) + 2 * sizeof(int64_t) * starts + bytes_of_counts(group, what));
  if (!kept)
    return NULL;
  kept->way = way_of(what);
  kept->size = group->size;
  kept->has_copies = has_copies;
  if (has_copies) {
    keep_parts(&kept->in, what->in, group->size, kept->numbers);
    keep_parts(&kept->out, what->out, group->size, kept->numbers + starts);
  }
  int *counts = (int *)(kept->numbers + 2 * starts);
  if (describe_call(group, what, counts, &kept->call))
    return kept;
  free(kept);
  return NULL;
}

static tessera_status repeat_with_copies(mpi_state *state, kept_call *kept) {
  kept->in.view.data = kept->call.in.data;
  kept->out.view.data = kept->call.out.data;
  return do_call(state, kept->size, &kept->way, &kept->call, &kept->in.parts, &kept->out.parts);
}

tessera_status mpi_repeat(tr_world *world, void *kept, char *in, char *out) {
  kept_call *again = kept;
  again->call.in.data = in;
  again->call.out.data = out;
  if (again->has_copies)
    return repeat_with_copies(world->state, again);
  int code = again->way.function(&again->call);
  return code == MPI_SUCCESS ? TESSERA_OK : check(world->state, code, again->way.name);
}
