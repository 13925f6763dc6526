/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Placements of parameters, and the questions that need nothing else.
 * It must not know how tensors are copied or ranks communicate. */
#include "program/locate.h"

#include "context/context.h"
#include "devices/host/host.h"
#include "layout/words.h"
#include "program/program.h"
#include "program/tensor.h"
#include "support/error.h"

int32_t tr_parameter_rank(const tessera_parameter *parameter) {
  return parameter->rank < 0 ? 0 : parameter->rank;
}

const tr_device *tr_parameter_device(const tessera_parameter *parameter,
                                     const tessera_context *context) {
  return parameter->rank < 0 ? &tr_host_device : context->world.device;
}

tessera_status tr_check_device(const tessera_parameter *parameter, const tessera_context *context,
                               const tessera_tensor *piece) {
  const tr_device *expected = tr_parameter_device(parameter, context);
  const tr_device *actual = tr_tensor_device(piece);
  if (actual == expected || !piece->data)
    return TESSERA_OK;
  return tr_fail(TESSERA_ERROR_MISMATCH,
                 "a piece lies on the device '%s', expected on '%s'; %s moves it there",
                 actual->name, expected->name,
                 expected == &tr_host_device ? "tessera_tensor_to_host"
                                             : "tessera_tensor_to_device");
}

tessera_status tr_misfit(const tessera_parameter *parameter, const int64_t *expected,
                         tessera_dtype type, int32_t rank, const int64_t *shape) {
  char wanted[256], actual[256];
  return tr_fail(TESSERA_ERROR_MISMATCH, "expected a tensor of %s, got %s",
                 tr_type_text((tessera_dtype)parameter->dtype, tr_parameter_rank(parameter),
                              expected, wanted, sizeof(wanted)),
                 tr_type_text(type, rank, shape, actual, sizeof(actual)));
}

tessera_status tr_check_type(const tessera_parameter *parameter, const tessera_tensor *tensor) {
  bool fits = tensor->dtype == (tessera_dtype)parameter->dtype &&
              tensor->rank == tr_parameter_rank(parameter);
  return fits ? TESSERA_OK
              : tr_misfit(parameter, parameter->shape, tensor->dtype, tensor->rank, tensor->shape);
}

/* The extents to check a layout for: what the caller knows, else what the parameter says. */
static tessera_status merge_extents(const tessera_parameter *parameter, const int64_t *global,
                                    int64_t *extents) {
  int32_t rank = tr_parameter_rank(parameter);
  for (int32_t i = 0; i < rank; i++) {
    extents[i] = parameter->shape[i];
    if (!global || global[i] < 0)
      continue;
    if (extents[i] >= 0 && extents[i] != global[i])
      return tr_misfit(parameter, parameter->shape, (tessera_dtype)parameter->dtype, rank, global);
    extents[i] = global[i];
  }
  return TESSERA_OK;
}

tessera_status tr_locate(const tessera_program *program, const tessera_parameter *parameter,
                         const tessera_context *context, const int64_t *global,
                         tr_located *located) {
  int64_t extents[TR_MAX_RANK];
  int32_t rank = tr_parameter_rank(parameter);
  if (rank > TR_MAX_RANK)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "a tensor of rank %d is not supported", rank);
  tessera_status status = merge_extents(parameter, global, extents);
  const tessera_grid *grid = tr_parameter_grid(program, parameter);
  located->placement = (tr_placement){NULL, 0, located->extents};
  if (status || !grid)
    return status;
  if (grid->rank > TR_MAX_RANK)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "a grid of rank %d is not supported", grid->rank);
  if (tr_layout_unknowns(parameter->layout) > 0)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "the layout depends on the arguments of the call: take the parameter from "
                   "tessera_entry_resolve");
  status = tr_context_resolve_grid(context, grid, located->extents);
  if (status)
    return status;
  located->placement.layout = parameter->layout;
  located->placement.grid_rank = grid->rank;
  return tr_placement_check(&located->placement, rank, extents);
}

tessera_status tessera_local_shape(const tessera_program *program,
                                   const tessera_parameter *parameter,
                                   const tessera_context *context, int32_t rank,
                                   const int64_t *global, int64_t *shape) {
  tr_located located;
  int64_t extents[TR_MAX_RANK];
  tessera_status status = tr_locate(program, parameter, context, global, &located);
  if (!status)
    status = merge_extents(parameter, global, extents);
  if (!status)
    tr_local_shape(&located.placement, rank, tr_parameter_rank(parameter), extents, shape);
  return status;
}
