/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* all_to_all: each member cuts what it has along one axis, and joins what it gets along another.
 * It must not know element types, nor how messages travel. */
#include "plans/jobs.h"
#include "support/error.h"

/* How a transposition is cut. */
typedef struct transposition {
  int64_t *sent;           /* starts along the split axis; balanced */
  const int64_t *received; /* starts along the concat axis; of what members bring */
  int64_t rows;            /* of the concat axis, of all members before the split */
  bool is_even;            /* all parts of all members have one size */
} transposition;

/* The extents of all members' data together, before the split. */
static void whole_of(const tr_draft *draft, tr_view *whole) {
  int32_t concat = draft->call.site->concat_axis;
  tr_view_assign(whole, &draft->from);
  whole->sizes[concat] = draft->to.sizes[concat];
}

tessera_status tr_meet_all_to_all(tr_draft *draft) {
  const tessera_site *site = draft->call.site;
  bool is_same = site->axis == site->concat_axis, is_even = site->flags & TESSERA_SITE_EVEN_SIZES;
  tr_view whole;
  whole_of(draft, &whole);
  tessera_status status =
      tr_draft_compare(draft, &whole, is_same && !is_even ? site->axis : -1, -1);
  if (!status && (is_same || site->flags & TESSERA_SITE_LOCAL_SIZES))
    status = tr_draft_agree(draft, draft->from.sizes[site->concat_axis]);
  return status;
}

/* What arrives is not what there is a place for: some member's data are longer or shorter. */
static tessera_status refuse_sizes(const tr_draft *draft, int64_t arriving, int64_t expected) {
  const tr_group *group = draft->call.group;
  const int64_t *sizes = draft->agreed;
  int32_t other = 0, self = group->self;
  while (other < group->size - 1 && sizes[other] == sizes[self])
    other++;
  return tr_fail(TESSERA_ERROR_MISMATCH,
                 "%lld rows arrive where %lld were expected: pieces do not fit: rank %d cuts %lld "
                 "rows, rank %d %lld",
                 (long long)arriving, (long long)expected, group->members[other],
                 (long long)sizes[other], group->members[self], (long long)sizes[self]);
}

/* Where both axes are one, member i sends its i-th piece of it, and the pieces that come back need
 * not have one size: what each member cut has to be known. */
static tessera_status cut_same_axis(const tr_draft *draft, transposition *cut) {
  int32_t size = draft->call.group->size, self = draft->call.group->self;
  const int64_t *sizes = draft->agreed;
  int64_t *theirs = tr_draft_starts(draft), *received = tr_draft_starts(draft);
  if (!theirs || !received)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  received[0] = 0;
  cut->is_even = sizes[0] % size == 0;
  for (int32_t i = 0; i < size; i++) {
    tr_draft_balance(draft, sizes[i], theirs);
    received[i + 1] = received[i] + theirs[self + 1] - theirs[self];
    cut->rows += sizes[i];
    cut->is_even = cut->is_even && sizes[i] == sizes[0];
  }
  cut->received = received;
  int64_t rows = draft->to.sizes[draft->call.site->axis];
  return received[size] == rows ? TESSERA_OK : refuse_sizes(draft, received[size], rows);
}

static tessera_status cut_transposition(const tr_draft *draft, transposition *cut) {
  int32_t split = draft->call.site->axis, concat = draft->call.site->concat_axis;
  int32_t self = draft->call.group->self, size = draft->call.group->size;
  const tr_view *from = &draft->from, *to = &draft->to;
  *cut = (transposition){tr_draft_starts(draft), NULL, 0, true};
  if (!cut->sent)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tr_draft_balance(draft, from->sizes[split], cut->sent);
  if (split == concat)
    return cut_same_axis(draft, cut);
  int64_t rows = cut->sent[self + 1] - cut->sent[self];
  if (to->sizes[split] != rows)
    return tr_fail(
        TESSERA_ERROR_MISMATCH, "of %lld rows over %d ranks, number %d has %lld, not %lld",
        (long long)from->sizes[split], size, self, (long long)rows, (long long)to->sizes[split]);
  cut->rows = to->sizes[concat];
  tessera_status status =
      tr_draft_shards(draft, to->sizes[concat], from->sizes[concat], &cut->received);
  cut->is_even =
      !status && from->sizes[split] % size == 0 && tr_draft_is_even(draft, cut->received);
  return status;
}

static tessera_status transpose_natively(tr_draft *draft, const tr_parts *sent,
                                         const tr_parts *received, const transposition *cut) {
  size_t size = (size_t)draft->call.group->size;
  tr_view whole;
  whole_of(draft, &whole);
  whole.sizes[draft->call.site->concat_axis] = cut->rows;
  tr_collective native = {.whole = tr_view_bytes(&whole),
                          .is_even = cut->is_even,
                          .is_joined = tr_view_joins(&whole, sent->axis) &&
                                       tr_view_joins(&whole, received->axis)};
  native.part = native.whole / (size * size);
  return tr_draft_natively(draft, sent, received, &native);
}

static tessera_status transpose_by_messages(tr_draft *draft, const tr_parts *sent,
                                            const tr_parts *received) {
  tr_batch batch;
  tessera_status status = tr_batch_start_all(draft, &batch);
  for (int32_t i = 0; !status && i < draft->call.group->size; i++) {
    tr_view out, in;
    tr_part(sent, i, &out);
    tr_part(received, i, &in);
    if (i == draft->call.group->self) {
      status = tr_batch_copy(draft, &batch, &out, &in);
      continue;
    }
    tr_batch_add(&batch, TR_SEND, i, &out);
    tr_batch_add(&batch, TR_RECEIVE, i, &in);
  }
  return status ? status : tr_batch_end_together(draft, &batch);
}

tessera_status tr_plan_all_to_all(tr_draft *draft) {
  int32_t concat = draft->call.site->concat_axis, self = draft->call.group->self;
  transposition cut;
  tessera_status status = cut_transposition(draft, &cut);
  if (status)
    return status;
  tr_parts sent = {&draft->from, draft->call.site->axis, cut.sent};
  tr_parts received = {&draft->to, concat, cut.received};
  status = transpose_natively(draft, &sent, &received, &cut);
  if (status == TESSERA_ERROR_UNSUPPORTED)
    return transpose_by_messages(draft, &sent, &received);
  int64_t own = cut.received[self + 1] - cut.received[self];
  draft->plan->received = tr_view_bytes(&draft->to) - tr_view_row(&draft->to, concat) * (size_t)own;
  return status;
}
