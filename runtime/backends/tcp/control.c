/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The control plane over TCP. Whether members call the same collectives is a hash of all calls so
 * far, compared now and then. It must not know what a collective does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/tcp/client.h"
#include "planes/ledger.h"
#include "planes/site_hash.h"
#include "support/error.h"
#include "support/wishes.h"

/* Programs that differ mostly do so from the beginning; a comparison is a way to the store. */
enum { ALWAYS_AT_FIRST = 64 };

static tcp_group *group_of(const tr_group *group) {
  return group->handle;
}

/* ---- what differs ---------------------------------------------------------------------------- */

/* Of calls since the last comparison the first that is not the same on all members, by the hashes
 * of all. */
static uint64_t first_difference(const uint64_t *all, int32_t members) {
  uint64_t call = 0;
  for (; call + 1 < TR_LEDGER_CALLS; call++)
    for (int32_t i = 1; i < members; i++)
      if (all[(size_t)i * TR_LEDGER_CALLS + call] != all[call])
        return call;
  return call;
}

/* Of a group whose members' histories differ: what they tell each other. */
typedef struct difference {
  tcp_group *group;
  frame meeting;
  uint64_t *hashes; /* of all members */
  tr_account *accounts;
} difference;

static tessera_status begin_hashes(tcp_client *client, difference *of) {
  const tcp_group *group = of->group;
  uint64_t own[TR_LEDGER_CALLS];
  for (uint64_t i = 0; i < TR_LEDGER_CALLS; i++) {
    const tr_entry *entry =
        group->book ? tr_page_entry(group->book->page, group->compared + i) : NULL;
    own[i] = entry ? tr_entry_hash(entry) : 0;
  }
  of->hashes = malloc(sizeof(own) * (size_t)group->size);
  of->accounts = malloc(sizeof(*of->accounts) * (size_t)group->size);
  if (!of->hashes || !of->accounts)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory to compare calls");
  return tcp_begin_meeting(client, of->group, own, sizeof(own), &of->meeting);
}

static tessera_status begin_accounts(tcp_client *client, difference *of) {
  const tr_book *book = of->group->book;
  uint64_t call = of->group->compared + first_difference(of->hashes, of->group->size);
  tr_account own;
  tr_ledger_account(book ? book->ledger : NULL, book ? tr_page_entry(book->page, call) : NULL,
                    client->rank, &own);
  return tcp_begin_meeting(client, of->group, &own, sizeof(own), &of->meeting);
}

/* `where`: in which group, if the call does not say so. */
static tessera_status report(const difference *of, const char *where) {
  char text[1024];
  tr_odd_account found = tr_accounts_find_odd(of->accounts, of->group->size);
  if (found.other)
    tr_accounts_tell_odd(&found, text, sizeof(text));
  else
    snprintf(text, sizeof(text), "ranks have called different collectives");
  return tr_fail(TESSERA_ERROR_MISMATCH, "%s%s", where, text);
}

/* How calls differ in the first of some groups. In all of them at once, since ranks know their
 * groups in different orders. */
static tessera_status tell_differences(tcp_client *client, difference *all, size_t count,
                                       const char *where) {
  tessera_status status = TESSERA_OK;
  for (size_t i = 0; !status && i < count; i++)
    status = begin_hashes(client, &all[i]);
  for (size_t i = 0; !status && i < count; i++)
    status = tcp_end_meeting(client, &all[i].meeting, all[i].hashes);
  for (size_t i = 0; !status && i < count; i++)
    status = begin_accounts(client, &all[i]);
  for (size_t i = 0; !status && i < count; i++)
    status = tcp_end_meeting(client, &all[i].meeting, all[i].accounts);
  if (!status && count > 0)
    status = report(&all[0], where);
  for (size_t i = 0; i < count; i++) {
    free(all[i].hashes);
    free(all[i].accounts);
  }
  return status;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static uint64_t next_comparison(uint64_t calls) {
  bool is_each = calls < ALWAYS_AT_FIRST || tr_is_switched_on("TESSERA_CHECK");
  uint64_t wait = is_each ? 1 : calls;
  return calls + (wait < TR_LEDGER_CALLS ? wait : TR_LEDGER_CALLS);
}

static bool all_same(const uint64_t *all, int32_t members) {
  for (int32_t i = 1; i < members; i++)
    if (all[i] != all[0])
      return false;
  return true;
}

static tessera_status compare_histories(tcp_client *client, tcp_group *group, uint64_t calls) {
  uint64_t few[64], *all = group->size <= 64 ? few : malloc(sizeof(*all) * (size_t)group->size);
  if (!all)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory to compare calls");
  tessera_status status = tcp_meet(client, group, &group->history, sizeof(*all), all);
  bool differs = !status && !all_same(all, group->size);
  if (all != few)
    free(all);
  if (differs)
    return tell_differences(client, &(difference){.group = group}, 1, "");
  group->compared = calls;
  return status;
}

static tessera_status compare(tr_world *world, const tr_group *of) {
  tcp_group *group = group_of(of);
  const tr_page *page = group->book->page;
  uint64_t calls = tr_page_calls(page);
  const tr_entry *last = &page->entries[(calls - 1) & (TR_LEDGER_CALLS - 1)];
  group->history = tr_hash_mix(group->history, tr_entry_hash(last));
  if (calls < group->due)
    return TESSERA_OK;
  group->due = next_comparison(calls);
  return compare_histories(client_of(world), group, calls);
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

/* Compares what has not been compared yet. Each group has its meeting, and then those that differ.
 */
static tessera_status compare_groups(tcp_client *client, difference *groups, uint64_t *all) {
  tessera_status status = TESSERA_OK;
  size_t begun = 0, count = 0;
  for (tcp_group *group = client->groups; !status && group; group = group->next) {
    difference *of = &groups[begun++];
    of->group = group;
    status = tcp_begin_meeting(client, group, &group->history, sizeof(*all), &of->meeting);
  }
  for (size_t i = 0; !status && i < begun; i++) {
    tcp_group *group = groups[i].group;
    status = tcp_end_meeting(client, &groups[i].meeting, all);
    if (!status && !all_same(all, group->size))
      groups[count++].group = group;
    else if (!status && group->book)
      group->compared = tr_page_calls(group->book->page);
  }
  char where[256] = "";
  if (count > 0)
    tr_account_group(groups[0].group->members, groups[0].group->size, where, sizeof(where));
  return status ? status : tell_differences(client, groups, count, where);
}

static tessera_status check_histories(tcp_client *client) {
  size_t count = 0;
  for (tcp_group *group = client->groups; group; group = group->next)
    count++;
  difference *groups = calloc(count + 1, sizeof(*groups));
  uint64_t *all = calloc((size_t)client->size + 1, sizeof(*all));
  tessera_status status = groups && all
                              ? compare_groups(client, groups, all)
                              : tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory to compare calls");
  free(groups);
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

const tr_control tr_tcp_control = {
    .compare = compare, .collect = collect, .settle = settle, .hear = hear};
