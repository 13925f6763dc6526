/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Shows progress from a thread of its own, so that a single long step is seen, too.
 * It must not know what the work is. */
#include "common/progress.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct progress {
  const char *tool, *what;
  int64_t total;
  _Atomic int64_t done;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool stopped; /* under the mutex */
};

enum { SILENT_SECONDS = 2 };

static void show(const progress *progress, int64_t seconds) {
  fprintf(stderr, "\r%s: %s: %" PRId64 " of %" PRId64 ", %" PRId64 " s\033[K", progress->tool,
          progress->what, atomic_load(&progress->done), progress->total, seconds);
  fflush(stderr);
}

/* Waits until the time is `end`; true if the work ended before. Called with the mutex. */
static bool wait_until(progress *progress, const struct timespec *end) {
  int error = 0;
  while (!progress->stopped && error == 0)
    error = pthread_cond_clockwait(&progress->changed, &progress->mutex, CLOCK_MONOTONIC, end);
  return progress->stopped;
}

static void *watch(void *data) {
  progress *progress = data;
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  time.tv_sec += SILENT_SECONDS;
  bool shown = false;
  pthread_mutex_lock(&progress->mutex);
  for (int64_t seconds = SILENT_SECONDS; !wait_until(progress, &time); seconds++, time.tv_sec++) {
    show(progress, seconds);
    shown = true;
  }
  pthread_mutex_unlock(&progress->mutex);
  if (shown)
    fputs("\r\033[K", stderr);
  return NULL;
}

progress *progress_start(const char *tool, const char *what, int64_t total) {
  progress *made = isatty(STDERR_FILENO) ? calloc(1, sizeof(*made)) : NULL;
  if (!made)
    return NULL;
  made->tool = tool;
  made->what = what;
  made->total = total;
  pthread_mutex_init(&made->mutex, NULL);
  pthread_cond_init(&made->changed, NULL);
  if (pthread_create(&made->thread, NULL, watch, made) == 0)
    return made;
  pthread_cond_destroy(&made->changed);
  pthread_mutex_destroy(&made->mutex);
  free(made);
  return NULL;
}

void progress_step(progress *progress) {
  if (progress)
    atomic_fetch_add(&progress->done, 1);
}

void progress_stop(progress *progress) {
  if (!progress)
    return;
  pthread_mutex_lock(&progress->mutex);
  progress->stopped = true;
  pthread_cond_signal(&progress->changed);
  pthread_mutex_unlock(&progress->mutex);
  pthread_join(progress->thread, NULL);
  pthread_cond_destroy(&progress->changed);
  pthread_mutex_destroy(&progress->mutex);
  free(progress);
}
