/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* NCCL's own collectives, where they mean what ours mean: a row of a table each.
 * It must not know grids, nor how messages travel. */
#include <stdlib.h>

#include "backends/nccl/state.h"

/* ---- reductions ------------------------------------------------------------------------------ */

/* Types that NCCL has too. Sums of f16 and bf16 come here in f32 or not at all: it would round
 * after each addition. */
static const struct {
  bool is_there, is_float;
  nccl_type native;
} types[] = {
    [TESSERA_I8] = {true, false, NCCL_I8},     [TESSERA_U8] = {true, false, NCCL_U8},
    [TESSERA_I32] = {true, false, NCCL_I32},   [TESSERA_U32] = {true, false, NCCL_U32},
    [TESSERA_I64] = {true, false, NCCL_I64},   [TESSERA_U64] = {true, false, NCCL_U64},
    [TESSERA_INDEX] = {true, false, NCCL_I64}, [TESSERA_F32] = {true, true, NCCL_F32},
    [TESSERA_F64] = {true, true, NCCL_F64},
};

/* Left out: minima and maxima of floats, because NCCL does not say what becomes of a NaN; averages,
 * which it multiplies by a rounded fraction; and what it lacks. */
static const struct {
  bool is_there, has_floats;
  nccl_operation native;
} operations[] = {
    [TESSERA_SUM] = {true, true, NCCL_SUM},  [TESSERA_PRODUCT] = {true, true, NCCL_PRODUCT},
    [TESSERA_MAX] = {true, false, NCCL_MAX}, [TESSERA_UMAX] = {true, false, NCCL_MAX},
    [TESSERA_MIN] = {true, false, NCCL_MIN}, [TESSERA_UMIN] = {true, false, NCCL_MIN},
};

static bool has_native(tessera_dtype type, tessera_reduction reduction) {
  enum {
    NUM_TYPES = sizeof(types) / sizeof(types[0]),
    NUM_OPERATIONS = sizeof(operations) / sizeof(operations[0])
  };
  return (int)type < NUM_TYPES && types[type].is_there && (int)reduction < NUM_OPERATIONS &&
         operations[reduction].is_there &&
         (operations[reduction].has_floats || !types[type].is_float);
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
  bool reduces = what->reduction != TESSERA_REDUCTION_NONE;
  bool is_there = (int)what->kind < NUM_NATIVES && natives[what->kind].function;
  (void)group;
  if (!is_there || !what->is_even || what->part == 0 ||
      (reduces && !has_native(what->type, what->reduction)))
    return TESSERA_ERROR_UNSUPPORTED;
  native_job *made = malloc(sizeof(*made));
  if (!made)
    return nccl_state_of(world)->host->fail(TESSERA_ERROR_OUT_OF_MEMORY,
                                            "no memory for a collective");
  *made = (native_job){.job = {start_native, nccl_finish_work, NCCL_STATE_BYTES, 0, NULL},
                       .kind = what->kind,
                       .in = what->in.data,
                       .out = what->out.data,
                       .count = what->part / (reduces ? tessera_dtype_size(what->type) : 1),
                       .type = reduces ? types[what->type].native : NCCL_U8,
                       .operation = operations[what->reduction].native,
                       .root = what->root};
  *job = &made->job;
  return TESSERA_OK;
}
