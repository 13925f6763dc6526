/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What members of a group tell each other of their calls when these differ, and how that is said.
 * It must not know how ranks compare calls, nor how accounts travel. */
#ifndef TESSERA_RUNTIME_PLANES_CALL_ACCOUNT_H
#define TESSERA_RUNTIME_PLANES_CALL_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "planes/control.h"

/* Of one member's call. Plain memory, to be sent as it is. */
typedef struct tr_account {
  uint64_t site, pieces; /* hashes of what is called, and of the rest that all have alike */
  uint64_t program_call;
  int64_t root; /* -1: none */
  int32_t rank;
  char place[192];   /* "'shard.all_reduce' at a.mlir:3:8" */
  char details[128]; /* "sum of f32": what else tells the site from others; said if it differs */
  char shape[96];    /* "4x? elements", "6 (4-byte elements)" */
} tr_account;

/* Writes "'shard.all_reduce' at a.mlir:3:8". */
void tr_account_place(const tessera_site *site, char *text, size_t capacity);

/* A site as it is told of later, when the site itself may be gone: a mesh's goes with the mesh. */
typedef struct tr_kept_site {
  tessera_site site; /* without its lists */
  char location[112];
} tr_kept_site;

static inline void tr_keep_site(const tessera_site *site, tr_kept_site *kept) {
  kept->site = *site;
  snprintf(kept->location, sizeof(kept->location), "%s", site->location);
  kept->site.location = kept->location;
  kept->site.grid = NULL;
  kept->site.axes = NULL;
}

/* Place and details of the call. The rest is empty. */
void tr_account_of_site(const tessera_site *site, int32_t rank, tr_account *account);

/* Writes "in the group of ranks {0, 2}: ", as much of it as fits. */
void tr_account_group(const int32_t *members, int32_t count, char *text, size_t capacity);

/* The hash of all that a call has in common with the same call of other members, but the program's.
 */
uint64_t tr_account_hash(const tr_common *common);

/* The whole account. */
void tr_account_of_call(const tr_common *common, int32_t rank, uint64_t program_call,
                        tr_account *account);

bool tr_account_same(const tr_account *a, const tr_account *b);

/* Of the accounts of a group's members one that the fewest have, and one that is another; `other`
 * is NULL if all are the same. */
typedef struct tr_odd_account {
  const tr_account *odd, *other;
  bool is_alone; /* most have another one */
} tr_odd_account;

tr_odd_account tr_accounts_find_odd(const tr_account *all, int32_t count);
/* Writes "rank 2 differs from most", or "". */
void tr_accounts_tell_alone(const tr_odd_account *found, char *text, size_t capacity);
/* How these two differ, and then that. */
void tr_accounts_tell_odd(const tr_odd_account *found, char *text, size_t capacity);

/* How two accounts differ, in one sentence. */
void tr_account_difference(const tr_account *a, const tr_account *b, char *text, size_t capacity);

#endif /* TESSERA_RUNTIME_PLANES_CALL_ACCOUNT_H */
