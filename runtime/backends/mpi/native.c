/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* MPI's own collectives, where they mean what ours mean and are faster: a row of a table each.
 * It must not know grids, nor how messages travel. */
#include <stdlib.h>

#include "backends/mpi/state.h"

/* ---- reductions ------------------------------------------------------------------------------ */

/* Where MPI's own reduction surely means what ours does. Left out: floating-point minima and
 * maxima, because MPI does not say what becomes of a NaN; narrow integers, whose sums saturate in
 * Open MPI 4.1's vector code; unsigned ones, which MPICH 4.0 compares with a sign. */
static const struct {
  bool is_there, is_float;
  MPI_Datatype native;
} types[] = {
    [TESSERA_I32] = {true, false, MPI_INT32_T},   [TESSERA_I64] = {true, false, MPI_INT64_T},
    [TESSERA_INDEX] = {true, false, MPI_INT64_T}, [TESSERA_F32] = {true, true, MPI_FLOAT},
    [TESSERA_F64] = {true, true, MPI_DOUBLE},
};

static const struct {
  bool is_there, has_floats;
  MPI_Op native;
} operations[] = {
    [TESSERA_SUM] = {true, true, MPI_SUM},   [TESSERA_PRODUCT] = {true, true, MPI_PROD},
    [TESSERA_MAX] = {true, false, MPI_MAX},  [TESSERA_MIN] = {true, false, MPI_MIN},
    [TESSERA_AND] = {true, false, MPI_BAND}, [TESSERA_OR] = {true, false, MPI_BOR},
    [TESSERA_XOR] = {true, false, MPI_BXOR},
};

static bool find_native(tessera_dtype type, tessera_reduction reduction, MPI_Datatype *native,
                        MPI_Op *operation) {
  enum {
    NUM_TYPES = sizeof(types) / sizeof(types[0]),
    NUM_OPERATIONS = sizeof(operations) / sizeof(operations[0])
  };
  if ((int)type >= NUM_TYPES || !types[type].is_there || (int)reduction >= NUM_OPERATIONS ||
      !operations[reduction].is_there ||
      (types[type].is_float && !operations[reduction].has_floats))
    return false;
  *native = types[type].native;
  *operation = operations[reduction].native;
  return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* One side of a call: memory in which members' parts lie behind each other, or one part. */
typedef struct side {
  char *data;  /* NULL: another member's */
  int count;   /* of one part: the only one, or each of even ones */
  int *counts; /* of uneven ones */
  int *places;
} side;

typedef struct native_call {
  side in, out;
  MPI_Datatype unit; /* of counts and places */
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

/* ---- the table ------------------------------------------------------------------------------- */

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
 * members, to whom each message is one call of MPI's, and for more of them. */
typedef struct limits {
  size_t least, joined, packed;
} limits;

#define ALWAYS SIZE_MAX
#define NEVER 0

/* Whoever waits in MPI's own keeps its core from those that it waits for (waits.c). */
#if defined(OPEN_MPI)
enum { KEEPS_CORES = false };
#else
enum { KEEPS_CORES = true };
#endif

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

/* ---- which way ------------------------------------------------------------------------------- */

/* Messages bring the parts of these to each host once, which MPI's do not for many bytes. */
static bool goes_in_two_steps(const known_comm *comm, const tr_collective *what) {
  return comm->shares_hosts &&
         (what->kind == TESSERA_SITE_ALL_GATHER || what->kind == TESSERA_SITE_REDUCE_SCATTER);
}

/* From what all members know alone. Counts and places are ints. */
static bool is_worth_it(const mpi_state *state, const known_comm *comm, const tr_collective *what) {
  const limits *limits = &measured[what->kind][comm->size > 2];
  bool is_easy = what->is_joined && !goes_in_two_steps(comm, what);
  if ((what->is_even ? what->part : what->whole) > LARGEST_MESSAGE)
    return false;
  if (state->collectives != COLLECTIVES_MEASURED)
    return state->collectives == COLLECTIVES_NATIVE;
  if (KEEPS_CORES && state->any_is_crowded)
    return false;
  if (!what->is_joined && state->strided != STRIDED_MEASURED)
    return false; /* which way strided messages go is asked for */
  return what->part >= limits->least && what->part < (is_easy ? limits->joined : limits->packed);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* A call of MPI whose data are places. */
typedef struct native_job {
  tr_job job;
  native_call call;
  int (*function)(const native_call *call);
  const char *name;
  int numbers[]; /* counts and places of uneven parts, of both sides */
} native_job;

static tessera_status start_native(tr_world *world, const tr_job_run *run) {
  const native_job *job = (native_job *)run->job;
  native_call call = job->call;
  if (call.in.data)
    call.in.data = tr_device_reach(world->device, tr_resolve(run->bases, call.in.data));
  if (call.out.data)
    call.out.data = tr_device_reach(world->device, tr_resolve(run->bases, call.out.data));
  int code = job->function(&call);
  return code == MPI_SUCCESS ? TESSERA_OK : check(world->state, code, job->name);
}

/* Counts of members' parts, and the places where they begin, in `counts`. */
static void write_counts(const tr_side *from, int32_t size, size_t unit, int *counts, side *side) {
  size_t row = from->row / unit;
  side->counts = counts;
  side->places = counts + size;
  for (int32_t i = 0; i < size; i++) {
    side->counts[i] = (int)((size_t)(from->starts[i + 1] - from->starts[i]) * row);
    side->places[i] = (int)((size_t)from->starts[i] * row);
  }
}

static side describe_side(const tr_collective *what, const tr_side *from, int32_t size, size_t unit,
                          int *counts) {
  side side = {.data = from->data, .count = (int)(what->part / unit)};
  if (!from->data)
    return side;
  if (!from->starts)
    side.count = (int)(from->row * (size_t)from->rows / unit);
  else if (!what->is_even)
    write_counts(from, size, unit, counts, &side);
  return side;
}

tessera_status mpi_plan_collective(tr_world *world, const tr_group *group,
                                   const tr_collective *what, tr_job **job) {
  enum { SIDES = 2, LISTS = 2 };
  const mpi_state *state = world->state;
  const native *row = &natives[what->kind];
  native_call call = {.unit = MPI_BYTE, .root = what->root, .comm = comm_of(group)};
  bool reduces = what->reduction != TESSERA_REDUCTION_NONE;
  if (!is_worth_it(state, group->handle, what) ||
      (reduces && !find_native(what->type, what->reduction, &call.unit, &call.operation)))
    return TESSERA_ERROR_UNSUPPORTED;
  size_t unit = reduces ? tessera_dtype_size(what->type) : 1;
  size_t bytes = sizeof(native_job) + sizeof(int) * SIDES * LISTS * (size_t)group->size;
  native_job *made = malloc(bytes);
  if (!made)
    return no_memory(state, bytes);
  call.in = describe_side(what, &what->in, group->size, unit, made->numbers);
  call.out =
      describe_side(what, &what->out, group->size, unit, made->numbers + LISTS * group->size);
  made->job = (tr_job){.start = start_native};
  made->call = call;
  made->function = what->is_even ? row->even : row->uneven;
  made->name = row->name;
  *job = &made->job;
  return TESSERA_OK;
}
