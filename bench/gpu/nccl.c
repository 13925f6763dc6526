/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* NCCL in a group of one: that the library of a machine takes what Tessera asks of it, and what a
 * call costs. It knows how Tessera opens NCCL; it must not know programs. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "backends/nccl/library.h"
#include "direct.h"

enum { VALUE = 0x3f, SECONDS = 60 };

static char reason[512];

__attribute__((format(printf, 2, 3))) static tessera_status say_why(tessera_status status,
                                                                    const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof(reason), format, arguments);
  va_end(arguments);
  return status;
}

/* Until the communicator has done what it was asked for: a call may say that it succeeded while
 * that goes on, as ncclCommSplit does. */
static nccl_result await(const nccl_library *nccl, nccl_comm comm, nccl_result result) {
  time_t end = time(NULL) + SECONDS;
  if (comm && result == NCCL_OK)
    result = NCCL_IN_PROGRESS;
  while (result == NCCL_IN_PROGRESS && time(NULL) < end)
    if (nccl->state(comm, &result) != NCCL_OK)
      break;
  return result;
}

static bool is_done(const direct_group *group, nccl_comm comm, nccl_result result,
                    const char *what) {
  result = await(group->nccl, comm, result);
  if (result != NCCL_OK)
    say_why(TESSERA_ERROR_BACKEND, "%s: %s", what, group->nccl->error_text(result));
  return result == NCCL_OK;
}

static bool open_comms(direct_group *group) {
  nccl_id id;
  nccl_config wish = nccl_usual_config();
  nccl_result result = group->nccl->get_id(&id);
  if (!is_done(group, NULL, result, "ncclGetUniqueId"))
    return false;
  result = group->nccl->open(&group->all, 1, id, 0, &wish);
  if (!is_done(group, group->all, result, "ncclCommInitRankConfig"))
    return false;
  result = group->nccl->split(group->all, 0, 0, &group->part, &wish);
  return is_done(group, group->all, result, "ncclCommSplit") &&
         is_done(group, group->part, NCCL_OK, "ncclCommSplit");
}

const char *direct_group_open(size_t bytes, direct_group *group) {
  const tr_backend_host host = {.version = TR_BACKEND_VERSION, .fail = say_why};
  const nccl_library *nccl;
  *group = (direct_group){.count = bytes / sizeof(float)};
  if (nccl_open_library(&host, &nccl) != TESSERA_OK)
    return reason;
  group->nccl = nccl;
  if (!open_comms(group)) {
    if (group->part)
      nccl->abort(group->part);
    if (group->all)
      nccl->abort(group->all);
    return reason;
  }
  group->in = direct_take(bytes, VALUE);
  group->out = direct_take(bytes, 0);
  return NULL;
}

/* ---- collectives ----------------------------------------------------------------------------- */

typedef nccl_result collective(const direct_group *group, const void *in, void *out, void *stream);

static nccl_result all_reduce(const direct_group *g, const void *in, void *out, void *stream) {
  return g->nccl->all_reduce(in, out, g->count, NCCL_F32, NCCL_SUM, g->part, stream);
}

static nccl_result all_gather(const direct_group *g, const void *in, void *out, void *stream) {
  return g->nccl->all_gather(in, out, g->count, NCCL_F32, g->part, stream);
}

static nccl_result reduce_scatter(const direct_group *g, const void *in, void *out, void *stream) {
  return g->nccl->reduce_scatter(in, out, g->count, NCCL_F32, NCCL_SUM, g->part, stream);
}

static nccl_result broadcast(const direct_group *g, const void *in, void *out, void *stream) {
  return g->nccl->broadcast(in, out, g->count, NCCL_F32, 0, g->part, stream);
}

static nccl_result reduce(const direct_group *g, const void *in, void *out, void *stream) {
  return g->nccl->reduce(in, out, g->count, NCCL_F32, NCCL_SUM, 0, g->part, stream);
}

static const struct {
  const char *name;
  collective *function;
} collectives[] = {
    {"nccl_all_reduce", all_reduce},
    {"nccl_all_gather", all_gather},
    {"nccl_reduce_scatter", reduce_scatter},
    {"nccl_broadcast", broadcast},
    {"nccl_reduce", reduce},
};

int direct_num_collectives(void) {
  return sizeof(collectives) / sizeof(collectives[0]);
}

const char *direct_collective_name(int number) {
  return collectives[number].name;
}

void direct_collective(direct_group *group, int number) {
  nccl_result result = collectives[number].function(group, (const void *)(uintptr_t)group->in,
                                                    (void *)(uintptr_t)group->out, direct_stream());
  if (is_done(group, group->part, result, collectives[number].name))
    return;
  fprintf(stderr, "gpu-bench: %s\n", reason);
  exit(1);
}

bool direct_group_is_right(const direct_group *group) {
  return direct_is_filled(group->out, group->count * sizeof(float), VALUE);
}

static void close_comm(const direct_group *group, nccl_comm comm) {
  if (await(group->nccl, comm, group->nccl->finalize(comm)) == NCCL_OK)
    group->nccl->destroy(comm);
  else
    group->nccl->abort(comm);
}

void direct_group_close(direct_group *group) {
  direct_wait();
  direct_give(group->in);
  direct_give(group->out);
  close_comm(group, group->part);
  close_comm(group, group->all);
}
