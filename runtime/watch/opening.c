/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The watch while a launcher's ranks find each other: MPI waits for ever for one that does not
 * come. It must not know MPI. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "threads/tenths.h"
#include "watch/process.h"
#include "watch/siblings.h"
#include "watch/watch.h"

struct tr_opening {
  double seconds;
  bool is_done; /* under the lock */
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
};

/* Ranks take turns, so that the first one's end ends the rest before theirs comes. */
static void *run(void *data) {
  enum { LAUNCHER_ENDS = 15 }; /* seconds */
  enum { LAST_TURN = 20, TURN = 25 /* tenths of a second */ };
  tr_opening *opening = data;
  char who[512];
  tr_siblings_come();
  long rank = strtol(tr_siblings_own_rank(), NULL, 10), turn = rank < LAST_TURN ? rank : LAST_TURN;
  int64_t left = (int64_t)(opening->seconds * 10) + 1 + (turn > 0 ? TURN + turn : 0);
  pthread_mutex_lock(&opening->lock);
  while (left > 0 && tr_wait_a_tenth(&opening->changed, &opening->lock, &opening->is_done))
    left--;
  if (left == 0 && !opening->is_done) {
    tr_siblings_tell(who, sizeof(who));
    fprintf(stderr,
            "error: 'start of MPI' on rank %s has waited for %g s: not all ranks that the launcher "
            "was to start have come%s; TESSERA_TIMEOUT says how long ranks wait, and 0 for ever\n",
            tr_siblings_own_rank(), opening->seconds, who);
    fflush(NULL);
    tr_launcher launcher = tr_launcher_find();
    tr_launcher_bury(&launcher, LAUNCHER_ENDS);
    _exit(1);
  }
  pthread_mutex_unlock(&opening->lock);
  return NULL;
}

static void free_opening(tr_opening *opening) {
  pthread_cond_destroy(&opening->changed);
  pthread_mutex_destroy(&opening->lock);
  free(opening);
}

tr_opening *tr_opening_watch(double seconds) {
  tr_opening *opening = seconds > 0 ? calloc(1, sizeof(*opening)) : NULL;
  if (!opening)
    return NULL;
  opening->seconds = seconds;
  pthread_mutex_init(&opening->lock, NULL);
  pthread_cond_init(&opening->changed, NULL);
  if (pthread_create(&opening->thread, NULL, run, opening) == 0)
    return opening;
  free_opening(opening);
  return NULL;
}

void tr_opening_done(tr_opening *opening) {
  if (!opening)
    return;
  pthread_mutex_lock(&opening->lock);
  opening->is_done = true;
  pthread_cond_signal(&opening->changed);
  pthread_mutex_unlock(&opening->lock);
  pthread_join(opening->thread, NULL);
  free_opening(opening);
}
