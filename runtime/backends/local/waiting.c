/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How ranks wait for each other, and how they learn that they wait in vain.
 * It must not know what they wait for. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "backends/local/hub.h"
#include "planes/call_account.h"
#include "planes/site_hash.h"
#include "support/error.h"
#include "support/pause.h"

/* About as long as it takes to fall asleep and be woken: 50 us. */
enum { LOOKS = 1000 };

void fail_hub(hub *hub, const char *message) {
  if (hub->failed)
    return;
  hub->failed = true;
  snprintf(hub->message, sizeof(hub->message), "%s", message);
  for (int32_t i = 0; i < hub->ranks; i++)
    pthread_cond_broadcast(&hub->seats[i].wake);
}

tessera_status peer_failure(const hub *hub, int32_t rank) {
  bool is_own = hub->has_speaker && hub->speaker == rank;
  return tr_fail(TESSERA_ERROR_PEER, "%s%s", is_own ? "" : "another rank failed: ", hub->message);
}

/* ---- waiting in vain, in words --------------------------------------------------------------- */

typedef struct writer {
  char text[MESSAGE_CAPACITY];
  size_t used;
} writer;

__attribute__((format(printf, 2, 3))) static void put(writer *writer, const char *format, ...) {
  size_t room = sizeof(writer->text) - writer->used;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(writer->text + writer->used, room, format, arguments);
  va_end(arguments);
  writer->used += length >= 0 && (size_t)length < room ? (size_t)length : room - 1;
}

/* "rank 2", or "ranks {1, 2}", of those for which `is_one` holds; how many these are. */
typedef bool predicate(const hub *hub, int32_t rank, int32_t other);
static int32_t put_ranks(writer *writer, const hub *hub, predicate *is_one, int32_t rank) {
  enum { MOST = 16 };
  int32_t num = 0, told = 0;
  for (int32_t i = 0; i < hub->ranks; i++)
    num += is_one(hub, rank, i);
  put(writer, num == 1 ? "rank " : "ranks {");
  for (int32_t i = 0; i < hub->ranks && told < MOST; i++)
    if (is_one(hub, rank, i))
      put(writer, "%s%d", told++ > 0 ? ", " : "", i);
  put(writer, "%s%s", num > MOST ? ", …" : "", num == 1 ? "" : "}");
  return num;
}

static bool is_awaited_by(const hub *hub, int32_t rank, int32_t other) {
  const event *awaited = hub->seats[rank].awaited;
  return awaited->awaits(hub, awaited, other);
}

/* It has ended, and one that waits needs it. */
static bool is_at_fault(const hub *hub, int32_t unused, int32_t rank) {
  (void)unused;
  bool is_awaited = false;
  for (int32_t i = 0; i < hub->ranks && !hub->seats[rank].awaited; i++)
    is_awaited = is_awaited || (hub->seats[i].awaited && is_awaited_by(hub, i, rank));
  return is_awaited;
}

static void put_place(writer *writer, const hub *hub, int32_t rank) {
  char site[256];
  if (!hub->seats[rank].awaited) {
    put(writer, " rank %d has ended", rank);
    return;
  }
  tr_account_place(hub->seats[rank].site, site, sizeof(site));
  put(writer, " rank %d in %s waits for ", rank, site);
  put_ranks(writer, hub, is_awaited_by, rank);
}

/* Nobody is left to wake a rank that waits. */
static tessera_status report_deadlock(hub *hub) {
  writer writer = {.used = 0};
  if (hub->waiting == hub->ranks) {
    put(&writer, "all ranks wait for each other:");
  } else {
    int32_t num = put_ranks(&writer, hub, is_at_fault, 0);
    put(&writer, " %s ended without a call that others wait for:", num == 1 ? "has" : "have");
  }
  for (int32_t i = 0; i < hub->ranks; i++) {
    put_place(&writer, hub, i);
    put(&writer, "%s", i + 1 < hub->ranks ? "," : "");
  }
  fail_hub(hub, writer.text);
  return tr_fail(TESSERA_ERROR_MISMATCH, "%s", writer.text);
}

/* ---- waiting in vain ------------------------------------------------------------------------- */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool has_ended(const seat *seat) {
  return seat->is_closed ||
         tr_user_has_ended(atomic_load_explicit(&seat->user, memory_order_relaxed));
}

/* Every rank waits or has ended. */
static bool is_deserted(const hub *hub) {
  for (int32_t i = 0; i < hub->ranks; i++)
    if (!hub->seats[i].awaited && !has_ended(&hub->seats[i]))
      return false;
  return true;
}

/* A rank whose thread has ended may go on in another thread, which gets some time to begin. */
static tessera_status find_deserted(hub *hub) {
  static const double patience = 2; /* seconds */
  if (!is_deserted(hub)) {
    hub->deserted = 0;
    return TESSERA_OK;
  }
  double now = seconds();
  if (hub->deserted == 0)
    hub->deserted = now;
  return now - hub->deserted > patience ? report_deadlock(hub) : TESSERA_OK;
}

/* A while: then others may have ended. */
static void wait_on(hub *hub, seat *seat) {
  enum { WHILE = 500000000, SECOND = 1000000000 }; /* nanoseconds */
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += (until.tv_nsec + WHILE) / SECOND;
  until.tv_nsec = (until.tv_nsec + WHILE) % SECOND;
  pthread_cond_timedwait(&seat->wake, &hub->lock, &until);
}

/* Without the lock: whoever comes to an end needs it. */
void linger(hub *hub, const event *event) {
  int32_t looks = hub->ranks <= hub->cores ? LOOKS : 0;
  if (looks == 0 || atomic_load_explicit(&event->pending, memory_order_relaxed) == 0)
    return;
  pthread_mutex_unlock(&hub->lock);
  while (looks-- > 0 && atomic_load_explicit(&event->pending, memory_order_relaxed) > 0)
    tr_pause();
  pthread_mutex_lock(&hub->lock);
}

static void stop_waiting(hub *hub, seat *seat) {
  hub->waiting -= seat->awaited != NULL;
  seat->awaited = NULL;
}

void advance(hub *hub, event *event) {
  seat *seat = &hub->seats[event->rank];
  if (--event->pending == 0 && seat->awaited == event)
    stop_waiting(hub, seat);
  /* After a failure the rank waits for each copy, not only for the last. */
  if (event->pending == 0 || hub->failed)
    pthread_cond_broadcast(&seat->wake);
}

tessera_status await(hub *hub, const tessera_site *site, const event *event) {
  seat *seat = &hub->seats[event->rank];
  tessera_status status = TESSERA_OK;
  seat->site = site;
  while (event->pending > 0 && !hub->failed && !status) {
    if (!seat->awaited) {
      seat->awaited = event;
      if (++hub->waiting == hub->ranks)
        status = report_deadlock(hub);
    } else {
      status = find_deserted(hub);
    }
    if (!status)
      wait_on(hub, seat);
  }
  stop_waiting(hub, seat);
  bool is_done = event->pending == 0 && !event->differs;
  return status || is_done ? status : peer_failure(hub, event->rank);
}

/* ---- what belongs together ------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b) {
  return a == b || strcmp(a, b) == 0;
}

bool same_collective(const tessera_site *a, const tessera_site *b) {
  return a == b ||
         (a->kind == b->kind && a->input_type == b->input_type &&
          a->output_type == b->output_type && a->reduction == b->reduction && a->axis == b->axis &&
          a->concat_axis == b->concat_axis && a->offset == b->offset && a->flags == b->flags &&
          same_text(a->name, b->name) && (tr_is_by_hand(a) || same_text(a->location, b->location)));
}
