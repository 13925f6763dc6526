/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Cuts a rank's piece out of a global tensor. No communication.
 * It must not know how results are put together. */
#include <stdint.h>
#include <string.h>

#include "devices/host/host.h"
#include "program/cut.h"
#include "program/locate.h"
#include "program/neutral.h"
#include "program/program.h"
#include "program/tensor.h"
#include "support/error.h"

/* ---- partial parameters ---------------------------------------------------------------------- */

/* The reduction of the first partial axis along which `device` is not at coordinate 0, i.e. whose
 * neutral element it holds; TESSERA_REDUCTION_NONE if it holds the value. All devices hold the
 * value of an average: it has no neutral element, and the average of equal values is the value. */
static tessera_reduction neutral_reduction(const tr_placement *placement, int64_t device) {
  const int64_t *words;
  int64_t count = tr_partial_axes(placement, &words);
  for (int64_t i = 0; i < count; i++)
    if (words[2 * i + 1] != TESSERA_AVERAGE && tr_coordinate(placement, device, words[2 * i]) != 0)
      return (tessera_reduction)words[2 * i + 1];
  return TESSERA_REDUCTION_NONE;
}

static tessera_status fill_neutral(tessera_tensor *tensor, tessera_reduction reduction) {
  unsigned char element[16];
  if (!tr_neutral_element(tensor->dtype, reduction, element))
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "a partial value of %s has no such reduction (%d)",
                   tr_dtype_name(tensor->dtype), reduction);
  const tr_device *device = tr_tensor_device(tensor);
  int64_t elements = tessera_tensor_elements(tensor);
  if (elements > 0)
    device->fill(device, NULL, element, tessera_dtype_size(tensor->dtype), elements, tensor->data);
  return TESSERA_OK;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static tessera_status take_piece(const tr_placement *placement, int32_t rank,
                                 const tessera_tensor *global, tessera_tensor *local) {
  tr_piece piece;
  int64_t strides[TR_MAX_RANK];
  tessera_status status =
      tr_piece_create(placement, rank, TR_PIECE_HALO, global->rank, global->shape, &piece);
  if (status)
    return status;
  tr_tensor_strides(global, strides);
  status = tr_piece_take(&piece, tessera_dtype_size(global->dtype), global->data, strides,
                         tr_tensor_device(local), local->data);
  tr_piece_destroy(&piece);
  return status;
}

/* The layout of a parameter, for a whole tensor of its type on the host. */
static tessera_status locate(const tessera_program *program, const tessera_parameter *parameter,
                             tessera_context *context, const tessera_tensor *global,
                             tr_located *located) {
  tessera_status status = tr_check_type(parameter, global);
  if (status)
    return status;
  if (global->device)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "a whole tensor lies on the device '%s'; tessera_tensor_to_host moves it to "
                   "where pieces are cut",
                   global->device->name);
  return tr_locate(program, parameter, context, global->shape, located);
}

tessera_status tessera_scatter_parameter(const tessera_program *program,
                                         const tessera_parameter *parameter,
                                         tessera_context *context, const tessera_tensor *global,
                                         tessera_tensor *local) {
  memset(local, 0, sizeof(*local));
  tr_located located;
  tessera_status status = locate(program, parameter, context, global, &located);
  if (status)
    return status;
  int32_t rank = tessera_context_rank(context);
  int64_t shape[TR_MAX_RANK];
  tr_local_shape(&located.placement, rank, global->rank, global->shape, shape);
  status = tr_tensor_create(tr_parameter_device(parameter, context), global->dtype, global->rank,
                            shape, local);
  if (status)
    return status;
  tessera_reduction reduction = neutral_reduction(&located.placement, rank);
  status = reduction ? fill_neutral(local, reduction)
                     : take_piece(&located.placement, rank, global, local);
  if (status)
    tessera_tensor_destroy(local);
  return status;
}

/* ---- borrowed pieces ------------------------------------------------------------------------- */

/* Where the piece begins in the global tensor, in elements, if it is one box of it without zeros
 * about it; else -1. */
static int64_t find_box(const tr_piece *piece, const int64_t *strides) {
  int64_t offset = 0;
  for (int32_t i = 0; i < piece->rank; i++) {
    const tr_run_list *list = &piece->runs[i];
    if (list->count != 1 || list->runs[0].length != piece->shape[i])
      return -1;
    offset += list->runs[0].global * strides[i];
  }
  return offset;
}

/* The piece's place in the global tensor's memory, if it lies there as a block of tessera_alloc
 * would; else NULL. */
static void *find_piece(tr_piece *piece, const tessera_tensor *global) {
  enum { ALIGNMENT = 64 }; /* of tessera_alloc: borrowed memory must not make a call slower */
  int64_t strides[TR_MAX_RANK];
  tr_tensor_strides(global, strides);
  tessera_tensor view = {.rank = piece->rank, .shape = piece->shape, .strides = strides};
  int64_t offset = find_box(piece, strides);
  if (offset < 0 || tessera_tensor_elements(&view) == 0 || !tr_tensor_is_dense(&view))
    return NULL;
  char *data = (char *)global->data + offset * (int64_t)tessera_dtype_size(global->dtype);
  return (uintptr_t)data % ALIGNMENT ? NULL : data;
}

static bool may_borrow(const tessera_parameter *parameter, const tessera_context *context,
                       const tr_placement *placement) {
  const int64_t *words;
  return parameter->rank >= 0 && !(parameter->flags & TESSERA_PARAMETER_DONATED) &&
         tr_partial_axes(placement, &words) == 0 &&
         tr_parameter_device(parameter, context) == &tr_host_device;
}

tessera_status tessera_borrow_parameter(const tessera_program *program,
                                        const tessera_parameter *parameter,
                                        tessera_context *context, const tessera_tensor *global,
                                        tessera_tensor *local) {
  memset(local, 0, sizeof(*local));
  tr_located located;
  tr_piece piece;
  tessera_status status = locate(program, parameter, context, global, &located);
  if (status || !may_borrow(parameter, context, &located.placement))
    return status;
  status = tr_piece_create(&located.placement, tessera_context_rank(context), TR_PIECE_HALO,
                           global->rank, global->shape, &piece);
  if (status)
    return status;
  void *data = find_piece(&piece, global);
  if (data) /* which stays global's: a tensor that cannot be made frees what it has */
    status =
        tr_tensor_adopt(&tr_host_device, global->dtype, global->rank, piece.shape, NULL, local);
  if (!status)
    local->data = data;
  tr_piece_destroy(&piece);
  return status;
}

/* ---- indices --------------------------------------------------------------------------------- */

/* Numbers the elements of the global tensor in row-major order, along the runs of the piece. */
static void number_runs(const tr_piece *piece, int32_t dim, int64_t number, int64_t *local) {
  if (dim == piece->rank) {
    *local = number;
    return;
  }
  int64_t step = 1;
  for (int32_t i = dim + 1; i < piece->rank; i++)
    step *= piece->shape[i];
  for (int64_t r = 0; r < piece->runs[dim].count; r++) {
    const tr_run *run = &piece->runs[dim].runs[r];
    for (int64_t i = 0; i < run->length; i++)
      number_runs(piece, dim + 1, number * piece->global[dim] + run->global + i,
                  local + (run->local + i) * step);
  }
}

tessera_status tessera_parameter_indices(const tessera_program *program,
                                         const tessera_parameter *parameter,
                                         const tessera_context *context, const int64_t *global,
                                         tessera_tensor *indices) {
  memset(indices, 0, sizeof(*indices));
  tr_located located;
  tr_piece piece;
  tessera_status status = tr_locate(program, parameter, context, global, &located);
  if (!status)
    status = tr_piece_create(&located.placement, tessera_context_rank(context), TR_PIECE_HALO,
                             tr_parameter_rank(parameter), global, &piece);
  if (status)
    return status;
  status = tessera_tensor_create(TESSERA_I64, piece.rank, piece.shape, indices);
  int64_t elements = status ? 0 : tessera_tensor_elements(indices);
  for (int64_t i = 0; i < elements; i++)
    ((int64_t *)indices->data)[i] = -1;
  if (elements > 0)
    number_runs(&piece, 0, 0, indices->data);
  tr_piece_destroy(&piece);
  return status;
}
