/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Trials by turns, in which what is clearly slower is not tried twice.
 * It must not know what is timed. */
#include "backends/mpi/trial.h"

#include <string.h>

/* Of short calls in a row, which are timed together, the first is not: it finds the other members
 * where the way before has left them. */
enum { SHORT_BLOCK = 3 };

/* The first short calls are no measure of those to come: MPI sets up memory for the first messages,
 * and again when, after 64 calls that were all compared, some members begin to run ahead. */
enum { SHORT_WAIT = 96 };

/* Calls from the beginning of one trial to that of the next: few at first, for one trial may have
 * been disturbed. */
enum { FIRST_PERIOD = 64, PERIOD_FACTOR = 4, LONGEST_PERIOD = 4096 };

static const double clearly_faster = 0.9, clearly_slower = 1.5, hopelessly_slower = 3;

trial trial_of(uint32_t ways, int usual, bool are_short) {
  return (trial){.ways = ways,
                 .usual = usual,
                 .way = usual,
                 .block = are_short ? SHORT_BLOCK : 1,
                 .wait = are_short ? SHORT_WAIT : 0,
                 .period = FIRST_PERIOD};
}

static double larger(double a, double b) {
  return a > b ? a : b;
}

static double smaller(double a, double b) {
  return a < b ? a : b;
}

/* The median of its ratios, the smaller one of two; 0: there is none. */
static double ratio_of(const trial *trial, int way) {
  const double *ratios = trial->ratios[way];
  if (way == trial->usual)
    return 1;
  if (trial->tried[way] < 2)
    return trial->tried[way] == 0 ? 0 : ratios[0];
  double low = smaller(ratios[0], ratios[1]), high = larger(ratios[0], ratios[1]);
  return trial->tried[way] == 2 ? low : larger(low, smaller(high, ratios[2]));
}

static int fastest(const trial *trial) {
  int best = trial->usual;
  for (int i = 0; i < TRIAL_WAYS; i++)
    if (trial->tried[i] > 0 && ratio_of(trial, i) < ratio_of(trial, best))
      best = i;
  return best;
}

/* The usual way is, for what others are compared with it. */
static bool is_worth_trying(const trial *trial, int way) {
  return way == trial->usual ||
         (trial->ways >> way & 1 &&
          ratio_of(trial, way) <= clearly_slower * ratio_of(trial, fastest(trial)));
}

static void begin_block(trial *trial, uint32_t block) {
  int way = (trial->usual + (int)block) % TRIAL_WAYS;
  trial->is_trying = is_worth_trying(trial, way);
  trial->way = trial->is_trying ? way : fastest(trial);
  trial->sum = 0;
}

/* What is hopeless in two trials is not tried again: one may have been disturbed. */
static void end(trial *trial) {
  int best = fastest(trial);
  uint32_t hopeless = 0;
  for (int i = 0; i < TRIAL_WAYS; i++)
    if (ratio_of(trial, i) > hopelessly_slower * ratio_of(trial, best))
      hopeless |= 1u << i;
  trial->way = ratio_of(trial, best) < clearly_faster ? best : trial->usual;
  trial->ways &= ~(hopeless & trial->hopeless);
  trial->hopeless = hopeless;
  if (!(trial->ways >> trial->usual & 1))
    trial->usual = best;
  if ((trial->ways & (trial->ways - 1)) == 0)
    trial->ways = 0;
}

void trial_next(trial *trial) {
  if (trial->wait > 0) {
    trial->wait--;
    return;
  }
  if (trial->position == trial->period) {
    trial->position = 0;
    trial->period *= trial->period < LONGEST_PERIOD ? PERIOD_FACTOR : 1;
  }
  uint32_t position = trial->position++, length = trial->block * TRIAL_ROUNDS * TRIAL_WAYS;
  bool is_first = position % trial->block == 0;
  if (position == 0)
    memset(trial->tried, 0, sizeof(trial->tried));
  if (position < length && is_first)
    begin_block(trial, position / trial->block);
  if (position == length)
    end(trial);
  trial->is_timed = position < length && trial->is_trying && !(is_first && trial->block > 1);
}

void trial_note(trial *trial, double seconds) {
  int way = trial->way;
  trial->sum += seconds;
  if (trial->position % trial->block > 0)
    return;
  if (way == trial->usual)
    trial->reference = trial->sum;
  else if (trial->reference > 0)
    trial->ratios[way][trial->tried[way]++] = trial->sum / trial->reference;
}
