/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which of a few ways to do the same is the fastest: each is timed a few times, and now and then
 * again, because machines change. It must not know what is timed. */
#ifndef TESSERA_RUNTIME_BACKENDS_MPI_TRIAL_H
#define TESSERA_RUNTIME_BACKENDS_MPI_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

enum { TRIAL_WAYS = 4 };

typedef struct trial {
  uint32_t ways;     /* bit i: way i is there to be tried */
  int usual;         /* the way that is taken unless another is clearly faster */
  int way;           /* of this call */
  bool is_timed;     /* this call is to be timed */
  uint32_t position; /* of the next call since trials began */
  double best[TRIAL_WAYS];
} trial;

trial trial_of(uint32_t ways, int usual);
/* Says in `way` and `is_timed` how the next call is to be done. */
void trial_next(trial *trial);
/* A call that was to be timed took so long. */
void trial_note(trial *trial, double seconds);

#endif /* TESSERA_RUNTIME_BACKENDS_MPI_TRIAL_H */
