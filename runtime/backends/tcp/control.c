/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The control plane over TCP. Whether members call the same collectives is a hash of all calls so
 * far, compared now and then. It must not know what a collective does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/tcp/client.h"
#include "planes/call_account.h"
#include "planes/site_hash.h"
#include "support/error.h"
#include "support/wishes.h"

/* Programs that differ mostly do so from the beginning; a comparison is a way to the store. */
enum { ALWAYS_AT_FIRST = 64, EVERY = 512 };

static tcp_group *group_of(const tr_group *group) {
  return group->handle;
}

/* ---- what differs ---------------------------------------------------------------------------- */

static tessera_status report(const tr_account *a, const tr_account *b) {
  char text[1024];
  if (tr_account_same(a, b))
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "ranks have called different collectives before this one; with TESSERA_CHECK=1 "
                   "each is compared before it begins");
  tr_account_difference(a, b, text, sizeof(text));
  return tr_fail(TESSERA_ERROR_MISMATCH, "%s", text);
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
  tr_account own, *all = malloc(sizeof(own) * (size_t)group->size);
  if (!all)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory to compare calls");
  tr_account_of_call(common, world->rank, world->program_calls, &own);
  tessera_status status = tcp_meet(client_of(world), group, &own, sizeof(own), all);
  int32_t other = 1;
  while (!status && other + 1 < group->size && tr_account_same(&all[0], &all[other]))
    other++;
  if (!status)
    status = report(&all[0], &all[other]);
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
  common->hash = tr_account_hash(common);
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
  int64_t mine[2] = {-1, 0}, *all = calloc((size_t)client->size + 1, sizeof(mine));
  if (!all)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory to compare calls");
  frame left;
  tessera_status status = tcp_meet(client, client->all, mine, sizeof(mine), all);
  if (!status && tcp_drop_messages(client, &left)) {
    mine[0] = left.from;
    mine[1] = left.count;
  }
  if (!status)
    status = tcp_meet(client, client->all, mine, sizeof(mine), all);
  bool any = false;
  for (int32_t i = 0; !status && i < client->size; i++) {
    any = any || all[2 * i] >= 0;
    if (all[2 * i] == client->rank)
      status = tr_fail(TESSERA_ERROR_MISMATCH, "%s: rank %d never received what rank %d sent",
                       client->sent[all[2 * i + 1] % TCP_SENDS], i, client->rank);
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
