/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Numbers by which ranks see that they are at the same call.
 * It must not know how ranks compare them. */
#ifndef TESSERA_RUNTIME_PLANES_SITE_HASH_H
#define TESSERA_RUNTIME_PLANES_SITE_HASH_H

#include <stdbool.h>

#include "tessera/runtime.h"

static inline uint64_t tr_hash_mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

static inline uint64_t tr_hash_text(uint64_t hash, const char *text) {
  for (; *text; text++)
    hash = tr_hash_mix(hash, (unsigned char)*text);
  return tr_hash_mix(hash, 0x100); /* where one text ends and the next begins */
}

/* Of what a call does. The products need not wait for each other. */
static inline uint64_t tr_hash_kind(const tessera_site *site) {
  uint64_t words = site->kind * 0xbf58476d1ce4e5b9u;
  words += ((uint64_t)site->input_type << 32 | (uint32_t)site->output_type) * 0x94d049bb133111ebu;
  words += ((uint64_t)site->reduction << 32 | site->flags) * 0xd6e8feb86659fd93u;
  words += ((uint64_t)site->axis << 32 | (uint32_t)site->concat_axis) * 0xff51afd7ed558ccdu;
  return words + (uint64_t)site->offset * 0xc4ceb9fe1a85ec53u;
}

/* Programs that people write may make one collective at several places, each rank at its own. */
static inline bool tr_is_by_hand(const tessera_site *site) {
  return site->flags & TESSERA_SITE_BY_HAND;
}

static inline uint64_t tr_hash_site_by_text(const tessera_site *site) {
  uint64_t hash = tr_hash_text(tr_hash_kind(site), site->name);
  return tr_is_by_hand(site) ? hash : tr_hash_text(hash, site->location);
}

/* A site of a compiled program is known by its place in the table; others by their text. */
static inline uint64_t tr_hash_site(const tessera_site *site) {
  return site->index >= 0 && !tr_is_by_hand(site)
             ? tr_hash_mix((uint64_t)site->index, tr_hash_kind(site))
             : tr_hash_site_by_text(site);
}

#endif /* TESSERA_RUNTIME_PLANES_SITE_HASH_H */
