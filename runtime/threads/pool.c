/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Threads that take part in the work of the one that owns them. They sleep where there is none for
 * a while: others may need their cores. It must not know contexts, or what the work is. */
#include "threads/pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/pause.h"

/* Looks at a number, before a thread sleeps: some 100 microseconds. Jobs follow each other, and to
 * be woken takes about as long as to do a small one. */
enum { SPINS = 2000 };

typedef struct job {
  tr_pool_work *work;
  void *data;
  int64_t steps, block;
} job;

struct tr_pool {
  pthread_mutex_t lock; /* of all; `number`, `busy` and `next` are looked at without it as well */
  pthread_cond_t wake, done;
  job job;
  _Atomic uint64_t number; /* of the job, so that nobody takes part twice */
  bool is_open, is_ending; /* whether anybody may still take part; whether threads end */
  _Atomic int32_t busy;    /* threads that take part, without the owner */
  _Atomic int64_t next;    /* the first step that nobody has taken */
  pid_t process;           /* that has the threads */
  int32_t num;
  pthread_t threads[];
};

/* ---- work ------------------------------------------------------------------------------------ */

static void take_part(tr_pool *pool, const job *job) {
  int64_t from;
  while ((from = atomic_fetch_add_explicit(&pool->next, job->block, memory_order_relaxed)) <
         job->steps) {
    int64_t left = job->steps - from;
    job->work(job->data, from, from + (left < job->block ? left : job->block));
  }
}

static void linger_for_job(const tr_pool *pool, uint64_t seen) {
  for (int i = 0; i < SPINS && atomic_load_explicit(&pool->number, memory_order_relaxed) == seen;
       i++)
    tr_pause();
}

static void linger_for_end(const tr_pool *pool) {
  for (int i = 0; i < SPINS && atomic_load_explicit(&pool->busy, memory_order_relaxed) > 0; i++)
    tr_pause();
}

static void *serve(void *user) {
  tr_pool *pool = user;
  uint64_t seen = 0;
  pthread_mutex_lock(&pool->lock);
  for (;;) {
    while (!pool->is_ending && (!pool->is_open || pool->number == seen))
      pthread_cond_wait(&pool->wake, &pool->lock);
    if (pool->is_ending)
      break;
    job job = pool->job;
    seen = pool->number;
    pool->busy++;
    pthread_mutex_unlock(&pool->lock);
    take_part(pool, &job);
    pthread_mutex_lock(&pool->lock);
    if (--pool->busy == 0)
      pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->lock);
    linger_for_job(pool, seen);
    pthread_mutex_lock(&pool->lock);
  }
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

void tr_pool_run(tr_pool *pool, tr_pool_work *work, void *data, int64_t steps, int64_t block) {
  if (pool->process != getpid()) {
    work(data, 0, steps);
    return;
  }
  job job = {work, data, steps, block};
  pthread_mutex_lock(&pool->lock);
  pool->job = job;
  pool->number++;
  pool->is_open = true;
  atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
  take_part(pool, &job);
  pthread_mutex_lock(&pool->lock);
  pool->is_open = false;
  pthread_mutex_unlock(&pool->lock);
  linger_for_end(pool);
  pthread_mutex_lock(&pool->lock);
  while (pool->busy > 0)
    pthread_cond_wait(&pool->done, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}

/* ---- life ------------------------------------------------------------------------------------ */

/* Signals are the program's own threads' business, but for those of an instruction: where they are
 * blocked, no handler sees them and the process ends. */
static void start_threads(tr_pool *pool, int32_t threads) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
  sigset_t all, before;
  sigfillset(&all);
  for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
    sigdelset(&all, faults[i]);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (pool->num < threads - 1 &&
         pthread_create(&pool->threads[pool->num], NULL, serve, pool) == 0)
    pool->num++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void free_pool(tr_pool *pool) {
  pthread_cond_destroy(&pool->wake);
  pthread_cond_destroy(&pool->done);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

tr_pool *tr_pool_open(int32_t threads) {
  if (threads < 2)
    return NULL;
  tr_pool *pool = calloc(1, sizeof(*pool) + sizeof(pthread_t) * (size_t)(threads - 1));
  if (!pool)
    return NULL;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wake, NULL);
  pthread_cond_init(&pool->done, NULL);
  pool->process = getpid();
  start_threads(pool, threads);
  if (pool->num > 0)
    return pool;
  free_pool(pool);
  return NULL;
}

void tr_pool_close(tr_pool *pool) {
  if (pool->process != getpid()) {
    free(pool);
    return;
  }
  pthread_mutex_lock(&pool->lock);
  pool->is_ending = true;
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
  for (int32_t i = 0; i < pool->num; i++)
    pthread_join(pool->threads[i], NULL);
  free_pool(pool);
}
