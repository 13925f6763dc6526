/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which way a trial settles on, what it spends on the others, and that it looks again. Times are
 * told, not taken. */
#include "backends/mpi/trial.h"

#include "harness.h"

/* Calls in which the first trial ends, but no other begins; many trials. A way is tried in so many
 * calls in a row. */
enum { SETTLED = 48, PERIODS = 20000, BLOCK = 3, ROUNDS = TRIAL_BLOCKS / TRIAL_WAYS };

/* Of the times between trials, the longest; calls from one that may begin a trial to the next; what
 * is enough of the longest time where calls have changed. */
enum { LONGEST = 4096, SLOT = 64, LONGEST_OF_RESTLESS = 512 };

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

/* What is far slower is tried twice in a trial, and more and more seldom; what is not there, never.
 */
static void spends_little(void) {
  const double seconds[TRIAL_WAYS] = {1, 50, 1.2, 50};
  trial all = trial_at_once(0xf, 0), two = trial_at_once(0x5, 0);
  tally tally = run(&all, seconds, SETTLED);
  EXPECT(tally.taken[1] == 2 * BLOCK && tally.taken[2] == ROUNDS * BLOCK &&
         tally.taken[3] == 2 * BLOCK);
  tally = run(&all, seconds, 100 * LONGEST);
  EXPECT(tally.taken[1] == 2 * BLOCK * 5 && tally.taken[2] > 500 &&
         tally.taken[3] == 2 * BLOCK * 5);
  tally = run(&two, seconds, SETTLED);
  EXPECT(tally.taken[1] == 0 && tally.taken[2] == TRIAL_MOST_ROUNDS * BLOCK && tally.taken[3] == 0);
}

/* Also where that is the usual way. */
static void leaves_the_usual(void) {
  const double seconds[TRIAL_WAYS] = {50, 1, 50, 50};
  trial trial = trial_at_once(0xf, 0);
  EXPECT(run(&trial, seconds, SETTLED).last == 1 && trial.usual == 1);
  tally tally = run(&trial, seconds, 100 * LONGEST);
  for (int i = 0; i < TRIAL_WAYS; i++)
    EXPECT(i == 1 || tally.taken[i] == 2 * BLOCK * 5);
}

/* It is found where the machine has changed. */
static void tries_the_hopeless_again(void) {
  const double before[TRIAL_WAYS] = {1, 50, 1.2, 50}, after[TRIAL_WAYS] = {50, 50, 50, 1};
  trial trial = trial_at_once(0xf, 0);
  run(&trial, before, PERIODS);
  EXPECT(run(&trial, after, 64 * LONGEST).last == 3);
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

/* Nor does what holds up one call, whichever it is. */
static void is_not_held_up(void) {
  static const double calm[][TRIAL_WAYS] = {
      {0.8, 1, 1.2, 1.2}, {0.8, 1, 1.3, 1.3}, {1, 1, 1, 1.6}, {1, 1, 1, 2.9}, {1, 1, 1, 10}};
  const double held_up[TRIAL_WAYS] = {50, 50, 50, 50};
  for (int i = 0; i < 5; i++)
    for (int calls = 0; calls < SETTLED; calls++) {
      trial trial = trial_at_once(0xf, 1);
      run(&trial, calm[i], calls);
      run(&trial, held_up, 1);
      int last = run(&trial, calm[i], SETTLED - 1 - calls).last;
      EXPECT(last < 2);
    }
}

/* A clock that is set back says nothing. */
static void bears_clocks(void) {
  const double calm[TRIAL_WAYS] = {1, 1.2, 1.4, 1.4}, set_back[TRIAL_WAYS] = {-9, -9, -9, -9};
  for (int calls = 0; calls < 2 * SLOT; calls++) {
    trial trial = trial_at_once(0xf, 1);
    run(&trial, calm, calls);
    run(&trial, set_back, 1 + calls % 3);
    EXPECT(run(&trial, calm, 2 * LONGEST).last == 0);
  }
}

/* Ways take equal turns, however many there are. */
static void takes_turns(void) {
  const double seconds[TRIAL_WAYS] = {1, 1, 1, 1};
  trial trial = trial_at_once(0xb, 3);
  tally tally = run(&trial, seconds, TRIAL_BLOCKS * BLOCK);
  EXPECT(tally.taken[0] == 4 * BLOCK && tally.taken[1] == 4 * BLOCK && tally.taken[2] == 0 &&
         tally.taken[3] == 4 * BLOCK);
}

/* Noise does not bring trials all the time: each time is up to twice the shortest. */
static void bears_noise(void) {
  const double usual[TRIAL_WAYS] = {1, 1, 2.5, 2.5};
  trial trial = trial_at_once(0xf, 0);
  double spent = 0;
  for (int i = 0; i < PERIODS; i++) {
    double noise = 1 + (double)(mix((uint64_t)i, 3) % 1000) / 1000;
    const double seconds[TRIAL_WAYS] = {usual[0] * noise, usual[1] * noise, usual[2] * noise,
                                        usual[3] * noise};
    tally tally = run(&trial, seconds, 1);
    spent += usual[tally.last];
  }
  EXPECT(spent < 1.02 * PERIODS);
}

/* A trial that was disturbed is mended by those to come. */
static void drops_nothing_at_once(void) {
  const double disturbed[TRIAL_WAYS] = {1, 50, 2, 50}, calm[TRIAL_WAYS] = {1, 0.5, 2, 50};
  trial trial = trial_at_once(0xf, 0);
  EXPECT(run(&trial, disturbed, SETTLED).last == 0);
  EXPECT(run(&trial, calm, 3 * LONGEST).last == 1);
}

/* The first short calls tell nothing. */
static void waits(void) {
  const double seconds[TRIAL_WAYS] = {1, 0.5, 2, 2};
  trial trial = trial_of(0xf, 0, true);
  tally tally = run(&trial, seconds, 80);
  EXPECT(tally.timed == 0 && tally.taken[0] == 80);
  EXPECT(run(&trial, seconds, 80).last == 1);
}

/* Of long calls, every second is timed; the last four of a slot are watched. */
static void takes_fewer_long_calls(void) {
  const double seconds[TRIAL_WAYS] = {1, 50, 1.4, 0.8};
  trial trial = trial_of(0xf, 0, false);
  trial.wait = 0;
  tally tally = run(&trial, seconds, 32);
  EXPECT(tally.taken[0] == 2 * ROUNDS && tally.taken[1] == 4 && tally.taken[2] == 4);
  EXPECT(tally.last == 3 && tally.timed == ROUNDS + 2 + 2 + ROUNDS + 4);
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
  EXPECT(tally.timed < PERIODS / 10 && tally.taken[0] > PERIODS * 98 / 100);
  EXPECT(run(&trial, seconds, PERIODS).timed > PERIODS / SLOT * 4);
  EXPECT(trial.period == LONGEST);
}

static void looks_again(void) {
  const double before[TRIAL_WAYS] = {1, 2, 2, 2}, after[TRIAL_WAYS] = {2, 2, 2, 1};
  trial trial = trial_at_once(0xf, 0);
  EXPECT(run(&trial, before, SETTLED).last == 0);
  EXPECT(run(&trial, after, 64 * LONGEST).last == 3);
}

/* One call that is held up says little of its way. */
static void tries_twice(void) {
  const double calm[TRIAL_WAYS] = {1, 0.8, 2, 2}, held_up[TRIAL_WAYS] = {1, 2, 2, 2};
  trial trial = trial_of(0xf, 0, false);
  trial.wait = 0;
  run(&trial, calm, 2);
  run(&trial, held_up, 2);
  EXPECT(run(&trial, calm, 28).last == 1);
}

/* However long nothing has changed, a machine on which another way is now faster is found out soon;
 * also where calls become faster, and the other way still more so. */
static void notices_changes(void) {
  const double calm[TRIAL_WAYS] = {1, 1.3, 1.3, 1.3};
  const double changed[][TRIAL_WAYS] = {{1.5, 1.3, 2, 2}, {0.7, 0.5, 2, 2}};
  for (int i = 0; i < 2; i++)
    for (int calls = PERIODS; calls < PERIODS + LONGEST; calls += 101) {
      trial trial = trial_at_once(0xf, 0);
      run(&trial, calm, calls);
      EXPECT(trial.chosen == 0 && trial.period == LONGEST);
      EXPECT(run(&trial, changed[i], LONGEST_OF_RESTLESS + 4 * SLOT).last == 1);
      EXPECT(run(&trial, changed[i], PERIODS).taken[1] > PERIODS * 98 / 100);
    }
}

/* Calls whose times change every so many slots, but no way is the faster for it: how many go other
 * ways than that. */
static int tried_where_restless(int slots) {
  trial trial = trial_at_once(0xf, 0);
  int tried = 0;
  for (int i = 0; i < PERIODS; i++) {
    double times = i / SLOT / slots % 2 ? 3 : 1;
    const double seconds[TRIAL_WAYS] = {times, 1.2 * times, 1.2 * times, 1.2 * times};
    tried += run(&trial, seconds, 1).taken[0] == 0;
  }
  EXPECT(trial.chosen == 0 && trial.period == LONGEST);
  return tried;
}

/* Trials become rare there as well; what soon passes brings none. */
static void bears_restlessness(void) {
  int often = tried_where_restless(3), seldom = tried_where_restless(1);
  EXPECT(often > 10 * TRIAL_BLOCKS * BLOCK && often < PERIODS / 12);
  EXPECT(seldom < PERIODS / 60);
}

/* Of two ways that take the same, one after the other being a little faster, none is better. */
static void does_not_waver(void) {
  const double first[TRIAL_WAYS] = {1, 0.96, 2, 2}, second[TRIAL_WAYS] = {0.96, 1, 2, 2};
  trial trial = trial_at_once(0xf, 0);
  for (int i = 0; i < PERIODS / SLOT; i++)
    run(&trial, i % 2 ? first : second, SLOT);
  EXPECT(trial.chosen == 0 && trial.period == LONGEST);
}

int main(void) {
  waits();
  settles_on_the_fastest();
  stays_with_the_usual();
  spends_little();
  leaves_the_usual();
  tries_the_hopeless_again();
  drops_nothing_at_once();
  counts_what_is_settled();
  takes_fewer_long_calls();
  is_not_misled();
  is_not_held_up();
  bears_clocks();
  takes_turns();
  bears_noise();
  becomes_rare();
  looks_again();
  tries_twice();
  notices_changes();
  bears_restlessness();
  does_not_waver();
  return finish_tests();
}
