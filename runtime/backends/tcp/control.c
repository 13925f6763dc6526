/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The control plane over TCP. Whether members call the same collectives is a hash of all calls so
 * far, compared now and then. It must not know what a collective does. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/tcp/client.h"
#include "planes/site_hash.h"
#include "support/error.h"
#include "support/wishes.h"

/* Programs that differ mostly do so from the beginning; a comparison is a way to the store. */
enum { ALWAYS_AT_FIRST = 64, EVERY = 512 };

static tcp_group *group_of(const tr_group *group) {
  return group->handle;
}

/* ---- what members say of a call -------------------------------------------------------------- */

typedef struct account {
  uint64_t site, call; /* hashes */
  uint64_t program_call;
  char place[192];
  char shape[96];
} account;

static uint64_t hash_common(const tr_common *common) {
  uint64_t hash = tr_hash_mix(tr_hash_site(common->site), (uint64_t)common->root);
  hash = tr_hash_mix(hash, (uint64_t)common->manner);
  for (int32_t i = 0; common->view && i < common->view->rank; i++)
    if (i != common->except)
      hash = tr_hash_mix(hash, (uint64_t)common->view->sizes[i]);
  return hash;
}

static void describe(const tr_common *common, account *account) {
  const tessera_site *site = common->site;
  int64_t extents[TR_VIEW_RANK];
  int32_t rank = common->view ? common->view->rank : 0;
  account->site = tr_hash_site(site);
  account->call = hash_common(common);
  snprintf(account->place, sizeof(account->place), "'%s'%s%s", site->name,
           site->location[0] ? " at " : "", site->location);
  for (int32_t i = 0; i < rank; i++)
    extents[i] = i == common->except ? -1 : common->view->sizes[i];
  size_t used = strlen(tr_extents_text(rank, extents, account->shape, sizeof(account->shape)));
  if (common->root >= 0)
    snprintf(account->shape + used, sizeof(account->shape) - used, "%swith root %" PRId64,
             used ? " " : "", common->root);
}

/* ---- what differs ---------------------------------------------------------------------------- */

static tessera_status report(const tcp_group *group, const account *a, const account *b,
                             int32_t other) {
  int32_t first = group->members[0], second = group->members[other];
  if (a->call == b->call && a->program_call == b->program_call)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "ranks have called different collectives before this one; with TESSERA_CHECK=1 "
                   "each is compared before it begins");
  if (a->site != b->site)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "ranks call different collectives: rank %d is in %s, rank %d in %s", first,
                   a->place, second, b->place);
  if (a->program_call != b->program_call)
    return tr_fail(
        TESSERA_ERROR_MISMATCH,
        "ranks make different numbers of collectives in a call of the program: rank %d is in %s of "
        "its call number %" PRIu64 ", rank %d in %s of its call number %" PRIu64,
        first, a->place, a->program_call, second, b->place, b->program_call);
  return tr_fail(TESSERA_ERROR_MISMATCH, "pieces do not fit: rank %d calls %s on %s, rank %d on %s",
                 first, a->place, a->shape, second, b->shape);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static int64_t next_comparison(const tcp_group *group) {
  bool is_each = group->calls < ALWAYS_AT_FIRST || tr_is_switched_on("TESSERA_CHECK");
  int64_t wait = is_each ? 1 : group->calls;
  return group->calls + (wait < EVERY ? wait : EVERY);
}

/* TESSERA_ERROR_UNSUPPORTED if the members' calls differ. */
static tessera_status compare_histories(tcp_client *client, tcp_group *group) {
  uint64_t few[64], *all = group->size <= 64 ? few : malloc(sizeof(*all) * (size_t)group->size);
  if (!all)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory to compare calls");
  tessera_status status = tcp_meet(client, group, &group->history, sizeof(*all), all);
  group->differs = false;
  for (int32_t i = 1; !status && i < group->size; i++)
    group->differs = group->differs || all[i] != all[0];
  if (all != few)
    free(all);
  return status || !group->differs ? status : TESSERA_ERROR_UNSUPPORTED;
}

/* Of calls that differ. */
static tessera_status find_difference(tr_world *world, tcp_group *group, const tr_common *common) {
  account own = {.program_call = world->program_calls};
  account *all = malloc(sizeof(own) * (size_t)group->size);
  if (!all)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory to compare calls");
  describe(common, &own);
  tessera_status status = tcp_meet(client_of(world), group, &own, sizeof(own), all);
  int32_t other = 1;
  while (!status && other + 1 < group->size && all[other].call == all[0].call &&
         all[other].program_call == all[0].program_call)
    other++;
  if (!status)
    status = report(group, &all[0], &all[other], other);
  free(all);
  return status;
}

/* Notes that a call of this hash begins, and compares it if it is time. */
static tessera_status compare_again(tr_world *world, const tr_group *of, uint64_t hash) {
  tcp_group *group = group_of(of);
  group->history = tr_hash_mix(group->history, hash + world->program_calls * 0x9ddfea08eb382d69u);
  group->calls++;
  if (group->size == 1 || group->calls < group->compared)
    return TESSERA_OK;
  group->compared = next_comparison(group);
  return compare_histories(client_of(world), group);
}

static tessera_status compare(tr_world *world, const tr_group *of, tr_common *common) {
  tcp_group *group = group_of(of);
  common->hash = hash_common(common);
  tessera_status status =
      group->differs ? TESSERA_ERROR_UNSUPPORTED : compare_again(world, of, common->hash);
  if (status != TESSERA_ERROR_UNSUPPORTED)
    return status;
  group->differs = false;
  return find_difference(world, group, common);
}

/* ---- agreeing and ending --------------------------------------------------------------------- */

static tessera_status collect(tr_world *world, const tr_group *group, const tessera_site *site,
                              int64_t count, const int64_t *mine, int64_t *all) {
  size_t bytes = sizeof(int64_t) * (size_t)count;
  (void)site;
  if (group->size > 1)
    return tcp_meet(client_of(world), group_of(group), mine, bytes, all);
  memcpy(all, mine, bytes);
  return TESSERA_OK;
}

/* Ranks know their groups in different orders, so all are compared at once. */
static tessera_status check_histories(tcp_client *client) {
  size_t count = 0;
  for (tcp_group *group = client->groups; group; group = group->next)
    count++;
  frame *meetings = calloc(count + 1, sizeof(*meetings));
  uint64_t *all = calloc((size_t)client->size + 1, sizeof(*all));
  tessera_status status = meetings && all
                              ? TESSERA_OK
                              : tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory to compare calls");
  size_t at = 0;
  for (tcp_group *group = client->groups; !status && group; group = group->next)
    status =
        tcp_begin_meeting(client, group, &group->history, sizeof(group->history), &meetings[at++]);
  for (size_t i = 0; !status && i < count; i++) {
    status = tcp_end_meeting(client, &meetings[i], all);
    for (uint32_t k = 1; !status && k < meetings[i].count; k++)
      if (all[k] != all[0])
        status = tr_fail(TESSERA_ERROR_MISMATCH,
                         "ranks have called different collectives; with TESSERA_CHECK=1 each is "
                         "compared before it begins");
  }
  free(meetings);
  free(all);
  return status;
}

/* What was sent before all met is here when they have. */
static tessera_status settle(tr_world *world) {
  tcp_client *client = client_of(world);
  int64_t mine[3] = {-1, 0, 0}, *all = calloc((size_t)client->size + 1, sizeof(mine));
  if (!all)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory to compare calls");
  frame left;
  tessera_status status = tcp_meet(client, client->all, mine, sizeof(mine), all);
  if (!status && tcp_drop_messages(client, &left)) {
    mine[0] = left.from;
    mine[1] = (int64_t)left.bytes;
    mine[2] = left.count;
  }
  if (!status)
    status = tcp_meet(client, client->all, mine, sizeof(mine), all);
  bool any = false;
  for (int32_t i = 0; !status && i < client->size; i++) {
    any = any || all[3 * i] >= 0;
    if (all[3 * i] == client->rank)
      status = tr_fail(TESSERA_ERROR_MISMATCH,
                       "%s: rank %d never received the %" PRId64 " bytes that rank %d sent",
                       client->sent[all[3 * i + 2] % TCP_SENDS], i, all[3 * i + 1], client->rank);
  }
  free(all);
  return status || any ? status : check_histories(client);
}

static tessera_status hear(tr_world *world) {
  return tcp_hear(client_of(world));
}

const tr_control tr_tcp_control = {.compare = compare,
                                   .compare_again = compare_again,
                                   .collect = collect,
                                   .settle = settle,
                                   .hear = hear};
