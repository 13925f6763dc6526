/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* update_halo: the border rows of neighbours, dimension by dimension, so that corners come along.
 * It must not know element types, nor how messages travel. */
#include "collectives/call.h"
#include "error.h"

enum { NUM_SIDES = 2 }; /* low, high */

/* One split dimension of the buffer. */
typedef struct halo {
  int32_t dim;
  int64_t low, high; /* rows that this rank has before and after its core */
  int64_t core;
} halo;

static tessera_status read_halo(const tr_view *buffer, int32_t dim, const int64_t *sizes,
                                halo *halo) {
  halo->dim = dim;
  halo->low = sizes[0];
  halo->high = sizes[1];
  halo->core = buffer->sizes[dim] - sizes[0] - sizes[1];
  if (sizes[0] < 0 || sizes[1] < 0 || halo->core < 0)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "dimension %d of %lld rows cannot have halos of %lld and %lld rows", dim,
                   (long long)buffer->sizes[dim], (long long)sizes[0], (long long)sizes[1]);
  return TESSERA_OK;
}

static tr_view rows_at(const tr_view *buffer, int32_t dim, int64_t start, int64_t length) {
  tr_view rows = *buffer;
  tr_view_narrow(&rows, dim, start, length);
  return rows;
}

/* The neighbour below gets what lies first in the core, the one above what lies last. */
static tessera_status exchange_borders(tr_call *call, const tr_view *buffer, const halo *halo) {
  int32_t self = call->group->self, dim = halo->dim;
  bool has_below = self > 0, has_above = self + 1 < call->group->size;
  tr_batch batch;
  if ((has_below && halo->core < halo->high) || (has_above && halo->core < halo->low))
    return tr_fail(TESSERA_ERROR_UNSUPPORTED,
                   "dimension %d has %lld rows here, fewer than the neighbour's halo", dim,
                   (long long)halo->core);
  tessera_status status = tr_batch_start(call, &batch);
  if (status)
    return status;
  if (has_below && halo->low > 0) {
    tr_view rows = rows_at(buffer, dim, 0, halo->low);
    tr_batch_add(&batch, TR_RECEIVE, self - 1, &rows);
  }
  if (has_above && halo->high > 0) {
    tr_view rows = rows_at(buffer, dim, halo->low + halo->core, halo->high);
    tr_batch_add(&batch, TR_RECEIVE, self + 1, &rows);
  }
  if (has_below && halo->high > 0) {
    tr_view rows = rows_at(buffer, dim, halo->low, halo->high);
    tr_batch_add(&batch, TR_SEND, self - 1, &rows);
  }
  if (has_above && halo->low > 0) {
    tr_view rows = rows_at(buffer, dim, halo->core, halo->low);
    tr_batch_add(&batch, TR_SEND, self + 1, &rows);
  }
  return tr_batch_run(call, &batch);
}

static tessera_status update_dimension(tr_call *call, const tr_view *buffer, int32_t dim,
                                       int64_t num_axes, const int64_t *words,
                                       const int64_t *sizes) {
  int32_t axes[TR_VIEW_RANK];
  const tr_named_group *named;
  halo halo;
  if (num_axes > TR_VIEW_RANK)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "dimension %d is split too often", dim);
  for (int64_t i = 0; i < num_axes; i++)
    axes[i] = (int32_t)words[i];
  tessera_status status =
      tr_context_group(call->context, call->site->grid, (int32_t)num_axes, axes, &named);
  if (!status)
    status = read_halo(buffer, dim, sizes, &halo);
  if (status)
    return status;
  call->group = &named->group;
  return exchange_borders(call, buffer, &halo);
}

static tessera_status update_halo(tr_call *call, const void *descriptor, const int64_t *sizes) {
  const int64_t *words = call->site->from;
  tr_view buffer;
  tessera_status status = tr_call_input(call, descriptor, &buffer);
  if (!status && (!words || words[0] < 0 || words[0] > buffer.rank))
    status = tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "the split axes do not fit the buffer");
  int64_t num_dims = status ? 0 : *words++;
  for (int32_t dim = 0; !status && dim < num_dims; dim++) {
    int64_t num_axes = *words++;
    if (num_axes > 0) {
      status = update_dimension(call, &buffer, dim, num_axes, words, sizes);
      sizes += NUM_SIDES;
    }
    words += num_axes;
  }
  return status;
}

void tessera_rt_update_halo(const tessera_site *site, tessera_stream *stream, const void *buffer,
                            const int64_t *halo_sizes) {
  (void)stream;
  tr_call call;
  tessera_status status = tr_call_begin(site, &call);
  tr_call_end(&call, status ? status : update_halo(&call, buffer, halo_sizes));
}
