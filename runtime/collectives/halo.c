/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* update_halo: the border rows of other members, dimension by dimension, so that corners come
 * along. It must not know element types, nor how messages travel. */
#include "collectives/call.h"
#include "collectives/repeat.h"
#include "error.h"

enum { NUM_SIDES = 2 }; /* low, high */

/* One split dimension of the buffer: `low` rows, this rank's core, `high` rows. */
typedef struct halo {
  int32_t dim;
  int64_t low, high;
  int64_t core;
  const int64_t *starts; /* where members' cores begin in the whole tensor; size + 1 */
} halo;

/* Members' cores have one size, unless the site says that sizes are agreed on at run time. */
static tessera_status find_starts(tr_call *call, int64_t core, const int64_t **found) {
  int64_t *starts = tr_call_starts(call);
  if (!starts)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  *found = starts;
  if (call->site->flags & TESSERA_SITE_LOCAL_SIZES)
    return tr_call_agreed(call, core, starts);
  for (int32_t i = 0; i <= call->group->size; i++)
    starts[i] = i * core;
  return TESSERA_OK;
}

static tessera_status read_halo(tr_call *call, const tr_view *buffer, int32_t dim,
                                const int64_t *sizes, halo *halo) {
  halo->dim = dim;
  halo->low = sizes[0];
  halo->high = sizes[1];
  halo->core = buffer->sizes[dim] - sizes[0] - sizes[1];
  if (sizes[0] < 0 || sizes[1] < 0 || halo->core < 0)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "dimension %d of %lld rows cannot have halos of %lld and %lld rows", dim,
                   (long long)buffer->sizes[dim], (long long)sizes[0], (long long)sizes[1]);
  return find_starts(call, halo->core, &halo->starts);
}

/* Adds the rows of `owner`'s core that `user` has in its halo, as far as there are any. */
static void add_rows(const tr_call *call, const tr_view *buffer, const halo *halo, int32_t owner,
                     int32_t user, tr_batch *batch) {
  const int64_t *starts = halo->starts;
  bool is_below = owner < user;
  int64_t from = is_below ? starts[user] - halo->low : starts[user + 1];
  int64_t to = is_below ? starts[user] : starts[user + 1] + halo->high;
  if (from < starts[owner])
    from = starts[owner];
  if (to > starts[owner + 1])
    to = starts[owner + 1];
  if (from >= to)
    return;
  tr_view rows;
  tr_view_assign(&rows, buffer);
  int32_t self = call->group->self;
  tr_view_narrow(&rows, halo->dim, from - starts[self] + halo->low, to - from);
  tr_batch_add(batch, owner == self ? TR_SEND : TR_RECEIVE, owner == self ? user : owner, &rows);
}

/* A halo that is wider than the neighbour's core reaches into those behind it. */
static tessera_status exchange_borders(tr_call *call, const tr_view *buffer, const halo *halo) {
  int32_t self = call->group->self;
  tr_batch batch;
  tessera_status status = tr_batch_start_all(call, &batch);
  for (int32_t i = 0; !status && i < call->group->size; i++)
    if (i != self) {
      add_rows(call, buffer, halo, i, self, &batch);
      add_rows(call, buffer, halo, self, i, &batch);
    }
  return status ? status : tr_batch_run(call, &batch);
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
  if (status)
    return status;
  call->group = &named->group;
  status = tr_call_check(call, NULL, -1, dim);
  if (!status)
    status = read_halo(call, buffer, dim, sizes, &halo);
  return status ? status : exchange_borders(call, buffer, &halo);
}

static tessera_status update_halo(tr_call *call) {
  const int64_t *words = call->site->from, *sizes = call->numbers;
  tr_view buffer;
  tessera_status status = tr_call_input(call, call->in, &buffer);
  call->ignores_out = true;
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
    call->num_numbers = (int32_t)(sizes - call->numbers);
    call->num_from = words - call->site->from;
  }
  return status;
}

void tessera_rt_update_halo(const tessera_site *site, tessera_stream *stream, const void *buffer,
                            const int64_t *halo_sizes) {
  (void)stream;
  tr_call_run(site, buffer, buffer, halo_sizes, update_halo);
}
