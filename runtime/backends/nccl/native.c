/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* NCCL's own collectives, where they mean what ours mean: a row of a table each.
 * It must not know grids, nor how messages travel. */
#include <stdlib.h>

#include "backends/nccl/state.h"

/* ---- reductions ------------------------------------------------------------------------------ */

/* Types that NCCL has too. Sums of f16 and bf16 come here in f32 or not at all: it would round
 * after each addition. */
static bool native_type(tessera_dtype type, nccl_type *native) {
  switch (type) {
  case TESSERA_I8:
    *native = NCCL_I8;
    return true;
  case TESSERA_U8:
    *native = NCCL_U8;
    return true;
  case TESSERA_I32:
    *native = NCCL_I32;
    return true;
  case TESSERA_U32:
    *native = NCCL_U32;
    return true;
  case TESSERA_I64:
  case TESSERA_INDEX:
    *native = NCCL_I64;
    return true;
  case TESSERA_U64:
    *native = NCCL_U64;
    return true;
  case TESSERA_F32:
    *native = NCCL_F32;
    return true;
  case TESSERA_F64:
    *native = NCCL_F64;
    return true;
  default:
    return false;
  }
}

/* Left out: minima and maxima of floats, because NCCL does not say what becomes of a NaN; averages,
 * which it multiplies by a rounded fraction; and what it lacks. */
static bool native_operation(tessera_dtype type, tessera_reduction reduction,
                             nccl_operation *native) {
  bool is_float = type == TESSERA_F32 || type == TESSERA_F64;
  switch (reduction) {
  case TESSERA_SUM:
    *native = NCCL_SUM;
    return true;
  case TESSERA_PRODUCT:
    *native = NCCL_PRODUCT;
    return true;
  case TESSERA_MAX:
  case TESSERA_UMAX:
    *native = NCCL_MAX;
    return !is_float;
  case TESSERA_MIN:
  case TESSERA_UMIN:
    *native = NCCL_MIN;
    return !is_float;
  default:
    return false;
  }
}

/* ---- calls ----------------------------------------------------------------------------------- */

typedef struct native_job {
  tr_job job;
  tessera_site_kind kind;
  char *in, *out; /* places; NULL: another member's */
  size_t count;   /* of the call: elements of one part */
  nccl_type type;
  nccl_operation operation;
  int32_t root;
} native_job;

/* With addresses in place of places. */
typedef nccl_result call(const nccl_library *nccl, const native_job *job, const work *work);

static nccl_result all_gather(const nccl_library *nccl, const native_job *job, const work *work) {
  return nccl->all_gather(job->in, job->out, job->count, (int)job->type, work->comm, work->stream);
}

static nccl_result all_reduce(const nccl_library *nccl, const native_job *job, const work *work) {
  return nccl->all_reduce(job->in, job->out, job->count, (int)job->type, (int)job->operation,
                          work->comm, work->stream);
}

/* What is in place, as on members that only receive, is not copied. */
static nccl_result broadcast(const nccl_library *nccl, const native_job *job, const work *work) {
  char *out = job->out ? job->out : job->in;
  return nccl->broadcast(job->in ? job->in : out, out, job->count, (int)job->type, job->root,
                         work->comm, work->stream);
}

static nccl_result reduce(const nccl_library *nccl, const native_job *job, const work *work) {
  return nccl->reduce(job->in, job->out, job->count, (int)job->type, (int)job->operation, job->root,
                      work->comm, work->stream);
}

static nccl_result reduce_scatter(const nccl_library *nccl, const native_job *job,
                                  const work *work) {
  return nccl->reduce_scatter(job->in, job->out, job->count, (int)job->type, (int)job->operation,
                              work->comm, work->stream);
}

typedef struct native {
  const char *name;
  call *function;
} native;

/* An all-to-all, a gather and a scatter are sends and receives in NCCL too. */
static const native natives[] = {
    [TESSERA_SITE_ALL_GATHER] = {"ncclAllGather", all_gather},
    [TESSERA_SITE_ALL_REDUCE] = {"ncclAllReduce", all_reduce},
    [TESSERA_SITE_BROADCAST] = {"ncclBroadcast", broadcast},
    [TESSERA_SITE_REDUCE] = {"ncclReduce", reduce},
    [TESSERA_SITE_REDUCE_SCATTER] = {"ncclReduceScatter", reduce_scatter},
};
enum { NUM_NATIVES = sizeof(natives) / sizeof(natives[0]) };

/* ---- jobs ------------------------------------------------------------------------------------ */

static tessera_status start_native(tr_world *world, const tr_job_run *run) {
  native_job job = *(const native_job *)run->job;
  work work;
  if (job.in)
    job.in = tr_resolve(run->bases, job.in);
  if (job.out)
    job.out = tr_resolve(run->bases, job.out);
  tessera_status status = nccl_begin_work(world, run, &work);
  if (status)
    return status;
  nccl_result result = natives[job.kind].function(work.state->nccl, &job, &work);
  return nccl_end_work(run, &work, result, natives[job.kind].name);
}

tessera_status nccl_plan_collective(tr_world *world, const tr_group *group,
                                    const tr_collective *what, tr_job **job) {
  nccl_type type = NCCL_U8;
  nccl_operation operation = NCCL_SUM;
  bool reduces = what->reduction != TESSERA_REDUCTION_NONE;
  bool is_there = (int)what->kind < NUM_NATIVES && natives[what->kind].function;
  (void)group;
  if (!is_there || !what->is_even || what->part == 0 ||
      (reduces && !(native_type(what->type, &type) &&
                    native_operation(what->type, what->reduction, &operation))))
    return TESSERA_ERROR_UNSUPPORTED;
  native_job *made = malloc(sizeof(*made));
  if (!made)
    return nccl_state_of(world)->host->fail(TESSERA_ERROR_OUT_OF_MEMORY,
                                            "no memory for a collective");
  *made = (native_job){.job = {start_native, nccl_finish_work, NCCL_STATE_BYTES, 0},
                       .kind = what->kind,
                       .in = what->in.data,
                       .out = what->out.data,
                       .count = what->part / (reduces ? tessera_dtype_size(what->type) : 1),
                       .type = type,
                       .operation = operation,
                       .root = what->root};
  *job = &made->job;
  return TESSERA_OK;
}
