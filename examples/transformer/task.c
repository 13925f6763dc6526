/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the transformer learns, and what it begins with. It must not know how it is trained. */
#include "task.h"

#include <stdbool.h>
#include <string.h>

/* The same numbers everywhere, so that all ranks agree without talking. */
static uint64_t next_random(uint64_t *state) {
  uint64_t x = (*state += 0x9e3779b97f4a7c15u);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

void make_batch(int step, batch *b) {
  uint64_t state = 1000 + (uint64_t)step;
  for (int i = 0; i < BATCH; i++) {
    int32_t token = (int32_t)(next_random(&state) % VOCABULARY);
    int32_t by = 1 + (int32_t)(next_random(&state) % 3);
    for (int t = 0; t < TOKENS; t++) {
      b->tokens[i][t] = token;
      b->places[i][t] = t;
      token = (token + by) % VOCABULARY;
      b->labels[i][t] = token;
    }
  }
}

void fill_weight(const char *name, tessera_tensor *tensor) {
  float *values = tensor->data;
  uint64_t seed = 7;
  for (const char *c = name; *c; c++)
    seed = seed * 31 + (unsigned char)*c;
  bool is_bias = strstr(name, ".bias") != NULL,
       is_norm = strncmp(name, "norm", 4) == 0 || strstr(name, ".norm") != NULL;
  for (int64_t i = 0; i < tessera_tensor_elements(tensor); i++) {
    float random = 0.3f * (float)((double)(next_random(&seed) >> 11) * 0x1p-52 - 1.0);
    values[i] = is_bias ? 0.0f : is_norm ? 1.0f : random;
  }
}
