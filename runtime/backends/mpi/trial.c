/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Trials by turns, in which what is clearly slower is not tried twice.
 * It must not know what is timed. */
#include "backends/mpi/trial.h"

/* Calls from the beginning of one trial to that of the next, and how often each way is tried. */
enum { PERIOD = 1024, ROUNDS = 4 };

static const double unknown = -1;
static const double clearly_slower = 1.5, clearly_faster = 0.9;

trial trial_of(uint32_t ways, int usual) {
  return (trial){.ways = ways, .usual = usual, .way = usual};
}

/* The way with the shortest time; the usual one if no time is known. */
static int fastest(const trial *trial) {
  int best = trial->usual;
  for (int i = 0; i < TRIAL_WAYS; i++)
    if (trial->best[i] >= 0 && (trial->best[best] < 0 || trial->best[i] < trial->best[best]))
      best = i;
  return best;
}

static int choose(const trial *trial) {
  int best = fastest(trial);
  return trial->best[best] < clearly_faster * trial->best[trial->usual] ? best : trial->usual;
}

static bool is_worth_trying(const trial *trial, int way) {
  return trial->ways >> way & 1 && trial->best[way] <= clearly_slower * trial->best[fastest(trial)];
}

void trial_next(trial *trial) {
  uint32_t position = trial->position++ % PERIOD;
  if (position == 0)
    for (int i = 0; i < TRIAL_WAYS; i++)
      trial->best[i] = unknown;
  trial->is_timed = position < ROUNDS * TRIAL_WAYS;
  if (trial->is_timed) {
    int way = (trial->usual + (int)position) % TRIAL_WAYS;
    trial->way = is_worth_trying(trial, way) ? way : fastest(trial);
  } else if (position == ROUNDS * TRIAL_WAYS) {
    trial->way = choose(trial);
  }
}

void trial_note(trial *trial, double seconds) {
  double *best = &trial->best[trial->way];
  if (*best < 0 || seconds < *best)
    *best = seconds;
}
