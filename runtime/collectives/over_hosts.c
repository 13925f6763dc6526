/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Gathers and scattered reductions of groups over several hosts, in two steps of messages.
 * It must not know how messages travel. */
#include "collectives/over_hosts.h"

#include "plans/jobs.h"
#include "tensors/dtype.h"

/* ---- how the group lies ---------------------------------------------------------------------- */

/* A member's place is the number of those before it on its host. On each other host one member
 * deals with it: the one at that place there, counted round. */
typedef struct spread {
  int32_t size, self, hosts; /* hosts in the order of their first members */
  bool any_share;            /* a host */
  int32_t *host, *place;     /* of each member */
  int32_t *members;          /* host by host, in order */
  int32_t *starts;           /* of each host among these, hosts + 1 of them */
} spread;

static void count_places(const tr_group *group, const int32_t *hosts, int32_t *known,
                         spread *spread) {
  for (int32_t i = 0; i < group->size; i++) {
    int32_t first = hosts[group->members[i]]; /* rank of that host */
    if (!known[first]) {
      spread->starts[spread->hosts] = 0;
      known[first] = ++spread->hosts;
    }
    spread->host[i] = known[first] - 1;
    spread->place[i] = spread->starts[spread->host[i]]++;
    spread->any_share = spread->any_share || spread->place[i] > 0;
  }
}

static void list_members(spread *spread) {
  int32_t start = 0;
  for (int32_t i = 0; i < spread->hosts; i++) {
    int32_t count = spread->starts[i];
    spread->starts[i] = start;
    start += count;
  }
  spread->starts[spread->hosts] = start;
  for (int32_t i = 0; i < spread->size; i++)
    spread->members[spread->starts[spread->host[i]] + spread->place[i]] = i;
}

static tessera_status find_spread(const tr_draft *draft, spread *spread) {
  enum { LISTS = 4 };
  const tr_world *world = &draft->call.context->world;
  const tr_group *group = draft->call.group;
  size_t size = (size_t)group->size;
  *spread = (struct spread){.size = group->size, .self = group->self};
  if (!world->hosts)
    return TESSERA_ERROR_UNSUPPORTED;
  size_t count = LISTS * size + 1 + (size_t)world->size;
  int32_t *lists = tr_call_memory(&draft->call, sizeof(int32_t) * count);
  if (!lists)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  spread->host = lists;
  spread->place = lists + size;
  spread->members = lists + 2 * size;
  spread->starts = lists + 3 * size;
  int32_t *known = spread->starts + size + 1;
  for (int32_t i = 0; i < world->size; i++)
    known[i] = 0;
  count_places(group, world->hosts, known, spread);
  list_members(spread);
  return spread->hosts > 1 && spread->any_share ? TESSERA_OK : TESSERA_ERROR_UNSUPPORTED;
}

/* Who deals with `member` on a host; on its own that is itself. */
static int32_t hand_of(const spread *spread, int32_t member, int32_t host) {
  int32_t start = spread->starts[host], count = spread->starts[host + 1] - start;
  return spread->members[start + spread->place[member] % count];
}

static bool is_here(const spread *spread, int32_t member) {
  return spread->host[member] == spread->host[spread->self];
}

/* This host's members: members[*first] to members[*behind]. */
static void find_own(const spread *spread, int32_t *first, int32_t *behind) {
  int32_t host = spread->host[spread->self];
  *first = spread->starts[host];
  *behind = spread->starts[host + 1];
}

/* ---- gathers --------------------------------------------------------------------------------- */

/* To each other host once, and from each member elsewhere that this one deals with. */
static tessera_status cross(tr_draft *draft, const spread *spread, const tr_view *own,
                            const tr_parts *parts) {
  tr_view rows;
  tr_batch batch;
  tessera_status status = tr_batch_start(draft, spread->size + spread->hosts + 2, &batch);
  if (status)
    return status;
  for (int32_t i = 0; i < spread->hosts; i++)
    if (i != spread->host[spread->self])
      tr_batch_add(&batch, TR_SEND, hand_of(spread, spread->self, i), own);
  for (int32_t i = 0; i < spread->size; i++) {
    tr_part(parts, i, &rows);
    if (!is_here(spread, i) && hand_of(spread, i, spread->host[spread->self]) == spread->self)
      tr_batch_add(&batch, TR_RECEIVE, i, &rows);
  }
  tr_part(parts, spread->self, &rows);
  status = tr_batch_copy(draft, &batch, own, &rows);
  return status ? status : tr_batch_end(draft, &batch);
}

/* To the other members of this host what has come, and what is this one's own. */
static tessera_status pass_round(tr_draft *draft, const spread *spread, const tr_parts *parts) {
  int32_t first, behind, host = spread->host[spread->self];
  tr_batch batch;
  find_own(spread, &first, &behind);
  tessera_status status =
      tr_batch_start(draft, (int64_t)spread->size * (behind - first + 1), &batch);
  for (int32_t i = 0; !status && i < spread->size; i++) {
    int32_t hand = hand_of(spread, i, host);
    tr_view rows;
    tr_part(parts, i, &rows);
    if (hand != spread->self)
      tr_batch_add(&batch, TR_RECEIVE, hand, &rows);
    for (int32_t k = first; hand == spread->self && k < behind; k++)
      if (spread->members[k] != spread->self)
        tr_batch_add(&batch, TR_SEND, spread->members[k], &rows);
  }
  return status ? status : tr_batch_end(draft, &batch);
}

tessera_status tr_gather_over_hosts(tr_draft *draft, const tr_view *own, const tr_parts *parts) {
  spread spread;
  tessera_status status = find_spread(draft, &spread);
  if (!status)
    status = cross(draft, &spread, own, parts);
  return status ? status : pass_round(draft, &spread, parts);
}

/* ---- scattered reductions -------------------------------------------------------------------- */

/* Of each member whose part this one deals with: where its host's members' values of it are, in
 * their order, and what these come to. */
typedef struct sums {
  char **pieces; /* of member i those of this host, from pieces[i * here] on; else NULL */
  char **sums;   /* by member; else NULL */
  int32_t here;  /* members of this host */
} sums;

static int64_t elements_of(const tr_parts *parts, int32_t member) {
  tr_view rows;
  tr_part(parts, member, &rows);
  return tr_view_elements(&rows);
}

static tessera_status place_sums(tr_draft *draft, const spread *spread,
                                 const tr_combination *reduction, const tr_parts *parts,
                                 sums *sums) {
  int32_t first, behind;
  find_own(spread, &first, &behind);
  size_t size = (size_t)spread->size, here = (size_t)(behind - first);
  char **places = tr_call_memory(&draft->call, sizeof(char *) * size * (here + 1));
  *sums = (struct sums){.pieces = places, .sums = places + size * here, .here = behind - first};
  if (!places)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  for (int32_t i = 0; i < spread->size; i++) {
    bool is_ours = hand_of(spread, i, spread->host[spread->self]) == spread->self;
    size_t count = (size_t)elements_of(parts, i);
    sums->sums[i] =
        is_ours ? tr_draft_memory(draft, count * tessera_dtype_size(reduction->accumulator)) : NULL;
    for (int32_t k = 0; k < sums->here; k++)
      sums->pieces[i * sums->here + k] =
          is_ours ? tr_draft_memory(draft, count * (size_t)parts->view->element) : NULL;
  }
  return TESSERA_OK;
}

/* The values of each part to the member of this host that deals with it, which combines them. */
static tessera_status sum_here(tr_draft *draft, const spread *spread,
                               const tr_combination *reduction, const tr_parts *parts,
                               const sums *sums) {
  int32_t first, behind;
  tr_batch batch;
  find_own(spread, &first, &behind);
  tessera_status status = tr_batch_start(draft, (int64_t)spread->size * (sums->here + 1), &batch);
  for (int32_t i = 0; !status && i < spread->size; i++) {
    int32_t hand = hand_of(spread, i, spread->host[spread->self]);
    tr_view rows, piece;
    tr_part(parts, i, &rows);
    if (hand != spread->self)
      tr_batch_add(&batch, TR_SEND, hand, &rows);
    for (int32_t k = first; !status && hand == spread->self && k < behind; k++) {
      tr_view_dense(sums->pieces[i * sums->here + k - first], &rows, &piece);
      if (spread->members[k] != spread->self)
        tr_batch_add(&batch, TR_RECEIVE, spread->members[k], &piece);
      else
        status = tr_batch_copy(draft, &batch, &rows, &piece);
    }
  }
  if (!status)
    status = tr_batch_end(draft, &batch);
  tr_combination what = *reduction;
  what.output = what.accumulator;
  what.members = sums->here;
  what.divisor = 0;
  for (int32_t i = 0; !status && i < spread->size; i++) {
    what.count = elements_of(parts, i);
    if (sums->sums[i])
      status = tr_draft_combine(draft, &what, &sums->pieces[i * sums->here], sums->sums[i]);
  }
  return status;
}

/* The sums to the members whose parts they are, which combine those of all hosts. */
static tessera_status sum_hosts(tr_draft *draft, const spread *spread,
                                const tr_combination *reduction, const tr_parts *parts,
                                const sums *sums, char *output) {
  size_t element = tessera_dtype_size(reduction->accumulator);
  int64_t count = elements_of(parts, spread->self);
  tr_view sum;
  tr_batch batch;
  char **pieces = tr_call_memory(&draft->call, sizeof(char *) * (size_t)spread->hosts);
  tessera_status status = tr_batch_start(draft, spread->size + spread->hosts, &batch);
  if (!pieces || status)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  for (int32_t i = 0; i < spread->size; i++) {
    tr_view_flat(sums->sums[i], element, elements_of(parts, i), &sum);
    if (sums->sums[i] && !is_here(spread, i))
      tr_batch_add(&batch, TR_SEND, i, &sum);
  }
  for (int32_t i = 0; i < spread->hosts; i++) {
    bool is_own = i == spread->host[spread->self];
    pieces[i] = is_own ? sums->sums[spread->self] : tr_draft_memory(draft, element * (size_t)count);
    tr_view_flat(pieces[i], element, count, &sum);
    if (!is_own)
      tr_batch_add(&batch, TR_RECEIVE, hand_of(spread, spread->self, i), &sum);
  }
  status = tr_batch_end(draft, &batch);
  tr_combination what = *reduction;
  what.input = what.accumulator;
  what.members = spread->hosts;
  what.count = count;
  return status ? status : tr_draft_combine(draft, &what, pieces, output);
}

tessera_status tr_scatter_over_hosts(tr_draft *draft, const tr_combination *reduction,
                                     const tr_parts *parts, char *output) {
  spread spread;
  sums sums;
  tessera_status status = find_spread(draft, &spread);
  if (!status)
    status = place_sums(draft, &spread, reduction, parts, &sums);
  if (!status)
    status = sum_here(draft, &spread, reduction, parts, &sums);
  return status ? status : sum_hosts(draft, &spread, reduction, parts, &sums, output);
}
