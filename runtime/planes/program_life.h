/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How long a program is loaded, told to those who keep something for it.
 * It must not know what they keep. */
#ifndef TESSERA_RUNTIME_PLANES_PROGRAM_LIFE_H
#define TESSERA_RUNTIME_PLANES_PROGRAM_LIFE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct tr_life {
  _Atomic int references;
  _Atomic bool has_ended; /* the program is no longer loaded */
} tr_life;

/* With one reference; NULL if there is no memory. */
static inline tr_life *tr_life_create(void) {
  tr_life *life = calloc(1, sizeof(*life));
  if (life)
    life->references = 1;
  return life;
}

static inline tr_life *tr_life_refer(tr_life *life) {
  life->references++;
  return life;
}

static inline void tr_life_release(tr_life *life) {
  if (life && --life->references == 0)
    free(life);
}

#endif /* TESSERA_RUNTIME_PLANES_PROGRAM_LIFE_H */
