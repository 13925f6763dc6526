/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which way a trial settles on, what it spends on the others, and that it looks again. Times are
 * told, not taken. */
#include "backends/mpi/trial.h"

#include "harness.h"

/* Calls in which the first trial ends, but no other begins; many trials. A way is tried in so many
 * calls in a row. */
enum { SETTLED = 48, PERIODS = 20000, BLOCK = 3 };

typedef struct tally {
  int taken[TRIAL_WAYS]; /* calls that went each way */
  int timed;
  int last; /* way */
} tally;

/* Of short calls, from where the first trial begins. */
static trial trial_at_once(uint32_t ways, int usual) {
  trial trial = trial_of(ways, usual, true);
  trial.wait = 0;
  return trial;
}

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
      trial trial = trial_at_once(0xf, usual);
      tally tally = run(&trial, seconds, SETTLED);
      EXPECT(tally.last == fastest);
      EXPECT(tally.timed <= SETTLED / 2);
    }
}

/* What is hardly faster is no reason to leave the usual way. */
static void stays_with_the_usual(void) {
  const double seconds[TRIAL_WAYS] = {0.95, 1, 0.96, 1.1};
  trial trial = trial_at_once(0xf, 1);
  EXPECT(run(&trial, seconds, SETTLED).last == 1);
}

/* What is far slower is tried once a trial, and in no third one; what is not there, never. */
static void spends_little(void) {
  const double seconds[TRIAL_WAYS] = {1, 50, 1.2, 50};
  trial all = trial_at_once(0xf, 0), two = trial_at_once(0x5, 0);
  tally tally = run(&all, seconds, SETTLED);
  EXPECT(tally.taken[1] == BLOCK && tally.taken[2] == TRIAL_ROUNDS * BLOCK &&
         tally.taken[3] == BLOCK);
  tally = run(&all, seconds, PERIODS);
  EXPECT(tally.taken[1] == BLOCK && tally.taken[2] > 10 * BLOCK && tally.taken[3] == BLOCK);
  tally = run(&two, seconds, SETTLED);
  EXPECT(tally.taken[1] == 0 && tally.taken[2] == TRIAL_ROUNDS * BLOCK && tally.taken[3] == 0);
}

/* Where one way is left, no trial is to come. */
static void gives_up(void) {
  const double seconds[TRIAL_WAYS] = {50, 1, 50, 50};
  trial trial = trial_at_once(0xf, 0);
  run(&trial, seconds, SETTLED);
  EXPECT(trial.ways == 0xf);
  tally tally = run(&trial, seconds, PERIODS);
  EXPECT(trial.ways == 0 && tally.last == 1);
  EXPECT(tally.taken[0] == TRIAL_ROUNDS * BLOCK && tally.taken[2] == BLOCK &&
         tally.taken[3] == BLOCK);
}

/* A machine that becomes twice as fast, whenever it does, speaks for no way. */
static void is_not_misled(void) {
  const double before[TRIAL_WAYS] = {2, 2, 2, 2}, after[TRIAL_WAYS] = {1, 1, 1, 1};
  for (int calls = 1; calls < SETTLED / 2; calls++)
    for (int order = 0; order < 2; order++) {
      trial trial = trial_at_once(0xf, 1);
      run(&trial, order ? after : before, calls);
      EXPECT(run(&trial, order ? before : after, SETTLED - calls).last == 1);
    }
}

/* Nor does what holds up one call. */
static void is_not_held_up(void) {
  const double calm[TRIAL_WAYS] = {0.8, 1, 1.2, 1.2}, held_up[TRIAL_WAYS] = {50, 50, 50, 50};
  for (int calls = BLOCK * TRIAL_WAYS; calls < SETTLED; calls++) {
    trial trial = trial_at_once(0xf, 1);
    run(&trial, calm, calls);
    run(&trial, held_up, 1);
    EXPECT(run(&trial, calm, SETTLED - 1 - calls).last <= 0);
  }
}

/* One trial that was disturbed is mended by the next. */
static void drops_nothing_at_once(void) {
  const double disturbed[TRIAL_WAYS] = {1, 50, 2, 50}, calm[TRIAL_WAYS] = {1, 0.5, 2, 50};
  trial trial = trial_at_once(0xf, 0);
  EXPECT(run(&trial, disturbed, SETTLED).last == 0);
  EXPECT(run(&trial, calm, SETTLED).last == 1);
}

/* The first short calls tell nothing. */
static void waits(void) {
  const double seconds[TRIAL_WAYS] = {1, 0.5, 2, 2};
  trial trial = trial_of(0xf, 0, true);
  tally tally = run(&trial, seconds, 80);
  EXPECT(tally.timed == 0 && tally.taken[0] == 80);
  EXPECT(run(&trial, seconds, 80).last == 1);
}

/* Of long calls, each is timed. */
static void times_long_calls_alone(void) {
  const double seconds[TRIAL_WAYS] = {1, 50, 1.4, 0.8};
  trial trial = trial_of(0xf, 0, false);
  tally tally = run(&trial, seconds, SETTLED);
  EXPECT(tally.last == 3 && tally.timed == TRIAL_WAYS + 2 * (TRIAL_ROUNDS - 1));
  EXPECT(tally.taken[1] == 1 && tally.taken[2] == 1 && tally.taken[0] == TRIAL_ROUNDS);
}

/* The first call of a way in a row does not count: it waits for what the way before has left. */
static void counts_what_is_settled(void) {
  trial trial = trial_at_once(0x3, 0);
  for (int i = 0, before = -1; i < SETTLED; i++) {
    trial_next(&trial);
    double seconds = (trial.way == 0 ? 1 : 0.8) + (trial.way == before ? 0 : 5);
    before = trial.way;
    if (trial.is_timed)
      trial_note(&trial, seconds);
  }
  EXPECT(trial.way == 1);
}

/* Trials become rare, but never cease. */
static void becomes_rare(void) {
  const double seconds[TRIAL_WAYS] = {1, 1.2, 1.2, 1.2};
  trial trial = trial_at_once(0xf, 0);
  tally tally = run(&trial, seconds, PERIODS);
  EXPECT(tally.timed < PERIODS / 50);
  EXPECT(run(&trial, seconds, PERIODS).timed > 3 * TRIAL_WAYS * TRIAL_ROUNDS);
}

/* Trials that were disturbed, one long after the other, do not speak against a way. */
static void forgets_disturbances(void) {
  const double calm[TRIAL_WAYS] = {1, 1.2, 1.2, 1.2}, disturbed[TRIAL_WAYS] = {1, 50, 1.2, 1.2};
  trial trial = trial_at_once(0xf, 0);
  run(&trial, disturbed, SETTLED);
  run(&trial, calm, 64);
  run(&trial, disturbed, 256);
  run(&trial, calm, PERIODS);
  EXPECT(trial.ways == 0xf);
}

static void looks_again(void) {
  const double before[TRIAL_WAYS] = {1, 2, 2, 2}, after[TRIAL_WAYS] = {2, 2, 2, 1};
  trial trial = trial_at_once(0xf, 0);
  EXPECT(run(&trial, before, SETTLED).last == 0);
  EXPECT(run(&trial, after, PERIODS).last == 3);
}

int main(void) {
  waits();
  settles_on_the_fastest();
  stays_with_the_usual();
  spends_little();
  gives_up();
  drops_nothing_at_once();
  counts_what_is_settled();
  times_long_calls_alone();
  is_not_misled();
  is_not_held_up();
  becomes_rare();
  forgets_disturbances();
  looks_again();
  return finish_tests();
}
