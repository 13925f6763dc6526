/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What all plans share: arguments checked, rows cut, steps of the rank's own added.
 * It must not know any particular collective. */
#include "plans/draft.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "context/compare.h"
#include "plans/steps.h"
#include "support/error.h"
#include "tensors/dtype.h"

tessera_status tr_draft_no_memory(void) {
  return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the plan of a collective");
}

/* ---- views ----------------------------------------------------------------------------------- */

static tessera_status compare_views(const tr_draft *draft) {
  const tessera_site *site = draft->call.site;
  const tr_view *from = &draft->from, *to = &draft->to;
  tr_varying varying = draft->row->varying;
  int32_t axis = varying == TR_VARY_NONE ? -1 : site->axis;
  int32_t other = varying == TR_VARY_BOTH_AXES ? site->concat_axis : -1;
  if (varying == TR_VARY_ALL)
    return from->rank == to->rank && site->input_type == site->output_type
               ? TESSERA_OK
               : tr_fail(TESSERA_ERROR_MISMATCH, "the pieces have different types or ranks");
  if (from->rank != to->rank || axis >= from->rank || other >= from->rank)
    return tr_fail(TESSERA_ERROR_MISMATCH, "ranks %d and %d do not fit axis %d", from->rank,
                   to->rank, axis > other ? axis : other);
  if (site->reduction == TESSERA_REDUCTION_NONE && site->input_type != site->output_type)
    return tr_fail(TESSERA_ERROR_MISMATCH, "element types %s and %s differ",
                   tr_dtype_name((tessera_dtype)site->input_type),
                   tr_dtype_name((tessera_dtype)site->output_type));
  for (int32_t i = 0; i < from->rank; i++)
    if (i != axis && i != other && from->sizes[i] != to->sizes[i])
      return tr_fail(TESSERA_ERROR_MISMATCH,
                     "dimension %d has %" PRId64 " rows going in and %" PRId64 " coming out", i,
                     from->sizes[i], to->sizes[i]);
  return TESSERA_OK;
}

static void describe_side(const tr_view *view, bool is_used, tr_side_key *key) {
  *key = (tr_side_key){.is_used = is_used};
  if (!is_used)
    return;
  key->rank = view->rank;
  key->element = view->element;
  if (tr_view_elements(view) > 0)
    tr_view_extent(view, &key->low, &key->high);
}

/* Off the root the side that only the root has is not looked at: it may have any extents. */
static tessera_status read_views(tr_draft *draft) {
  tr_sides sides = draft->row->sides;
  bool is_rooted = sides == TR_SIDES_ROOT_READS || sides == TR_SIDES_ROOT_WRITES;
  tr_key *key = &draft->plan->key;
  tessera_status status = TESSERA_OK;
  if (is_rooted) {
    draft->num_numbers = draft->call.site->num_axes;
    status = tr_call_position(&draft->call, draft->numbers, &draft->root);
  }
  bool is_off_root = is_rooted && draft->root != draft->call.group->self;
  draft->ignores_in = is_off_root && sides == TR_SIDES_ROOT_READS;
  draft->ignores_out = (is_off_root && sides == TR_SIDES_ROOT_WRITES) || sides == TR_SIDES_BUFFER;
  if (!status)
    status = tr_call_input(&draft->call, draft->in, &draft->from);
  if (!status && sides != TR_SIDES_BUFFER)
    status = tr_call_output(&draft->call, draft->out, &draft->to);
  if (!status && !draft->ignores_in && !draft->ignores_out)
    status = compare_views(draft);
  if (status)
    return status;
  describe_side(&draft->from, !draft->ignores_in, &key->in);
  describe_side(&draft->to, !draft->ignores_out, &key->out);
  key->relation = tr_relation_of(&key->in, draft->from.data, &key->out, draft->to.data);
  draft->from.data = tr_place(TR_INPUT, 0);
  draft->to.data = tr_place(key->relation == TR_SAME_ADDRESS ? TR_INPUT : TR_OUTPUT, 0);
  return TESSERA_OK;
}

tessera_status tr_draft_describe(tr_draft *draft) {
  tessera_status status = read_views(draft);
  return status ? status : draft->row->meet(draft);
}

/* ---- other members --------------------------------------------------------------------------- */

tessera_status tr_draft_compare(tr_draft *draft, const tr_view *common, int32_t except,
                                int64_t root) {
  tr_plan *plan = draft->plan;
  if (draft->call.group->size == 1)
    return TESSERA_OK;
  tr_comparison *all =
      realloc(plan->comparisons, sizeof(*all) * ((size_t)plan->num_comparisons + 1));
  if (!all)
    return tr_draft_no_memory();
  plan->comparisons = all;
  plan->bytes += sizeof(*all);
  tr_comparison *comparison = &all[plan->num_comparisons++];
  comparison->group = draft->call.group;
  comparison->common = (tr_common){.site = draft->call.site,
                                   .view = common,
                                   .except = except,
                                   .root = root,
                                   .manner = draft->manner};
  if (common)
    tr_view_assign(&comparison->view, common);
  comparison->common.hash = tr_account_hash(&comparison->common);
  return tr_compare(draft->call.context, draft->call.group, &comparison->common);
}

tessera_status tr_draft_agree(tr_draft *draft, int64_t mine) {
  tr_world *world = &draft->call.context->world;
  int64_t before = draft->num_agreed, size = draft->call.group->size;
  int64_t *agreed = tr_call_memory(&draft->call, sizeof(int64_t) * (size_t)(before + size));
  if (!agreed)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  if (before > 0)
    memcpy(agreed, draft->agreed, sizeof(int64_t) * (size_t)before);
  draft->agreed = agreed;
  draft->num_agreed = before + size;
  return world->control->collect(world, draft->call.group, draft->call.site, 1, &mine,
                                 agreed + before);
}

/* ---- rows ------------------------------------------------------------------------------------ */

int64_t *tr_draft_starts(const tr_draft *draft) {
  return tr_call_memory(&draft->call, sizeof(int64_t) * ((size_t)draft->call.group->size + 1));
}

/* Sizes differ by at most one, the larger ones last. */
void tr_draft_balance(const tr_draft *draft, int64_t full, int64_t *starts) {
  int64_t shards = draft->call.group->size, base = full / shards;
  int64_t first_larger = shards - full % shards;
  starts[0] = 0;
  for (int64_t i = 0; i < shards; i++)
    starts[i + 1] = starts[i] + base + (i >= first_larger);
}

void tr_draft_add_up(const tr_draft *draft, int64_t first, int64_t *starts) {
  starts[0] = 0;
  for (int32_t i = 0; i < draft->call.group->size; i++)
    starts[i + 1] = starts[i] + draft->agreed[first + i];
}

tessera_status tr_draft_shards(const tr_draft *draft, int64_t full, int64_t mine,
                               const int64_t **starts) {
  const tr_group *group = draft->call.group;
  int64_t *cuts = tr_draft_starts(draft);
  if (!cuts)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  if (draft->call.site->flags & TESSERA_SITE_LOCAL_SIZES)
    tr_draft_add_up(draft, 0, cuts);
  else
    tr_draft_balance(draft, full, cuts);
  if (cuts[group->size] != full)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "the pieces of the group have %" PRId64 " rows together, not %" PRId64,
                   cuts[group->size], full);
  int64_t expected = cuts[group->self + 1] - cuts[group->self];
  if (expected != mine)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "of %" PRId64 " rows over %d ranks, number %d has %" PRId64 ", not %" PRId64,
                   full, group->size, group->self, expected, mine);
  *starts = cuts;
  return TESSERA_OK;
}

bool tr_draft_is_even(const tr_draft *draft, const int64_t *starts) {
  int32_t size = draft->call.group->size;
  for (int32_t i = 1; i < size; i++)
    if (starts[i + 1] - starts[i] != starts[1] - starts[0])
      return false;
  return true;
}

/* ---- steps ----------------------------------------------------------------------------------- */

char *tr_draft_memory(tr_draft *draft, size_t bytes) {
  enum { ALIGNMENT = 64 };
  size_t offset = draft->plan->scratch_bytes, taken = bytes ? bytes : 1; /* a place that is there */
  draft->plan->scratch_bytes += (taken + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return tr_place(TR_SCRATCH, offset);
}

tessera_status tr_draft_copy(tr_draft *draft, const tr_view *from, const tr_view *to) {
  if (tr_view_elements(from) == 0 || from->data == to->data)
    return TESSERA_OK;
  tr_copy copy;
  tr_view_plan_copy(from, to, &copy);
  size_t bytes = offsetof(tr_copy, dims) + sizeof(tr_copy_dim) * (size_t)copy.rank;
  tr_copy_step *step =
      tr_plan_add(draft->plan, offsetof(tr_copy_step, copy) + bytes, tr_step_copy, NULL);
  if (!step)
    return tr_draft_no_memory();
  step->from = from->data;
  step->to = to->data;
  memcpy(&step->copy, &copy, bytes);
  return TESSERA_OK;
}

tessera_status tr_draft_convert(tr_draft *draft, tessera_dtype from_type, const char *from,
                                tessera_dtype to_type, char *to, int64_t count) {
  if (count == 0)
    return TESSERA_OK;
  tr_convert_step *step = tr_plan_add(draft->plan, sizeof(*step), tr_step_convert, NULL);
  if (!step)
    return tr_draft_no_memory();
  step->from_type = from_type;
  step->to_type = to_type;
  step->count = count;
  step->from = from;
  step->to = to;
  return TESSERA_OK;
}

tessera_status tr_draft_combine(tr_draft *draft, const tr_combination *what, char *const *pieces,
                                char *output) {
  tr_plan *plan = draft->plan;
  size_t bytes = sizeof(char *) * (size_t)what->members;
  if (what->count == 0)
    return TESSERA_OK;
  tr_combine_step *step = tr_plan_add(plan, sizeof(*step) + bytes, tr_step_combine, NULL);
  if (!step)
    return tr_draft_no_memory();
  step->what = *what;
  step->output = output;
  memcpy(step->pieces, pieces, bytes);
  if (plan->state_bytes < bytes)
    plan->state_bytes = bytes;
  return TESSERA_OK;
}

void tr_draft_dense_target(tr_draft *draft, const tr_view *view, tr_view *dense) {
  tr_view_assign(dense, view);
  if (!tr_view_is_dense(view))
    tr_view_dense(tr_draft_memory(draft, tr_view_bytes(view)), view, dense);
}

tessera_status tr_draft_dense(tr_draft *draft, const tr_view *view, tr_view *dense) {
  tr_draft_dense_target(draft, view, dense);
  return tr_draft_copy(draft, view, dense);
}
