/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which of a few ways to do the same is the fastest: each is timed a few times, and again now and
 * then and where calls begin to take another time, because machines change. It must not know what
 * is timed. */
#ifndef TESSERA_RUNTIME_BACKENDS_MPI_TRIAL_H
#define TESSERA_RUNTIME_BACKENDS_MPI_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

/* A trial takes so many times a few calls in a row; of two ways there are the most rounds. */
enum { TRIAL_WAYS = 4, TRIAL_BLOCKS = 12, TRIAL_MOST_ROUNDS = TRIAL_BLOCKS / 2 };

typedef struct trial {
  uint32_t ways;     /* bit i: way i is there to be tried; 0: there is nothing to choose */
  uint32_t now;      /* those of this trial */
  int usual;         /* the way that is taken first, and that others are compared with */
  int way;           /* of this call */
  int chosen;        /* by the last trial */
  uint32_t block;    /* a way is tried in so many calls in a row */
  bool is_trying;    /* this call, and those in a row with it, are a trial of their way */
  bool is_timed;     /* this call is to be timed */
  uint32_t wait;     /* calls until the first trial */
  uint32_t slot;     /* trials begin at multiples of so many calls */
  uint32_t position; /* of the next call since the last trial began */
  uint32_t period;   /* where the trial after it begins at the latest */
  /* Between trials the last calls of each slot are watched: */
  double lowest;    /* time of one of them so far */
  double expected;  /* that of the first slot; 0: it is not over */
  int changed;      /* slots in a row that had another one */
  double sum;       /* of a few calls in a row */
  double reference; /* that of the usual way, this round */
  /* Of each way, its times as multiples of the usual way's in the same round: a machine that
   * becomes faster in one round speaks for no way. */
  int tried[TRIAL_WAYS];
  double ratios[TRIAL_WAYS][TRIAL_MOST_ROUNDS];
  uint8_t hopeless[TRIAL_WAYS]; /* trials in a row in which it was far slower than the fastest */
  uint8_t rests[TRIAL_WAYS];    /* trials to come that are without it */
} trial;

/* Calls that `are_short` are tried later, and more of them in a row. */
trial trial_of(uint32_t ways, int usual, bool are_short);
/* Says in `way` and `is_timed` how the next call is to be done. */
void trial_next(trial *trial);
/* A call that was to be timed took so long. */
void trial_note(trial *trial, double seconds);

#endif /* TESSERA_RUNTIME_BACKENDS_MPI_TRIAL_H */
