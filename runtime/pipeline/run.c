/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Runs a schedule on one rank: receives what a turn needs, has it computed, sends what it gave. It
 * knows pieces and neighbours; it must not know what is computed. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "context/context.h"
#include "context/guard.h"
#include "mesh/mesh.h"
#include "program/tensor.h"
#include "support/error.h"
#include "tessera/pipeline.h"

typedef struct pipeline {
  tessera_context *context;
  tessera_group *line; /* this rank's stage and the others */
  const tessera_stage *stage;
  int32_t number, stages, microbatches;
  tessera_turn *turns;
  tr_source_place place;  /* of the call */
  tessera_tensor *inputs; /* by microbatch: those on their way; the others are cleared */
} pipeline;

static bool is_first(const pipeline *p) {
  return p->number == 0;
}

static bool is_last(const pipeline *p) {
  return p->number == p->stages - 1;
}

/* ---- messages -------------------------------------------------------------------------------- */

static tessera_status receive(const pipeline *p, const tessera_piece *piece, int32_t from,
                              tessera_tensor *tensor) {
  tessera_status status =
      tr_tensor_create(p->context->world.device, piece->dtype, piece->rank, piece->shape, tensor);
  if (status)
    return status;
  tessera_at(p->place.file, p->place.line);
  status = tessera_group_receive(p->line, tr_tensor_reach(tensor), tessera_tensor_elements(tensor),
                                 piece->dtype, from);
  if (status)
    tessera_tensor_destroy(tensor);
  return status;
}

static tessera_status check_piece(const pipeline *p, const tessera_piece *piece,
                                  const tessera_tensor *tensor) {
  bool fits = tensor->dtype == piece->dtype && tensor->rank == piece->rank;
  for (int32_t d = 0; fits && d < piece->rank; d++)
    fits = tensor->shape[d] == piece->shape[d];
  char expected[256], found[256];
  if (fits && tr_tensor_is_dense(tensor))
    return TESSERA_OK;
  return tr_fail(TESSERA_ERROR_MISMATCH, "stage %d made a piece of %s: expected %s, dense",
                 p->number,
                 tr_type_text(tensor->dtype, tensor->rank, tensor->shape, found, sizeof(found)),
                 tr_type_text(piece->dtype, piece->rank, piece->shape, expected, sizeof(expected)));
}

/* Sends and destroys it. */
static tessera_status send(const pipeline *p, const tessera_piece *piece, int32_t to,
                           tessera_tensor *tensor) {
  tessera_status status = check_piece(p, piece, tensor);
  if (!status) {
    tessera_at(p->place.file, p->place.line);
    status = tessera_group_send(p->line, tr_tensor_reach(tensor), tessera_tensor_elements(tensor),
                                piece->dtype, to);
  }
  tessera_tensor_destroy(tensor);
  return status;
}

/* ---- the stage's functions ------------------------------------------------------------------- */

/* What a function of the stage came to, with a message that tells where. It may have called none of
 * ours, so what is told of an earlier failure must not be its own. */
static tessera_status came_to(const pipeline *p, tessera_status status, const char *direction,
                              int32_t microbatch) {
  const char *message = tessera_last_error();
  if (!status)
    return TESSERA_OK;
  if (*message)
    return tr_fail(status, "stage %d, microbatch %d %s: %s", p->number, microbatch, direction,
                   message);
  char place[256] = "";
  if (p->place.file)
    snprintf(place, sizeof(place), "%.200s:%d: ", p->place.file, p->place.line);
  return tr_fail(
      status, "%serror: 'tessera_pipeline_run' on rank %d: stage %d, microbatch %d %s: %s", place,
      p->context->world.rank, p->number, microbatch, direction, tessera_status_name(status));
}

static tessera_status call_forward(const pipeline *p, int32_t microbatch, const tessera_tensor *in,
                                   tessera_tensor *out) {
  const tessera_stage *stage = p->stage;
  tr_fail(TESSERA_OK, "%s", "");
  return came_to(p, stage->forward(stage->data, microbatch, in, out), "forward", microbatch);
}

static tessera_status call_backward(const pipeline *p, int32_t microbatch, const tessera_tensor *in,
                                    const tessera_tensor *by_out, tessera_tensor *by_in) {
  const tessera_stage *stage = p->stage;
  tr_fail(TESSERA_OK, "%s", "");
  return came_to(p, stage->backward(stage->data, microbatch, in, by_out, by_in), "backward",
                 microbatch);
}

/* ---- turns ----------------------------------------------------------------------------------- */

static tessera_status go_forward(pipeline *p, int32_t microbatch) {
  const tessera_stage *stage = p->stage;
  tessera_tensor *in = is_first(p) ? NULL : &p->inputs[microbatch];
  tessera_tensor out = {0};
  tessera_status status = in ? receive(p, &stage->in, p->number - 1, in) : TESSERA_OK;
  if (!status)
    status = call_forward(p, microbatch, in, is_last(p) ? NULL : &out);
  if (!status && !is_last(p))
    return send(p, &stage->out, p->number + 1, &out);
  tessera_tensor_destroy(&out);
  return status;
}

static tessera_status go_backward(pipeline *p, int32_t microbatch) {
  const tessera_stage *stage = p->stage;
  tessera_tensor *in = is_first(p) ? NULL : &p->inputs[microbatch];
  tessera_tensor by_out = {0}, by_in = {0};
  tessera_status status = is_last(p) ? TESSERA_OK : receive(p, &stage->out, p->number + 1, &by_out);
  if (!status)
    status = call_backward(p, microbatch, in, is_last(p) ? NULL : &by_out, in ? &by_in : NULL);
  tessera_tensor_destroy(&by_out);
  if (status)
    tessera_tensor_destroy(&by_in);
  if (status || !in)
    return status;
  tessera_tensor_destroy(in);
  return send(p, &stage->in, p->number - 1, &by_in);
}

/* Collectives of one call of a program never meet those of another, so in the end all ranks have to
 * have made equally many. Stages that have nothing to compute in a turn make fewer: each turn
 * counts as one call. */
static tessera_status settle_calls(const pipeline *p, uint64_t before) {
  uint64_t *calls = &p->context->world.program_calls, turns = 2 * (uint64_t)p->microbatches;
  if (*calls - before > turns)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "stage %d has called %" PRIu64 " entries of programs in %" PRIu64
                   " turns: expected one in each at most",
                   p->number, *calls - before, turns);
  *calls = before + turns;
  return TESSERA_OK;
}

static tessera_status take_turns(pipeline *p) {
  tessera_status status = TESSERA_OK;
  uint64_t before = p->context->world.program_calls;
  for (int32_t i = 0; !status && i < 2 * p->microbatches; i++)
    status = p->turns[i].direction == TESSERA_FORWARD ? go_forward(p, p->turns[i].microbatch)
                                                      : go_backward(p, p->turns[i].microbatch);
  return status ? status : settle_calls(p, before);
}

/* ---- the run --------------------------------------------------------------------------------- */

static const char *schedule_text(int64_t schedule, char *text, size_t capacity) {
  static const char *const names[] = {[TESSERA_GPIPE] = "GPipe", [TESSERA_1F1B] = "1F1B"};
  if (schedule >= 0 && schedule < (int64_t)(sizeof(names) / sizeof(names[0])))
    return names[schedule];
  snprintf(text, capacity, "the unknown schedule %" PRId64, schedule);
  return text;
}

/* Stages that run another number would wait for what never comes, or leave what nobody takes. */
static tessera_status compare_stages(const pipeline *p, tessera_schedule schedule) {
  const int64_t own[] = {p->microbatches, schedule};
  char texts[2][64];
  int64_t *all = malloc(sizeof(own) * (size_t)p->stages);
  if (!all)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for what %d stages run", p->stages);
  tessera_at(p->place.file, p->place.line);
  tessera_status status = tessera_group_all_gather(p->line, own, all, 2, TESSERA_I64);
  for (int32_t i = 1; !status && i < p->stages; i++)
    if (all[2 * i] != all[0] || all[2 * i + 1] != all[1])
      status = tr_fail(TESSERA_ERROR_MISMATCH,
                       "stage 0 runs %" PRId64 " microbatches by %s, stage %d runs %" PRId64
                       " by %s: expected the same",
                       all[0], schedule_text(all[1], texts[0], sizeof(texts[0])), i, all[2 * i],
                       schedule_text(all[2 * i + 1], texts[1], sizeof(texts[1])));
  free(all);
  return status;
}

static tessera_status check_stage(const tessera_mesh *mesh, const tessera_stage *stage) {
  if (!stage || stage->struct_size < offsetof(tessera_stage, data) + sizeof(stage->data) ||
      !stage->forward || !stage->backward)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "a stage needs its size, a function forward and one backward");
  tessera_status status = tr_mesh_check(mesh, mesh, "a mesh");
  return status ? status : tr_mesh_check_context(mesh);
}

static tessera_status check_between(const tessera_piece *piece, const char *what) {
  size_t bytes;
  if (piece->rank >= 0 && (piece->rank == 0 || piece->shape) &&
      tessera_dtype_size(piece->dtype) != 0 &&
      tr_dense_bytes(piece->dtype, piece->rank, piece->shape, &bytes))
    return TESSERA_OK;
  return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "a stage's '%s' is no type of a tensor", what);
}

static tessera_status prepare(pipeline *p, tessera_mesh *mesh, int32_t dim,
                              tessera_schedule schedule) {
  tessera_status status = tessera_mesh_line(mesh, 1, &dim, &p->line);
  if (status)
    return status;
  p->context = mesh->lodger.context;
  p->number = tessera_group_rank(p->line);
  p->stages = tessera_group_size(p->line);
  if (!is_first(p))
    status = check_between(&p->stage->in, "in");
  if (!status && !is_last(p))
    status = check_between(&p->stage->out, "out");
  size_t num = p->microbatches > 0 ? (size_t)p->microbatches : 1;
  p->turns = calloc(2 * num, sizeof(*p->turns));
  p->inputs = calloc(num, sizeof(*p->inputs));
  if (!status && (!p->turns || !p->inputs))
    status = tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %d microbatches", p->microbatches);
  if (status) /* of this stage alone: the others begin */
    return tr_context_fail(p->context, status, tessera_last_error());
  status = compare_stages(p, schedule);
  if (status) /* all have seen the same */
    return status;
  return tessera_schedule_turns(schedule, p->stages, p->number, p->microbatches, p->turns);
}

tessera_status tessera_pipeline_run(tessera_mesh *mesh, int32_t dim, tessera_schedule schedule,
                                    int32_t microbatches, const tessera_stage *stage) {
  pipeline p = {.stage = stage, .microbatches = microbatches, .place = tr_take_place()};
  tessera_status status = check_stage(mesh, stage);
  if (!status)
    status = prepare(&p, mesh, dim, schedule);
  if (!status) {
    status = take_turns(&p);
    if (status) /* the others wait for what does not come */
      status = tr_context_fail(p.context, status, tessera_last_error());
  }
  for (int32_t i = 0; p.inputs && i < microbatches; i++)
    tessera_tensor_destroy(&p.inputs[i]);
  free(p.inputs);
  free(p.turns);
  return status;
}
