/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Traps of a program's own machine code as messages. The text is made before the call, because a
 * handler may do very little. It must not know what the tools do. */
#include "common/trap.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/progress.h"

static const struct {
  int number;
  const char *meaning;
} traps[] = {
    {SIGFPE, "an integer division by zero, or one whose result is too large (SIGFPE)\n"},
    {SIGSEGV, "an access to memory that it does not have (SIGSEGV)\n"},
    {SIGBUS, "an access to memory that is not there (SIGBUS)\n"},
    {SIGILL, "an instruction that this processor does not have (SIGILL); see tesserac --march\n"},
};
enum { NUM_TRAPS = sizeof(traps) / sizeof(traps[0]), STACK_BYTES = 32 * 1024 };

static void (*trap_cleanup)(void);
static atomic_flag told = ATOMIC_FLAG_INIT;
/* Of the thread that was armed last: for those that compute for it, which are not armed. */
static _Atomic(const char *) last_text;

/* Of this thread. A handler of an exhausted stack needs another one. */
static _Thread_local char text[512];
static _Thread_local volatile sig_atomic_t armed;
static _Thread_local int turn_milliseconds;
static _Thread_local _Alignas(16) char stack[STACK_BYTES];

static void put(const char *words) {
  ssize_t written = write(STDERR_FILENO, words, strlen(words));
  (void)written;
}

/* Ranks of one process print once; those of other processes take turns, so that the first one's end
 * ends the rest before theirs comes. */
static void end_armed(int number, const char *words) {
  while (atomic_flag_test_and_set(&told))
    pause();
  tessera_about_to_end();
  poll(NULL, 0, turn_milliseconds);
  progress_silence();
  put(words);
  for (int i = 0; i < NUM_TRAPS; i++)
    if (traps[i].number == number)
      put(traps[i].meaning);
  if (trap_cleanup)
    trap_cleanup();
  _exit(1);
}

static void handle_trap(int number) {
  const char *words = armed ? text : last_text;
  if (words)
    end_armed(number, words);
  if (trap_cleanup)
    trap_cleanup();
  signal(number, SIG_DFL);
  raise(number);
}

void trap_install(void (*cleanup)(void)) {
  trap_cleanup = cleanup;
  struct sigaction action = {.sa_handler = handle_trap, .sa_flags = SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < NUM_TRAPS; i++)
    sigaction(traps[i].number, &action, NULL);
  signal(SIGXFSZ, SIG_IGN);
}

static void arm(const team *team, const char *entry, int milliseconds) {
  bool alone = strcmp(tessera_context_backend(team->context), "local") == 0;
  turn_milliseconds = alone ? 0 : milliseconds;
  snprintf(text, sizeof(text), "%s: error: %s: rank %d: the program's own code made ", team->tool,
           entry, team->rank);
  stack_t own = {.ss_sp = stack, .ss_size = sizeof(stack)};
  sigaltstack(&own, NULL);
  armed = 1;
  last_text = text;
}

void trap_arm(const team *team, const char *entry) {
  enum { TURN_MILLISECONDS = 100, LAST_TURN = 20 };
  arm(team, entry, (team->rank < LAST_TURN ? team->rank : LAST_TURN) * TURN_MILLISECONDS);
}

void trap_arm_alike(const team *team, const char *entry) {
  enum { LONG_MILLISECONDS = 10000 };
  arm(team, entry, team->rank == 0 ? 0 : LONG_MILLISECONDS);
}

void trap_disarm(void) {
  const char *own = text;
  atomic_compare_exchange_strong(&last_text, &own, NULL);
  armed = 0;
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
}
