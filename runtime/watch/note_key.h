/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* By what a site is known that was called before.
 * It must not know what is remembered of it. */
#ifndef TESSERA_RUNTIME_WATCH_NOTE_KEY_H
#define TESSERA_RUNTIME_WATCH_NOTE_KEY_H

#include <stdbool.h>

#include "tessera/runtime.h"

/* Others may lie at its address later. */
typedef struct tr_note_key {
  const tessera_site *site;
  const char *name, *location;
  const tessera_grid *grid;
  const int32_t *axes;
  uint32_t kind;
  int32_t num_axes;
} tr_note_key;

static inline bool tr_note_knows(const tr_note_key *key, const tessera_site *site) {
  return key->site == site && key->name == site->name && key->location == site->location &&
         key->grid == site->grid && key->axes == site->axes && key->kind == site->kind &&
         key->num_axes == site->num_axes;
}

static inline tr_note_key tr_note_key_of(const tessera_site *site) {
  return (tr_note_key){site,       site->name, site->location, site->grid,
                       site->axes, site->kind, site->num_axes};
}

#endif /* TESSERA_RUNTIME_WATCH_NOTE_KEY_H */
