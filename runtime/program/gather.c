/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Puts a global tensor together on one rank from everyone's pieces.
 * It must not know how pieces were computed or what a context's backend is. */
#include <stdlib.h>
#include <string.h>

#include "context/guard.h"
#include "devices/host/host.h"
#include "program/cut.h"
#include "program/locate.h"
#include "program/program.h"
#include "program/tensor.h"
#include "program/transfer.h"
#include "support/error.h"

/* ---- reducing partial values ----------------------------------------------------------------- */

/* Neighbouring axes of one reduction are reduced at once. */
static tessera_status reduce_partial(const tr_placement *placement, const tessera_grid *grid,
                                     tessera_context *context, tessera_tensor *tensor) {
  const int64_t *words;
  int64_t count = tr_partial_axes(placement, &words);
  int32_t axes[TR_MAX_RANK];
  tessera_status status = TESSERA_OK;
  for (int64_t i = 0; !status && i < count;) {
    int64_t reduction = words[2 * i + 1];
    int32_t num_axes = 0;
    for (; i < count && words[2 * i + 1] == reduction; i++)
      axes[num_axes++] = (int32_t)words[2 * i];
    status = tr_reduce_axes(context, grid, num_axes, axes, (tessera_reduction)reduction, tensor);
  }
  return status;
}

static tessera_status reduce(const tessera_program *program, const tessera_parameter *parameter,
                             tessera_context *context, const tessera_tensor *local,
                             tessera_tensor *reduced) {
  tr_located located;
  tessera_status status = tr_locate(program, parameter, context, NULL, &located);
  if (!status)
    status = tr_check_device(parameter, context, local);
  if (!status)
    status = tr_tensor_copy(tr_tensor_device(local), local, reduced);
  if (!status)
    status =
        reduce_partial(&located.placement, tr_parameter_grid(program, parameter), context, reduced);
  if (status)
    tessera_tensor_destroy(reduced);
  return status;
}

tessera_status tessera_reduce_parameter(const tessera_program *program,
                                        const tessera_parameter *parameter,
                                        tessera_context *context, const tessera_tensor *local,
                                        tessera_tensor *reduced) {
  bool is_outermost;
  memset(reduced, 0, sizeof(*reduced));
  tessera_status status = tr_context_enter(context, &is_outermost);
  if (status)
    return status;
  status = reduce(program, parameter, context, local, reduced);
  if (is_outermost)
    tr_context_leave(context);
  return status;
}

/* ---- global extents -------------------------------------------------------------------------- */

static bool has_unknown(int32_t rank, const int64_t *extents) {
  for (int32_t i = 0; i < rank; i++)
    if (extents[i] < 0)
      return true;
  return false;
}

/* Collective where an extent of a placed value is unknown, which all ranks see alike. What a
 * program of one device returns may have other sizes on every rank: each takes its own. */
static tessera_status derive_extents(const tr_placement *placement, tessera_context *context,
                                     const tessera_tensor *local, int64_t *global) {
  int32_t rank = local->rank;
  for (int32_t i = 0; !placement->layout && i < rank; i++)
    global[i] = global[i] < 0 ? local->shape[i] : global[i];
  if (!has_unknown(rank, global))
    return TESSERA_OK;
  size_t ranks = (size_t)tessera_context_size(context);
  int64_t *all = calloc(ranks * (size_t)rank, sizeof(int64_t));
  if (!all)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the shapes of %zu ranks", ranks);
  tessera_status status = tr_collect_sizes(context, rank, local->shape, all);
  for (int32_t i = 0; !status && i < rank; i++)
    if (global[i] < 0)
      global[i] = tr_global_extent(placement, rank, i, all);
  free(all);
  return status;
}

/* ---- moving pieces --------------------------------------------------------------------------- */

static size_t tensor_bytes(const tessera_tensor *tensor) {
  return (size_t)tessera_tensor_elements(tensor) * tessera_dtype_size(tensor->dtype);
}

/* Receives the piece of `device`, or takes this rank's own, and puts it where it belongs. */
static tessera_status place(const tr_placement *placement, tessera_context *context, int32_t device,
                            const tessera_tensor *own, tessera_tensor *global) {
  tr_piece piece;
  tessera_tensor received = {0};
  int64_t strides[TR_MAX_RANK];
  tessera_status status =
      tr_piece_create(placement, device, TR_PIECE_CORE, global->rank, global->shape, &piece);
  if (status)
    return status;
  bool is_own = device == tessera_context_rank(context);
  if (!is_own) {
    status =
        tr_tensor_create(tr_tensor_device(own), global->dtype, piece.rank, piece.shape, &received);
    if (!status)
      status = tr_receive_bytes(context, device, received.data, tensor_bytes(&received));
  }
  tr_dense_strides(global->rank, global->shape, strides);
  if (!status)
    status = tr_piece_put(&piece, tessera_dtype_size(global->dtype), tr_tensor_device(own),
                          is_own ? own->data : received.data, global->data, strides);
  tessera_tensor_destroy(&received);
  tr_piece_destroy(&piece);
  return status;
}

/* Whole pieces travel, halos and all: they are small beside the core, and the root knows them. */
static tessera_status collect(const tr_placement *placement, tessera_context *context,
                              const tessera_tensor *local, int32_t root, const int64_t *extents,
                              tessera_tensor *global) {
  int32_t rank = tessera_context_rank(context), size = tessera_context_size(context);
  if (!placement->layout && rank == root)
    return tr_tensor_copy(&tr_host_device, local, global);
  if (!placement->layout)
    return TESSERA_OK;
  if (rank != root)
    return tr_leads_replicas(placement, rank)
               ? tr_send_bytes(context, root, local->data, tensor_bytes(local))
               : TESSERA_OK;
  tessera_status status = tessera_tensor_create(local->dtype, local->rank, extents, global);
  for (int32_t device = 0; !status && device < size; device++)
    if (tr_leads_replicas(placement, device))
      status = place(placement, context, device, local, global);
  if (status)
    tessera_tensor_destroy(global);
  return status;
}

static tessera_status check_local(const tr_placement *placement, const tessera_parameter *parameter,
                                  const tessera_context *context, const tessera_tensor *local,
                                  const int64_t *global) {
  int64_t shape[TR_MAX_RANK];
  int32_t rank = local->rank;
  tr_local_shape(placement, tessera_context_rank(context), rank, global, shape);
  for (int32_t i = 0; i < rank; i++)
    if (local->shape[i] != shape[i])
      return tr_misfit(parameter, shape, local->dtype, rank, local->shape);
  return TESSERA_OK;
}

/* Collective. A rank whose piece is wrong would leave the root waiting for it, so all give up. */
static tessera_status agree(tessera_context *context, tessera_status status) {
  size_t size = (size_t)tessera_context_size(context);
  int64_t mine = status;
  int64_t *all = calloc(size, sizeof(int64_t));
  if (!all)
    return tr_context_fail(context, TESSERA_ERROR_OUT_OF_MEMORY,
                           "no memory for the states of all ranks");
  tessera_status collected = tr_collect_sizes(context, 1, &mine, all);
  for (size_t i = 0; !collected && !status && i < size; i++)
    if (all[i])
      status = tr_fail(TESSERA_ERROR_PEER, "rank %zu has no such piece", i);
  free(all);
  return status ? status : collected;
}

/* Works on a dense, reduced piece. */
static tessera_status gather_dense(const tr_placement *placement,
                                   const tessera_parameter *parameter, tessera_context *context,
                                   const tessera_tensor *local, int32_t root,
                                   const int64_t *global_shape, tessera_tensor *global) {
  int64_t extents[TR_MAX_RANK];
  for (int32_t i = 0; i < local->rank; i++)
    extents[i] = global_shape && global_shape[i] >= 0 ? global_shape[i] : parameter->shape[i];
  tessera_status status = derive_extents(placement, context, local, extents);
  if (!status)
    status = tr_placement_check(placement, local->rank, extents);
  if (!status)
    status = check_local(placement, parameter, context, local, extents);
  if (placement->layout)
    status = agree(context, status);
  return status ? status : collect(placement, context, local, root, extents, global);
}

/* What can be wrong with the arguments of this rank alone. */
static tessera_status check_arguments(const tessera_program *program,
                                      const tessera_parameter *parameter, tessera_context *context,
                                      const tessera_tensor *local, int32_t root,
                                      const int64_t *global_shape, tr_located *located) {
  if (root < 0 || root >= tessera_context_size(context))
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "there is no rank %d among %d", root,
                   tessera_context_size(context));
  tessera_status status = tr_check_type(parameter, local);
  if (!status)
    status = tr_check_device(parameter, context, local);
  return status ? status : tr_locate(program, parameter, context, global_shape, located);
}

static tessera_status gather(const tessera_program *program, const tessera_parameter *parameter,
                             tessera_context *context, const tessera_tensor *local, int32_t root,
                             const int64_t *global_shape, tessera_tensor *global) {
  tr_located located;
  tessera_status status =
      check_arguments(program, parameter, context, local, root, global_shape, &located);
  if (parameter->layout)
    status = agree(context, status);
  if (status)
    return status;
  const int64_t *words;
  if (tr_partial_axes(&located.placement, &words) == 0 && tr_tensor_is_dense(local))
    return gather_dense(&located.placement, parameter, context, local, root, global_shape, global);
  tessera_tensor reduced = {0};
  status = reduce(program, parameter, context, local, &reduced);
  if (status)
    return status;
  status =
      gather_dense(&located.placement, parameter, context, &reduced, root, global_shape, global);
  tessera_tensor_destroy(&reduced);
  return status;
}

tessera_status tessera_gather_parameter(const tessera_program *program,
                                        const tessera_parameter *parameter,
                                        tessera_context *context, const tessera_tensor *local,
                                        int32_t root, const int64_t *global_shape,
                                        tessera_tensor *global) {
  bool is_outermost;
  memset(global, 0, sizeof(*global));
  tessera_status status = tr_context_enter(context, &is_outermost);
  if (status)
    return status;
  status = gather(program, parameter, context, local, root, global_shape, global);
  if (is_outermost)
    tr_context_leave(context);
  return status;
}
