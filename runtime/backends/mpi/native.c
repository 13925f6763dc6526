/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* MPI's own collectives on dense memory, where they mean what ours mean.
 * It must not know grids, nor how strided memory travels. */
#include "backends/mpi/state.h"

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

tessera_status mpi_all_reduce(tr_world *world, const tr_group *group, const void *in, void *out,
                              int64_t count, tessera_dtype type, tessera_reduction reduction) {
  mpi_state *state = world->state;
  MPI_Datatype native;
  MPI_Op operation;
  if (!find_native(type, reduction, &native, &operation))
    return TESSERA_ERROR_UNSUPPORTED;
  int code = MPI_SUCCESS;
  for (int64_t done = 0; code == MPI_SUCCESS && done < count; done += LARGEST_MESSAGE) {
    int part = (int)(count - done < LARGEST_MESSAGE ? count - done : LARGEST_MESSAGE);
    size_t offset = (size_t)done * tessera_dtype_size(type);
    code = MPI_Allreduce(in == out ? MPI_IN_PLACE : (const char *)in + offset, (char *)out + offset,
                         part, native, operation, comm_of(group));
  }
  return check(state, code, "MPI_Allreduce");
}

/* From here on MPICH's MPI_Allreduce takes half the time of its MPI_Reduce, measured between two
 * ranks of one host; Open MPI's does not. */
#if defined(OPEN_MPI)
static const size_t all_reduce_from = SIZE_MAX;
#else
static const size_t all_reduce_from = 1 << 19;
#endif

tessera_status mpi_reduce(tr_world *world, const tr_group *group, int32_t root, const void *in,
                          void *out, int64_t count, tessera_dtype type,
                          tessera_reduction reduction) {
  mpi_state *state = world->state;
  MPI_Datatype native;
  MPI_Op operation;
  size_t bytes = (size_t)count * tessera_dtype_size(type);
  if (!find_native(type, reduction, &native, &operation))
    return TESSERA_ERROR_UNSUPPORTED;
  if (bytes >= all_reduce_from || count > LARGEST_MESSAGE) {
    if (!out && !keep_memory(&state->buffer, bytes))
      return no_memory(state, bytes);
    return mpi_all_reduce(world, group, in, out ? out : state->buffer.data, count, type, reduction);
  }
  return check(state, MPI_Reduce(in, out, (int)count, native, operation, root, comm_of(group)),
               "MPI_Reduce");
}

/* ---- moves -------------------------------------------------------------------------------------
 */

static bool is_even(const int64_t *starts, int32_t size) {
  for (int32_t i = 1; i < size; i++)
    if (starts[i + 1] - starts[i] != starts[1] - starts[0])
      return false;
  return true;
}

/* Counts and places in bytes, as MPI wants them: ints. */
static void write_counts(const int64_t *starts, int32_t size, size_t unit, int *counts,
                         int *places) {
  for (int32_t i = 0; i < size; i++) {
    counts[i] = (int)((size_t)(starts[i + 1] - starts[i]) * unit);
    places[i] = (int)((size_t)(starts[i] - starts[0]) * unit);
  }
}

static bool fits(const int64_t *starts, int32_t size, size_t unit) {
  return (size_t)(starts[size] - starts[0]) <= LARGEST_MESSAGE / (unit ? unit : 1);
}

tessera_status mpi_all_gather(tr_world *world, const tr_group *group, const void *in, void *out,
                              size_t unit, const int64_t *starts) {
  mpi_state *state = world->state;
  int32_t size = group->size, self = group->self;
  if (!fits(starts, size, unit))
    return TESSERA_ERROR_UNSUPPORTED;
  int mine = (int)((size_t)(starts[self + 1] - starts[self]) * unit);
  if (is_even(starts, size))
    return check(state, MPI_Allgather(in, mine, MPI_BYTE, out, mine, MPI_BYTE, comm_of(group)),
                 "MPI_Allgather");
  if (!keep_memory(&state->counts, 2 * sizeof(int) * (size_t)size))
    return no_memory(state, 2 * sizeof(int) * (size_t)size);
  int *counts = state->counts.data, *places = counts + size;
  write_counts(starts, size, unit, counts, places);
  return check(state,
               MPI_Allgatherv(in, mine, MPI_BYTE, out, counts, places, MPI_BYTE, comm_of(group)),
               "MPI_Allgatherv");
}

tessera_status mpi_broadcast(tr_world *world, const tr_group *group, int32_t root, void *buffer,
                             size_t bytes) {
  mpi_state *state = world->state;
  int code = MPI_SUCCESS;
  for (size_t done = 0; code == MPI_SUCCESS && done < bytes; done += LARGEST_MESSAGE) {
    size_t part = bytes - done < LARGEST_MESSAGE ? bytes - done : LARGEST_MESSAGE;
    code = MPI_Bcast((char *)buffer + done, (int)part, MPI_BYTE, root, comm_of(group));
  }
  return check(state, code, "MPI_Bcast");
}
