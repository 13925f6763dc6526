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
  bool is_on_terminal;
  _Atomic int64_t done;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool stopped; /* under the mutex */
};

/* Lines that stay come less often, the longer the work takes. */
enum { SILENT_SECONDS = 2, LINES = 10 };

/* The terminal's: the cursor stands behind a line that changes; nothing more is to be shown. */
static atomic_bool has_line, is_silent;

static void take_line_away(void) {
  static const char clear[] = "\r\033[K";
  if (!atomic_exchange(&has_line, false))
    return;
  ssize_t written = write(STDERR_FILENO, clear, sizeof(clear) - 1);
  (void)written;
}

static void show(const progress *progress, int64_t seconds) {
  int64_t done = atomic_load(&progress->done), left = progress->total - done;
  const char *start = progress->is_on_terminal ? "\r" : "";
  const char *end = progress->is_on_terminal ? "\033[K" : "\n";
  char more[64] = "";
  if (atomic_load(&is_silent))
    return;
  if (done > 0 && left > 0)
    snprintf(more, sizeof(more), ", about %.0f s more",
             (double)seconds * (double)left / (double)done);
  fprintf(stderr, "%s%s: %s: %" PRId64 " of %" PRId64 ", %" PRId64 " s%s%s", start, progress->tool,
          progress->what, done, progress->total, seconds, more, end);
  fflush(stderr);
  atomic_store(&has_line, progress->is_on_terminal);
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
  pthread_mutex_lock(&progress->mutex);
  for (int64_t seconds = SILENT_SECONDS, step; !wait_until(progress, &time);
       seconds += step, time.tv_sec += step) {
    show(progress, seconds);
    step = progress->is_on_terminal ? 1 : 1 + seconds / LINES;
  }
  pthread_mutex_unlock(&progress->mutex);
  take_line_away();
  return NULL;
}

progress *progress_start(const char *tool, const char *what, int64_t total, progress_place place) {
  bool is_on_terminal = isatty(STDERR_FILENO),
       is_shown = is_on_terminal || place == PROGRESS_ANYWHERE;
  progress *made = is_shown ? calloc(1, sizeof(*made)) : NULL;
  if (!made)
    return NULL;
  made->is_on_terminal = is_on_terminal;
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

void progress_silence(void) {
  atomic_store(&is_silent, true);
  take_line_away();
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
