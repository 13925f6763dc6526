/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Blocks of a loop on several threads: each step is done once, in the same blocks whatever the
 * number of threads, in a forked process too. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

enum { STEPS = 1000, CALLS = 200 };

typedef struct steps {
  int32_t done[STEPS];
  int64_t first[STEPS]; /* of the block that did it */
  _Atomic int32_t blocks;
} steps;

static void work(void *data, int64_t from, int64_t to) {
  steps *s = data;
  s->blocks++;
  for (int64_t i = from; i < to; i++) {
    s->done[i]++;
    s->first[i] = from;
  }
}

static void run_steps(int64_t num, int64_t unit, int64_t cost, steps *s) {
  memset(s, 0, sizeof(*s));
  tessera_rt_parallel(work, s, num, unit, cost);
  for (int64_t i = 0; i < STEPS; i++)
    if (s->done[i] != (i < num))
      fail_test("step %d of %d was done %d times", (int)i, (int)num, s->done[i]);
}

static void blocks(int32_t threads) {
  enum { DEAR = 50000000 }; /* a step that is worth a thread */
  steps s;
  run_steps(0, 1, DEAR, &s);
  run_steps(1, 1, DEAR, &s);
  run_steps(STEPS, 10, 1, &s);
  EXPECT(s.blocks == 1);
  for (int i = 0; i < CALLS; i++)
    run_steps(STEPS - i, 1 + i, DEAR >> (i % 8), &s);
  run_steps(STEPS, 10, DEAR, &s); /* at most 64 blocks */
  for (int64_t i = 0; i < STEPS && threads > 1; i++)
    EXPECT(s.first[i] == i / 20 * 20);
  EXPECT(s.blocks == (threads > 1 ? STEPS / 20 : 1));
}

static void run(int32_t rank, int32_t size, void *data) {
  (void)rank;
  (void)size;
  blocks(*(int32_t *)data);
}

/* The threads of a context are not there in a process that is forked from it. */
static void fork_and_run(int32_t rank, int32_t size, void *data) {
  run(rank, size, data);
  pid_t child = fork();
  if (child == 0) {
    steps s;
    run_steps(STEPS, 1, 50000000, &s);
    _exit(failed_here() > 0 || s.blocks != 1);
  }
  int status = 1;
  EXPECT(child > 0 && waitpid(child, &status, 0) == child && status == 0);
  run(rank, size, data);
}

static void end_well(int number) {
  (void)number;
  _exit(7);
}

/* Faults in a thread that helps: the first one only waits. */
static void fault_elsewhere(void *data, int64_t from, int64_t to) {
  (void)from;
  (void)to;
  if (!pthread_equal(*(pthread_t *)data, pthread_self()))
    raise(SIGFPE);
  usleep(1000);
}

/* Handlers of the process see what goes wrong in threads that help. */
static void fault_in_child(int32_t rank, int32_t size, void *data) {
  (void)rank;
  (void)size;
  (void)data;
  pthread_t self = pthread_self();
  signal(SIGFPE, end_well);
  tessera_rt_parallel(fault_elsewhere, &self, STEPS, 1, 50000000);
  _exit(1);
}

static void see_faults(void) {
  int32_t threads = 3;
  int status = 0;
  pid_t child = fork();
  if (child == 0)
    run_local(1, fault_in_child, &threads);
  EXPECT(child > 0 && waitpid(child, &status, 0) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

int main(void) {
  for (int32_t threads = 1; threads <= 5; threads += 2) {
    char text[16];
    snprintf(text, sizeof(text), "%d", threads);
    setenv("TESSERA_THREADS", text, 1);
    run_local(1, fork_and_run, &threads);
    run_local(3, run, &threads);
  }
  /* OpenMP's number is that of a process, which its ranks share. */
  int32_t alone = 2, shared = 1;
  unsetenv("TESSERA_THREADS");
  setenv("OMP_NUM_THREADS", "2", 1);
  run_local(1, run, &alone);
  run_local(3, run, &shared);
  see_faults();
  tessera_context *context = NULL;
  setenv("TESSERA_THREADS", "many", 1);
  EXPECT(tessera_local_create(1, &context) == TESSERA_ERROR_INVALID_ARGUMENT);
  EXPECT(strstr(tessera_last_error(), "TESSERA_THREADS is 'many'"));
  return finish_tests();
}
