/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the transformer learns: rows of numbers, each of which counts by a step of its own, which
 * only the numbers before tell. All numbers are the same on all ranks. */
#ifndef TASK_H
#define TASK_H

#include "tessera/program.h"

/* As model.c has them. */
enum { BATCH = 12, TOKENS = 9, VOCABULARY = 13 };

typedef struct batch {
  int32_t tokens[BATCH][TOKENS], labels[BATCH][TOKENS], places[BATCH][TOKENS];
} batch;

void make_batch(int step, batch *b);

/* What the weight of this name begins with: norms as they are, biases at nothing, all else at
 * random. */
void fill_weight(const char *name, tessera_tensor *tensor);

#endif /* TASK_H */
