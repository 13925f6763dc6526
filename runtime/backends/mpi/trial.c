/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Trials by turns, in which what is clearly slower is tried less often, and when they come.
 * It must not know what is timed. */
#include "backends/mpi/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of calls in a row, which are timed together, the first is not: it finds the other members where
 * the way before has left them, and waits for them, or they for it. */
enum { SHORT_BLOCK = 3, LONG_BLOCK = 2 };

/* The first calls are no measure of those to come: MPI sets up memory for the first messages, and
 * again when, after 64 calls that were all compared, some members begin to run ahead. */
enum { SHORT_WAIT = 96, LONG_WAIT = 4 };

/* Calls from the beginning of one trial to that of the next: few at first, for one trial may have
 * been disturbed. Where calls have begun to take another time, a part of that is enough: what is
 * always restless is not tried all the time. */
enum { FIRST_PERIOD = 64, PERIOD_FACTOR = 4, LONGEST_PERIOD = 4096, RESTLESS_PART = 8 };

/* Members meet in their calls, so their trials are to be at the same ones, or apart: a trial fits
 * into a slot, with the calls after it that are watched. */
enum { SHORT_SLOT = 64, LONG_SLOT = 32, WATCHED = 4 };

_Static_assert(SHORT_BLOCK *TRIAL_BLOCKS + WATCHED <= SHORT_SLOT &&
                   LONG_BLOCK * TRIAL_BLOCKS + WATCHED <= LONG_SLOT &&
                   TRIAL_BLOCKS % TRIAL_WAYS == 0,
               "a trial fits into a slot");

/* What is far slower comes in every second trial, then in every fourth, and so on: it costs much to
 * find that out again, but machines change. */
enum { LONGEST_REST = 6 }; /* every 64th */

static const double clearly_faster = 0.95, clearly_slower = 1.5, hopelessly_slower = 3;

/* A slot whose shortest watched call is longer or shorter by that has changed, if the next one has
 * as well. */
static const double another = 1.3;
enum { CHANGED_SLOTS = 2 };

/* Clocks may stand still, or be set back. */
static const double shortest_call = 1e-9;

trial trial_of(uint32_t ways, int usual, bool are_short) {
  return (trial){.ways = ways,
                 .now = ways,
                 .usual = usual,
                 .way = usual,
                 .chosen = usual,
                 .block = are_short ? SHORT_BLOCK : LONG_BLOCK,
                 .wait = are_short ? SHORT_WAIT : LONG_WAIT,
                 .slot = are_short ? SHORT_SLOT : LONG_SLOT,
                 .period = FIRST_PERIOD / PERIOD_FACTOR};
}

static double larger(double a, double b) {
  return a > b ? a : b;
}

static double smaller(double a, double b) {
  return a < b ? a : b;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* The median of its ratios, the smaller one of two; 0: there is none. */
static double ratio_of(const trial *trial, int way) {
  double sorted[TRIAL_MOST_ROUNDS];
  int count = trial->tried[way];
  if (way == trial->usual || count == 0)
    return way == trial->usual;
  memcpy(sorted, trial->ratios[way], sizeof(double) * (size_t)count);
  qsort(sorted, (size_t)count, sizeof(double), compare);
  return sorted[(count - 1) / 2];
}

/* Of those that were tried at least so often. */
static int fastest(const trial *trial, int least) {
  int best = trial->usual;
  for (int i = 0; i < TRIAL_WAYS; i++)
    if (trial->tried[i] >= least && ratio_of(trial, i) < ratio_of(trial, best))
      best = i;
  return best;
}

/* The usual way is, for what others are compared with it. One call may have been disturbed. */
static bool is_worth_trying(const trial *trial, int way) {
  return way == trial->usual || trial->tried[way] < 2 ||
         ratio_of(trial, way) <= clearly_slower * ratio_of(trial, fastest(trial, 1));
}

/* Ways take turns, the usual one first. */
static int way_of_block(const trial *trial, int block) {
  int way = trial->usual;
  for (block %= __builtin_popcount(trial->now); block > 0; block -= trial->now >> way & 1)
    way = (way + 1) % TRIAL_WAYS;
  return way;
}

static void begin_block(trial *trial, uint32_t block) {
  int way = way_of_block(trial, (int)block);
  trial->is_trying = is_worth_trying(trial, way);
  trial->way = trial->is_trying ? way : fastest(trial, 1);
  trial->sum = 0;
}

static void begin(trial *trial) {
  trial->position = 0;
  trial->expected = 0;
  trial->changed = 0;
  memset(trial->tried, 0, sizeof(trial->tried));
  trial->now = 0;
  for (int i = 0; i < TRIAL_WAYS; i++) {
    trial->now |= trial->rests[i] ? 0 : trial->ways & 1u << i;
    trial->rests[i] -= trial->rests[i] > 0;
  }
}

/* The way that others are compared with is one that need not rest. */
static void rest(trial *trial, int best) {
  for (int i = 0; i < TRIAL_WAYS; i++) {
    if (!(trial->now >> i & 1))
      continue;
    bool is_hopeless = i != best && ratio_of(trial, i) > hopelessly_slower * ratio_of(trial, best);
    trial->hopeless[i] = is_hopeless ? trial->hopeless[i] + (trial->hopeless[i] < LONGEST_REST) : 0;
    trial->rests[i] = (uint8_t)((1 << trial->hopeless[i]) - 1);
  }
  if (trial->rests[trial->usual])
    trial->usual = best;
}

/* What was not tried in every round does not win: of two rounds, one may have been disturbed. */
static void end(trial *trial) {
  int count = __builtin_popcount(trial->now);
  int best = fastest(trial, TRIAL_BLOCKS / count);
  if (ratio_of(trial, best) < clearly_faster * ratio_of(trial, trial->chosen))
    trial->chosen = best;
  trial->way = trial->chosen;
  if (count > 1 && trial->period < LONGEST_PERIOD)
    trial->period *= PERIOD_FACTOR;
  rest(trial, best);
}

static bool is_due(const trial *trial) {
  return trial->position % trial->slot == 0 &&
         (trial->position >= trial->period ||
          (trial->changed >= CHANGED_SLOTS && trial->position >= trial->period / RESTLESS_PART));
}

void trial_next(trial *trial) {
  if (trial->wait > 0) {
    trial->wait--;
    return;
  }
  if (is_due(trial))
    begin(trial);
  uint32_t position = trial->position++, length = trial->block * TRIAL_BLOCKS;
  bool is_first = position % trial->block == 0;
  if (position < length && is_first)
    begin_block(trial, position / trial->block);
  if (position == length)
    end(trial);
  trial->is_timed = position < length ? trial->is_trying && !is_first
                                      : position % trial->slot >= trial->slot - WATCHED;
}

static void note_tried(trial *trial, double seconds) {
  int way = trial->way;
  trial->sum += seconds;
  if (trial->position % trial->block > 0)
    return;
  if (way == trial->usual)
    trial->reference = trial->sum;
  else if (trial->reference > 0)
    trial->ratios[way][trial->tried[way]++] = trial->sum / trial->reference;
}

/* The shortest of a few calls: one may have waited for members that came late. */
static void note_watched(trial *trial, double seconds) {
  if (trial->position % trial->slot == trial->slot - WATCHED + 1)
    trial->lowest = INFINITY;
  trial->lowest = smaller(trial->lowest, seconds);
  if (trial->position % trial->slot > 0)
    return;
  if (trial->expected == 0) {
    trial->expected = trial->lowest;
    return;
  }
  bool is_another =
      larger(trial->lowest, trial->expected) > another * smaller(trial->lowest, trial->expected);
  trial->changed = is_another ? trial->changed + 1 : 0;
}

void trial_note(trial *trial, double seconds) {
  seconds = larger(seconds, shortest_call);
  if (trial->position <= trial->block * TRIAL_BLOCKS)
    note_tried(trial, seconds);
  else
    note_watched(trial, seconds);
}
