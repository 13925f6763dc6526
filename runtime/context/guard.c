/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Who uses a context, how it fails, and where a failure inside compiled code leads to.
 * It must not know collectives, or what has failed. */
#include "context/guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "memory/allocation.h"
#include "support/error.h"
#include "watch/watch.h"

/* An attempt that is under way: where a failure leads, and what the code has allocated. */
struct tr_guard {
  tr_guard *outer; /* the context's before */
  jmp_buf jump;
  tr_allocations made, *outer_made;
  tessera_context *outer_current;
  bool must_leave;
};

/* ---- use ------------------------------------------------------------------------------------- */

/* Its address tells threads apart. */
static _Thread_local char self;

static tessera_status in_use(const tessera_context *context) {
  return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                 "the context of rank %d is used by another thread at this moment; a context "
                 "serves one thread at a time",
                 context->world.rank);
}

tessera_status tr_context_take(tessera_context *context, bool *is_outermost) {
  const void *user = atomic_load_explicit(&context->user, memory_order_relaxed);
  *is_outermost = user != &self;
  if (*is_outermost) {
    user = NULL;
    if (!atomic_compare_exchange_strong_explicit(&context->user, &user, &self, memory_order_acquire,
                                                 memory_order_relaxed))
      return in_use(context);
    tr_context_attend(context);
  }
  return TESSERA_OK;
}

tessera_status tr_context_enter(tessera_context *context, bool *is_outermost) {
  tessera_status status = tr_context_take(context, is_outermost);
  if (status || !context->failure)
    return status;
  if (*is_outermost)
    tr_context_leave(context);
  return tr_fail(context->failure, "%s", context->failure_message);
}

void tr_context_leave(tessera_context *context) {
  atomic_store_explicit(&context->user, NULL, memory_order_release);
}

/* Without a context there is nobody to tell either. */
static _Noreturn void end_process(const tessera_site *site) {
  fprintf(stderr, "%s%serror: '%s': %s\n", site->location, site->location[0] ? ": " : "",
          site->name, tessera_last_error());
  fflush(NULL);
  _exit(1);
}

static _Noreturn void end_job(tessera_context *context, tessera_status status, const char *message);

/* The other thread's work is not lost by a failure of the context, whose attempts are its own. */
__attribute__((noinline)) static _Noreturn void
refuse(tessera_context *context, const tessera_site *site, tessera_status status) {
  if (!context)
    end_process(site);
  char message[1024];
  snprintf(message, sizeof(message), "%s%serror: '%s': %s", site->location,
           site->location[0] ? ": " : "", site->name, tessera_last_error());
  end_job(context, status, message);
}

tr_held tr_context_hold(const tessera_site *site) {
  tr_held held = {tessera_context_current(), false};
  tessera_status status =
      held.context ? tr_context_take(held.context, &held.must_leave) : TESSERA_ERROR_NOT_FOUND;
  if (status)
    refuse(held.context, site, status);
  if (held.context->failure)
    tr_context_raise(held.context, held.context->failure, held.context->failure_message);
  return held;
}

/* ---- failure --------------------------------------------------------------------------------- */

/* Behind what the message says itself in these words. */
static const char *without_repetition(const char *message, const char *text) {
  static const char words[] = "pieces do not fit: ";
  size_t length = sizeof(words) - 1;
  return strstr(message, words) && strncmp(text, words, length) == 0 ? text + length : text;
}

/* What a message says may follow from calls that differ. What it says of these already is not said
 * twice. */
static void add_difference(tessera_context *context) {
  bool may_follow = context->failure == TESSERA_ERROR_MISMATCH ||
                    context->failure == TESSERA_ERROR_BACKEND ||
                    context->failure == TESSERA_ERROR_PEER;
  size_t used = strlen(context->failure_message);
  tr_difference difference;
  if (!may_follow || !tr_watch_difference(context, &difference))
    return;
  bool is_said = strstr(context->failure_message, difference.words);
  const char *more = is_said ? difference.verdict : difference.text;
  if (more[0] && !strstr(context->failure_message, more))
    snprintf(context->failure_message + used, sizeof(context->failure_message) - used, "; %s",
             without_repetition(context->failure_message, more));
}

tessera_status tr_context_fail(tessera_context *context, tessera_status status,
                               const char *message) {
  if (!context->failure) {
    context->failure = status;
    tr_watch_failed(context);
    snprintf(context->failure_message, sizeof(context->failure_message), "%s", message);
    add_difference(context);
    context->world.backend->fail(&context->world, context->failure_message);
  }
  return tr_fail(context->failure, "%s", context->failure_message);
}

/* How long a rank leaves the word to others: one that only heard of a failure to the one that
 * failed, which surely speaks, and of ranks that fail together each to those before it. An abort
 * takes a while to arrive: more than a second where Open MPI's launcher gives ranks time to end,
 * and several from another host where machines are loaded. */
static useconds_t patience(const tessera_context *context, tessera_status status) {
  enum { ARRIVAL = 2500000, HEARD = 10000000, TURN = 50000, LAST_TURN = 20, LAST_HOST = 4 };
  const tr_world *world = &context->world; /* times are in microseconds */
  int32_t turn = world->rank < LAST_TURN ? world->rank : LAST_TURN, host = 0;
  for (int32_t i = 0; world->hosts && host < LAST_HOST && i < world->hosts[world->rank]; i++)
    host += world->hosts[i] == i;
  if (status == TESSERA_ERROR_PEER)
    return HEARD + ARRIVAL * host;
  return turn == 0 ? 0 : (useconds_t)(ARRIVAL + ARRIVAL * host + turn * TURN);
}

/* One message from the job, as far as ranks can arrange that without talking. */
static _Noreturn void end_job(tessera_context *context, tessera_status status,
                              const char *message) {
  enum { ABORT_ARRIVES = 10000000 }; /* microseconds */
  static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;
  usleep(patience(context, status));
  if (!tr_watch_takes_word(context)) /* another rank ends the job just now */
    usleep(ABORT_ARRIVES);
  pthread_mutex_lock(&printing); /* kept: the process ends with it */
  fprintf(stderr, "%s\n", message);
  fflush(NULL);
  context->world.backend->abort(&context->world, message);
  _exit(1);
}

void tr_context_raise(tessera_context *context, tessera_status status, const char *message) {
  status = tr_context_fail(context, status, message);
  tr_scratch_reset(&context->scratch);
  if (context->guard)
    longjmp(context->guard->jump, 1);
  end_job(context, status, context->failure_message);
}

/* ---- attempts -------------------------------------------------------------------------------- */

static void begin(tr_guard *guard, tessera_context *context) {
  guard->outer = context->guard;
  guard->outer_current = tr_context_swap_current(context);
  guard->outer_made = tr_allocation_track(&guard->made);
  context->guard = guard;
}

static void end(tr_guard *guard, tessera_context *context) {
  tr_allocation_forget(guard->outer_made);
  context->guard = guard->outer;
  tessera_context_set_current(guard->outer_current);
  if (guard->must_leave)
    tr_context_leave(context);
}

/* Between setjmp and longjmp lie only functions of the caller's and of compiled code, in C. */
tessera_status tessera_attempt(tessera_context *context, void (*function)(void *), void *data) {
  tr_guard guard;
  tessera_status status = tr_context_enter(context, &guard.must_leave);
  if (status)
    return status;
  begin(&guard, context);
  if (setjmp(guard.jump) == 0) {
    function(data);
    tr_allocation_keep(&guard.made);
    end(&guard, context);
    return TESSERA_OK;
  }
  tr_allocation_give_back(&guard.made, context->world.device);
  end(&guard, context);
  return context->failure;
}
