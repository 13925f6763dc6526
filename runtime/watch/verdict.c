/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Who is at fault when a rank waits, and how that is said.
 * It must not know how a job ends. */
#include "watch/verdict.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- finding --------------------------------------------------------------------------------- */

/* Coordinates are the same on all axes that the group does not go along. */
static bool meet(const tr_board_place *place, int32_t a, int32_t b) {
  for (int32_t i = place->grid_rank - 1; i >= 0; i--) {
    int32_t extent = place->extents[i] > 0 ? place->extents[i] : 1;
    if (!(place->axes >> i & 1) && a % extent != b % extent)
      return false;
    a /= extent;
    b /= extent;
  }
  return true;
}

/* The other end of the message that a rank is in; -1: it is in none. */
static int32_t peer_of(const tr_actor *actor) {
  return actor->is_known && actor->calls > 0 && actor->goes_on ? actor->peer : -1;
}

static bool may_wait_for(const tr_scene *scene, int32_t waiting, int32_t rank) {
  const tr_actor *actor = &scene->actors[waiting];
  int32_t peer = peer_of(actor);
  return peer >= 0 ? peer == rank : meet(actor->place, waiting, rank);
}

/* What its call belongs to; NULL: it has made none, or a message between two ranks. */
static const tr_board_meeting *meeting_of(const tr_actor *actor) {
  if (!actor->is_known || actor->calls == 0 || actor->place->meeting >= TR_BOARD_MEETINGS)
    return NULL;
  return &actor->meetings[actor->place->meeting];
}

static bool is_same_meeting(const tr_board_meeting *a, const tr_board_meeting *b) {
  return a->is_used && b->is_used && a->grid_rank == b->grid_rank && a->axes == b->axes &&
         memcmp(a->extents, b->extents, sizeof(int32_t) * (size_t)a->grid_rank) == 0;
}

/* How far a rank has come in the calls that a rank that waits makes with it. */
typedef enum standing { BEFORE, AT_IT, BEYOND, UNCERTAIN } standing;

static standing standing_of(const tr_actor *actor, const tr_actor *waiting) {
  const tr_board_meeting *wanted = meeting_of(waiting), *own = meeting_of(actor);
  if (!wanted || !actor->is_known)
    return UNCERTAIN;
  int number = 0;
  while (number < TR_BOARD_MEETINGS && actor->meetings[number].is_used &&
         !is_same_meeting(&actor->meetings[number], wanted))
    number++;
  if (number == TR_BOARD_MEETINGS) /* there may have been no room for it */
    return UNCERTAIN;
  int32_t ahead = (int32_t)(actor->meetings[number].calls - wanted->calls);
  if (ahead != 0)
    return ahead > 0 ? BEYOND : BEFORE;
  return actor->goes_on && own && is_same_meeting(own, wanted) ? AT_IT : BEYOND;
}

static tr_fate fate_in_call(const tr_actor *actor, const tr_actor *waiting) {
  const tr_board_place *own = actor->place, *other = waiting->place;
  if (!actor->goes_on)
    return TR_FATE_COMPUTES;
  bool is_as_often = own->calls == other->calls || own->is_by_hand;
  return own->hash != other->hash || !is_as_often ? TR_FATE_ELSEWHERE : TR_FATE_WAITS;
}

static tr_process_state process_of(const tr_actor *actor) {
  return actor->pid ? tr_process_look(actor->pid, actor->born) : actor->process;
}

static tr_fate fate_of(const tr_actor *actor, const tr_actor *waiting) {
  if (actor->is_known && actor->state == TR_SEAT_ENDED)
    return TR_FATE_ENDED;
  if (actor->is_known && actor->state == TR_SEAT_LEFT)
    return TR_FATE_LEFT;
  tr_process_state process = actor->is_known ? process_of(actor) : TR_PROCESS_RUNS;
  if (process == TR_PROCESS_GONE)
    return TR_FATE_KILLED;
  if (actor->is_silent)
    return TR_FATE_SILENT;
  if (!actor->is_known)
    return TR_FATE_UNSEEN;
  return process == TR_PROCESS_STOPPED ? TR_FATE_STOPPED : fate_in_call(actor, waiting);
}

typedef struct search {
  tr_scene *scene;
  tr_verdict worst;
  int32_t *queue; /* ranks that wait */
  int32_t queued;
} search;

/* Of a rank that has done its part: it did not wait for all others, as in a broadcast. */
static bool is_innocent(tr_fate fate) {
  return fate == TR_FATE_ELSEWHERE || fate == TR_FATE_COMPUTES || fate == TR_FATE_ENDED;
}

static void visit(search *search, int32_t waiting, int32_t rank) {
  tr_actor *actors = search->scene->actors;
  tr_fate fate = fate_of(&actors[rank], &actors[waiting]);
  if (is_innocent(fate) && standing_of(&actors[rank], &actors[waiting]) == BEYOND)
    return;
  actors[rank].is_waited_for = true;
  if (fate > search->worst.fate)
    search->worst = (tr_verdict){.fate = fate, .rank = rank, .receiver = -1};
  bool is_in_message = fate == TR_FATE_WAITS && peer_of(&actors[rank]) >= 0;
  if (fate == TR_FATE_ELSEWHERE || is_in_message)
    search->queue[search->queued++] = rank;
}

/* Who waits in the earliest of the calls that a rank makes with the others. */
static int32_t find_earliest(const tr_scene *scene, int32_t waiting) {
  int32_t earliest = waiting;
  for (int32_t rank = 0; rank < scene->ranks; rank++) {
    const tr_actor *actor = &scene->actors[rank], *before = &scene->actors[earliest];
    const tr_board_meeting *own = meeting_of(actor), *wanted = meeting_of(before);
    if (own && wanted && actor->goes_on && is_same_meeting(own, wanted) &&
        meet(before->place, earliest, rank) && standing_of(actor, before) == BEFORE)
      earliest = rank;
  }
  return earliest;
}

static bool is_same_place(const tr_board_place *a, const tr_board_place *b) {
  return a->hash == b->hash && strcmp(a->location, b->location) == 0;
}

/* How often a rank has called at a place, if that was one of its last calls; else 0. */
static uint32_t calls_at(const tr_actor *actor, const tr_board_place *place) {
  if (is_same_place(actor->place, place))
    return actor->place->calls;
  for (int32_t i = 0; i < actor->num_before; i++)
    if (is_same_place(actor->before[i], place))
      return actor->before[i]->calls;
  return 0;
}

/* A rank is in a message whose other end is in a call of several ranks, for which it waits in turn.
 * Who is wrong is told by the others in that call: whether they have been at the message's place as
 * often as the one, or fewer times; else it is who is alone. Of two none is the worse. */
static void find_odd_in_message(const tr_scene *scene, int32_t receiver, tr_verdict *verdict) {
  int32_t messages = 0, as_often = 0, less = 0, others = 0;
  int32_t peer = peer_of(&scene->actors[receiver]);
  while (messages < scene->ranks && peer_of(&scene->actors[peer]) >= 0) {
    receiver = peer;
    peer = peer_of(&scene->actors[receiver]);
    messages++;
  }
  const tr_actor *in_message = &scene->actors[receiver], *in_call = &scene->actors[peer];
  if (messages == scene->ranks || !in_call->is_known || !in_call->goes_on)
    return;
  for (int32_t rank = 0; rank < scene->ranks; rank++) {
    const tr_actor *actor = &scene->actors[rank];
    if (actor == in_message || actor == in_call || !actor->is_known || !actor->goes_on ||
        actor->place->hash != in_call->place->hash)
      continue;
    uint32_t calls = calls_at(actor, in_message->place);
    as_often += calls >= in_message->place->calls;
    less += calls > 0 && calls < in_message->place->calls;
    others++;
  }
  if (others == 0)
    return;
  verdict->rank = as_often > less ? peer : receiver;
  verdict->receiver = as_often > less ? receiver : -1;
}

/* Of two ranks in different calls none is the worse: with more of them, the one that is alone. */
static int32_t find_odd(const tr_scene *scene, int32_t self, int32_t other) {
  int32_t waiting = find_earliest(scene, self), same = 0, others = 0, odd = other;
  const tr_board_place *place = scene->actors[waiting].place;
  for (int32_t rank = 0; rank < scene->ranks; rank++) {
    const tr_actor *actor = &scene->actors[rank];
    if (!actor->is_known || !meet(place, waiting, rank))
      continue;
    bool is_same = (actor->goes_on && actor->place->hash == place->hash) ||
                   standing_of(actor, &scene->actors[waiting]) == BEYOND;
    same += is_same;
    if (!is_same && others++ == 0 && meet(place, waiting, other))
      odd = rank;
  }
  return same < others ? waiting : odd;
}

/* What a rank is in is no vote where it is a message of two. */
static void find_worst_elsewhere(const tr_scene *scene, int32_t self, tr_verdict *verdict) {
  bool is_in_message = peer_of(&scene->actors[self]) >= 0;
  if (!is_in_message)
    verdict->rank = find_odd(scene, self, verdict->rank);
  int32_t receiver = peer_of(&scene->actors[verdict->rank]) >= 0 ? verdict->rank : self;
  if (peer_of(&scene->actors[receiver]) >= 0)
    find_odd_in_message(scene, receiver, verdict);
}

/* Whether some of those who meet there are no longer in the call. */
static bool have_gone_on(const tr_scene *scene, int32_t self) {
  const tr_actor *waiting = &scene->actors[self];
  for (int32_t rank = 0; rank < scene->ranks; rank++) {
    const tr_actor *actor = &scene->actors[rank];
    bool is_here = actor->is_known && actor->goes_on && actor->place->hash == waiting->place->hash;
    if (!is_here && meet(waiting->place, self, rank))
      return true;
  }
  return false;
}

/* ---- circles --------------------------------------------------------------------------------- */

/* In a call of several ranks, and there for a while. What is told of other hosts may be old. */
static bool is_in_call(const tr_actor *actor) {
  static const double a_while = 1; /* seconds */
  return actor->goes_on && meeting_of(actor) && !actor->is_elsewhere && actor->seconds >= a_while;
}

/* One of those whose calls never end: of a call that this one is in, it is in another one. */
static bool lacks_stuck(const tr_scene *scene, const bool *is_stuck, int32_t waiting) {
  const tr_actor *self = &scene->actors[waiting];
  for (int32_t rank = 0; rank < scene->ranks; rank++) {
    const tr_actor *actor = &scene->actors[rank];
    if (rank != waiting && is_stuck[rank] && meet(self->place, waiting, rank) &&
        fate_in_call(actor, self) == TR_FATE_ELSEWHERE && standing_of(actor, self) != BEYOND)
      return true;
  }
  return false;
}

/* Whether a rank waits for ranks that wait in other calls, and these for others, and so on for
 * ever: what remains when all have been taken away who do not. */
static bool is_in_circle(const tr_scene *scene, int32_t self) {
  bool *is_stuck = scene->ranks > 0 ? calloc((size_t)scene->ranks, sizeof(*is_stuck)) : NULL;
  bool has_changed = is_stuck;
  for (int32_t rank = 0; is_stuck && rank < scene->ranks; rank++)
    is_stuck[rank] = is_in_call(&scene->actors[rank]);
  while (has_changed) {
    has_changed = false;
    for (int32_t rank = 0; rank < scene->ranks; rank++)
      if (is_stuck[rank] && !lacks_stuck(scene, is_stuck, rank)) {
        is_stuck[rank] = false;
        has_changed = true;
      }
  }
  bool is_self = is_stuck && is_stuck[self];
  free(is_stuck);
  return is_self;
}

/* ---- the verdict ----------------------------------------------------------------------------- */

tr_verdict tr_verdict_find(tr_scene *scene, int32_t self) {
  search search = {.scene = scene, .worst = {.fate = TR_FATE_WAITS, .rank = -1, .receiver = -1}};
  search.queue = calloc((size_t)scene->ranks, sizeof(*search.queue));
  if (!search.queue)
    return search.worst;
  for (int32_t rank = 0; rank < scene->ranks; rank++)
    scene->actors[rank].is_waited_for = rank == self;
  search.queue[search.queued++] = self;
  for (int32_t next = 0; next < search.queued; next++) {
    int32_t waiting = search.queue[next];
    for (int32_t rank = 0; rank < scene->ranks; rank++)
      if (!scene->actors[rank].is_waited_for && may_wait_for(scene, waiting, rank))
        visit(&search, waiting, rank);
  }
  if (search.worst.fate == TR_FATE_ELSEWHERE) {
    find_worst_elsewhere(scene, self, &search.worst);
    search.worst.is_circle = is_in_circle(scene, self);
  }
  if (search.worst.fate == TR_FATE_WAITS)
    search.worst.have_gone_on = have_gone_on(scene, self);
  free(search.queue);
  return search.worst;
}

/* ---- telling --------------------------------------------------------------------------------- */

typedef struct writer {
  char *text;
  size_t used, capacity;
} writer;

__attribute__((format(printf, 2, 3))) static void put(writer *writer, const char *format, ...) {
  va_list arguments;
  if (writer->used >= writer->capacity)
    return;
  va_start(arguments, format);
  int length =
      vsnprintf(writer->text + writer->used, writer->capacity - writer->used, format, arguments);
  va_end(arguments);
  writer->used += length > 0 ? (size_t)length : 0;
}

static void put_place(writer *writer, const tr_board_place *place) {
  put(writer, "'%s'%s%s", place->name, place->location[0] ? " at " : "", place->location);
}

/* Who meets there, as failures of calls say it: " (grid @mesh, axes [1], ranks {0, 2})". */
static void put_group(writer *writer, const tr_scene *scene, const tr_board_place *place,
                      int32_t rank) {
  enum { MOST = 16 };
  size_t length = strlen(place->group);
  int told = 0;
  if (length == 0)
    return;
  put(writer, "%.*s, ranks {", (int)length - 1, place->group);
  for (int32_t other = 0; other < scene->ranks && told <= MOST; other++)
    if (meet(place, rank, other)) {
      put(writer, "%s", told > 0 ? ", " : "");
      put(writer, told++ < MOST ? "%d" : "…", other);
    }
  put(writer, "})");
}

/* Indexed by fate. */
static const char *const fates[] = {
    "is in the same call, and nobody seems to be missing",
    "is on another host",
    "is in another call",
    "has not come: it computes, or waits for something else",
    "has ended its context",
    "differs",
    "is on a host that does not answer: it or its network is down, or the rank, alone there, is",
    "is stopped (SIGSTOP, or a debugger)",
    "has left: its process ended without tessera_finalize",
    "is gone: its process was killed, or has ended at once",
};

static void put_now(writer *writer, const tr_scene *scene, int32_t rank, const char *before) {
  const tr_actor *actor = &scene->actors[rank];
  if (actor->calls == 0) {
    put(writer, ", before its first call");
    return;
  }
  if (actor->goes_on)
    put(writer, "%sin ", before);
  else
    put(writer, "; its last call was ");
  put_place(writer, actor->place);
  put_group(writer, scene, actor->place, rank);
  if (peer_of(actor) >= 0)
    put(writer, " with rank %d", actor->peer);
}

static void put_fault(writer *writer, const tr_scene *scene, const tr_verdict *verdict) {
  if (verdict->fate == TR_FATE_DIFFERS) {
    put(writer, "%s", verdict->difference.text);
    return;
  }
  if (verdict->rank < 0) {
    put(writer,
        verdict->have_gone_on
            ? "no rank is missing, and others have gone on from the call: one may have given "
              "it another root, type or size, which TESSERA_CHECK=1 tells before it begins"
            : "all ranks that it waits for are in the same call");
    return;
  }
  const tr_actor *actor = &scene->actors[verdict->rank];
  if (verdict->receiver >= 0) {
    put(writer, "rank %d is", verdict->rank);
    put_now(writer, scene, verdict->rank, " ");
    put(writer, ", and rank %d waits for a message before that", verdict->receiver);
    put_now(writer, scene, verdict->receiver, ", ");
    return;
  }
  put(writer, "rank %d %s", verdict->rank, fates[verdict->fate]);
  if (actor->is_known && verdict->fate != TR_FATE_ENDED)
    put_now(writer, scene, verdict->rank, ", ");
  if (verdict->is_circle)
    put(writer,
        ", and waits itself: the ranks use their groups in different orders, or one has left out "
        "a call");
}

/* The flight recorder: the calls before the last one, the latest first. */
static void put_last(writer *writer, const tr_actor *actor) {
  for (int32_t i = 0; i < actor->num_before; i++) {
    put(writer, i == 0 ? "; before that " : ", ");
    put_place(writer, actor->before[i]);
  }
}

static void put_actor(writer *writer, const tr_scene *scene, int32_t rank) {
  const tr_actor *actor = &scene->actors[rank];
  static const char *const states[] = {
      [TR_SEAT_ENDING] = ", ends", [TR_SEAT_ENDED] = ", has ended", [TR_SEAT_LEFT] = ", has left"};
  put(writer, "\n  rank %d%s%s", rank, actor->is_elsewhere ? ", on another host" : "",
      actor->state >= TR_SEAT_ENDING ? states[actor->state] : "");
  put_now(writer, scene, rank, ", ");
  if (actor->calls > 0)
    put(writer, ", call %" PRIu64 " of the rank, %u of this place, for %.1f s", actor->calls,
        actor->place->calls, actor->seconds);
  put_last(writer, actor);
}

static void put_actors(writer *writer, const tr_scene *scene) {
  for (int32_t i = 0; i < scene->ranks; i++)
    if (scene->actors[i].is_known)
      put_actor(writer, scene, i);
}

void tr_verdict_tell(const tr_scene *scene, int32_t rank, const tr_verdict *verdict, double timeout,
                     char *text, size_t capacity) {
  const tr_actor *self = &scene->actors[rank];
  const tr_board_place *place = self->place;
  writer writer = {text, 0, capacity};
  put(&writer, "%s%serror: '%s' on rank %d", place->location, place->location[0] ? ": " : "",
      place->name, rank);
  put_group(&writer, scene, place, rank);
  put(&writer, " has waited for %.1f s: ", self->seconds);
  put_fault(&writer, scene, verdict);
  put(&writer,
      "; TESSERA_TIMEOUT is %g s, and 0 would let ranks wait for ever; where they are:", timeout);
  put_actors(&writer, scene);
}

void tr_verdict_tell_end(const tr_scene *scene, int32_t rank, const char *end, char *text,
                         size_t capacity) {
  const tr_actor *self = &scene->actors[rank];
  const tr_board_place *place = self->place;
  writer writer = {text, 0, capacity};
  if (self->calls == 0)
    put(&writer, "error: rank %d %s; it had made no call", rank, end);
  else
    put(&writer, "%s%serror: '%s' on rank %d%s was its last call: rank %d %s", place->location,
        place->location[0] ? ": " : "", place->name, rank, place->group, rank, end);
  put(&writer, "; where they are:");
  put_actors(&writer, scene);
}
