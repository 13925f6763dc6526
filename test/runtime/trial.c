/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which way a trial settles on, what it spends on the others, and that it looks again. Times are
 * told, not taken. */
#include "backends/mpi/trial.h"

#include "harness.h"

/* Enough to see a trial end, and begin again. */
enum { SETTLED = 100, PERIODS = 3000 };

typedef struct tally {
  int taken[TRIAL_WAYS]; /* calls that went each way */
  int timed;
  int last; /* way */
} tally;

static tally run(trial *trial, const double *seconds, int calls) {
  tally tally = {{0}, 0, -1};
  for (int i = 0; i < calls; i++) {
    trial_next(trial);
    tally.taken[trial->way]++;
    tally.timed += trial->is_timed;
    tally.last = trial->way;
    if (trial->is_timed)
      trial_note(trial, seconds[trial->way]);
  }
  return tally;
}

static void settles_on_the_fastest(void) {
  for (int usual = 0; usual < TRIAL_WAYS; usual++)
    for (int fastest = 0; fastest < TRIAL_WAYS; fastest++) {
      double seconds[TRIAL_WAYS] = {1.4, 1.4, 1.4, 1.4};
      seconds[fastest] = 1;
      trial trial = trial_of(0xf, usual);
      tally tally = run(&trial, seconds, SETTLED);
      EXPECT(tally.last == fastest);
      EXPECT(tally.timed < SETTLED / 4);
    }
}

/* What is hardly faster is no reason to leave the usual way. */
static void stays_with_the_usual(void) {
  const double seconds[TRIAL_WAYS] = {0.95, 1, 0.96, 1.1};
  trial trial = trial_of(0xf, 1);
  EXPECT(run(&trial, seconds, SETTLED).last == 1);
}

/* What is far slower is tried once; what is not there, never. */
static void spends_little(void) {
  const double seconds[TRIAL_WAYS] = {1, 50, 50, 50};
  trial all = trial_of(0xf, 0), two = trial_of(0x5, 0);
  tally tally = run(&all, seconds, SETTLED);
  EXPECT(tally.taken[1] == 1 && tally.taken[2] == 1 && tally.taken[3] == 1);
  tally = run(&two, seconds, SETTLED);
  EXPECT(tally.taken[1] == 0 && tally.taken[2] == 1 && tally.taken[3] == 0);
}

/* A call that something held up does not speak against its way. */
static void counts_the_shortest(void) {
  const double at_first[TRIAL_WAYS] = {2.4, 2.5, 2.5, 2.5}, later[TRIAL_WAYS] = {1, 2.5, 2.5, 2.5};
  trial trial = trial_of(0xf, 1);
  run(&trial, at_first, TRIAL_WAYS);
  EXPECT(run(&trial, later, SETTLED).last == 0);
}

static void looks_again(void) {
  const double before[TRIAL_WAYS] = {1, 2, 2, 2}, after[TRIAL_WAYS] = {2, 2, 2, 1};
  trial trial = trial_of(0xf, 0);
  EXPECT(run(&trial, before, SETTLED).last == 0);
  EXPECT(run(&trial, after, PERIODS).last == 3);
}

int main(void) {
  settles_on_the_fastest();
  stays_with_the_usual();
  spends_little();
  counts_the_shortest();
  looks_again();
  return finish_tests();
}
