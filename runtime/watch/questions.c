/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Questions between hosts. A rank that waits asks two ranks of each host where somebody is that it
 * waits for; whoever is asked tells of all ranks of its host, so that one that is alive there
 * speaks for those that cannot. What is heard lies on the board, for all ranks of this host. A
 * thread of its own carries the words, because what carries them may hang. It must not know how
 * they travel, nor who is at fault. */
#include "watch/questions.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "threads/tenths.h"
#include "watch/remotes.h"

typedef enum word_kind { WORD_ASKS = 0x57440001, WORD_TELLS, WORD_SPEAKS, WORD_HEARD } word_kind;

typedef struct word {
  uint32_t kind;
  int32_t rank; /* of whom it tells */
  tr_remote told;
} word;

_Static_assert(sizeof(word) <= TR_WORD_BYTES, "a word tells of a rank");

enum { ASKED_AT_ONCE = 16, ASKED_THERE = 2 }; /* hosts, and ranks on each */

/* Of a host, by its first rank; in ticks, as waiting is counted. */
typedef struct silence {
  uint32_t heard;   /* how often it had said something at the last look */
  int64_t answered; /* the question that was the last one when it did */
  int64_t ticks;    /* for which a question has been open */
} silence;

struct tr_hosts {
  tr_world world;
  tr_board *board;
  double timeout;
  int32_t number;    /* of this host */
  silence *silences; /* by rank: those of first ranks count; the watch's */
  tr_remote *seen;   /* by rank: what the scene shows; the watch's */
  pthread_t messenger;
  pthread_mutex_t lock; /* of what follows */
  pthread_cond_t changed;
  bool is_ending, has_ended, speaks, leaves, has_left;
  bool *asks;      /* by rank: of a first one, whether its host is to be asked */
  bool *has_heard; /* likewise, whether its host has heard that this one speaks */
  double *seconds; /* by seat: for how long it has not changed */
};

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool is_here(const tr_hosts *hosts, int32_t rank) {
  return hosts->world.hosts[rank] == hosts->world.hosts[hosts->world.rank];
}

/* ---- answers --------------------------------------------------------------------------------- */

static void describe(const tr_seat *seat, double seconds, tr_remote *told) {
  uint64_t now = atomic_load_explicit(&seat->now, memory_order_acquire);
  uint64_t calls = tr_now_calls(now);
  memset(told, 0, sizeof(*told));
  told->state = seat->state;
  told->process = seat->state == TR_SEAT_ENDED ? TR_PROCESS_RUNS
                                               : (int32_t)tr_process_look(seat->pid, seat->born);
  told->goes_on = tr_now_goes_on(now);
  told->peer = seat->peer;
  told->calls = calls;
  tr_recent_write(&seat->ledger, &told->recent);
  told->seconds = seconds;
  told->place = seat->places[tr_now_place(now)];
  for (uint64_t back = 1; back <= TR_BOARD_BEFORE && back < calls; back++)
    told->before[told->num_before++] =
        seat->places[seat->last[(calls - back) & (TR_BOARD_LAST - 1)]];
  memcpy(told->meetings, seat->meetings, sizeof(told->meetings));
}

static double seconds_of(tr_hosts *hosts, int32_t seat) {
  pthread_mutex_lock(&hosts->lock);
  double seconds = hosts->seconds[seat];
  pthread_mutex_unlock(&hosts->lock);
  return seconds;
}

static void answer(tr_hosts *hosts, int32_t rank) {
  const tr_board *board = hosts->board;
  for (int32_t i = 0; i < board->num_seats; i++) {
    const tr_seat *seat = &board->seats[i];
    word word = {.kind = WORD_TELLS, .rank = seat->rank};
    if (seat->state == TR_SEAT_EMPTY)
      continue;
    describe(seat, seconds_of(hosts, i), &word.told);
    hosts->world.control->tell(&hosts->world, rank, &word, sizeof(word));
  }
}

/* ---- listening ------------------------------------------------------------------------------- */

static void note(tr_hosts *hosts, const word *word) {
  if (word->rank < 0 || word->rank >= hosts->world.size || is_here(hosts, word->rank))
    return;
  tr_remote_write(hosts->board, word->rank, &word->told);
  atomic_fetch_add(&tr_board_hosts(hosts->board)[hosts->world.hosts[word->rank]].heard, 1);
}

/* Another host would speak. Where this one would, too, the first of them does; the other one is
 * silent, and says so. */
static void hear_speaker(tr_hosts *hosts, int32_t from) {
  tr_board *board = hosts->board;
  word word = {.kind = WORD_HEARD};
  bool is_first = hosts->world.hosts[hosts->world.rank] < hosts->world.hosts[from];
  int32_t nobody = TR_WORD_FREE;
  atomic_compare_exchange_strong(&board->word, &nobody, TR_WORD_ELSEWHERE);
  if (nobody == TR_WORD_HERE && is_first)
    return;
  atomic_store(&board->word, TR_WORD_ELSEWHERE);
  atomic_store(&board->failed, 1);
  hosts->world.control->tell(&hosts->world, from, &word, sizeof(word));
}

static void note_heard(tr_hosts *hosts, int32_t from) {
  pthread_mutex_lock(&hosts->lock);
  hosts->has_heard[hosts->world.hosts[from]] = true;
  pthread_mutex_unlock(&hosts->lock);
}

static void take(tr_hosts *hosts, int32_t from, const word *word) {
  if (word->kind == WORD_ASKS)
    answer(hosts, from);
  else if (word->kind == WORD_TELLS)
    note(hosts, word);
  else if (word->kind == WORD_SPEAKS)
    hear_speaker(hosts, from);
  else if (word->kind == WORD_HEARD)
    note_heard(hosts, from);
}

static void listen(tr_hosts *hosts) {
  enum { AT_ONCE = 1024 };
  char data[TR_WORD_BYTES];
  word word;
  int32_t from;
  for (int i = 0; i < AT_ONCE; i++) {
    size_t bytes = hosts->world.control->listen(&hosts->world, &from, data);
    if (bytes == 0)
      break;
    if (bytes != sizeof(word))
      continue;
    memcpy(&word, data, sizeof(word));
    take(hosts, from, &word);
  }
}

/* ---- the scene ------------------------------------------------------------------------------- */

/* Answers take a tick or two, and a network that loses much some seconds. */
static double long_silence(const tr_hosts *hosts) {
  static const double most = 10; /* seconds */
  return hosts->timeout / 2 < most ? hosts->timeout / 2 : most;
}

static bool is_silent(const tr_hosts *hosts, int32_t rank) {
  double seconds = (double)hosts->silences[hosts->world.hosts[rank]].ticks * 0.1;
  return seconds >= long_silence(hosts);
}

void tr_hosts_show(const tr_hosts *hosts, tr_scene *scene) {
  for (int32_t rank = 0; rank < scene->ranks; rank++) {
    tr_remote *remote = &hosts->seen[rank];
    tr_actor *actor = &scene->actors[rank];
    if (is_here(hosts, rank))
      continue;
    *actor = (tr_actor){.is_known = tr_remote_read(hosts->board, rank, remote),
                        .is_elsewhere = true,
                        .is_silent = is_silent(hosts, rank),
                        .state = remote->state,
                        .process = (tr_process_state)remote->process,
                        .calls = remote->calls,
                        .goes_on = remote->goes_on,
                        .peer = remote->peer,
                        .recent = &remote->recent,
                        .place = &remote->place,
                        .meetings = remote->meetings,
                        .num_before = remote->num_before,
                        .seconds = remote->seconds};
    for (int32_t i = 0; i < remote->num_before; i++)
      actor->before[i] = &remote->before[i];
  }
}

/* ---- questions ------------------------------------------------------------------------------- */

static bool is_waited_for(const tr_hosts *hosts, const tr_scene *scene, int32_t first) {
  for (int32_t rank = first; rank < scene->ranks; rank++)
    if (hosts->world.hosts[rank] == first && scene->actors[rank].is_waited_for)
      return true;
  return false;
}

/* Not so seldom that a host is taken for silent for one question that nobody there could answer. */
static int64_t pause_between(const tr_hosts *hosts) {
  enum { LEAST = 200 };
  double most = long_silence(hosts) / 2;
  double seconds = hosts->timeout / 8 < most ? hosts->timeout / 8 : most;
  int64_t pause = (int64_t)(seconds * 1000);
  return pause > LEAST ? pause : LEAST;
}

/* One of this host's ranks asks in a while. */
static bool may_ask(const tr_hosts *hosts, int32_t first) {
  _Atomic int64_t *asked = &tr_board_hosts(hosts->board)[first].asked;
  int64_t before = atomic_load(asked), now = milliseconds();
  if (before > 0 && now - before < pause_between(hosts))
    return false;
  return atomic_compare_exchange_strong(asked, &before, now);
}

/* Not all hosts at once, and each host begins with another one. */
void tr_hosts_ask(tr_hosts *hosts, const tr_scene *scene, double waited) {
  static const double longest = 5; /* seconds */
  double patience = hosts->timeout / 4 < longest ? hosts->timeout / 4 : longest;
  int32_t asked = 0, size = hosts->world.size, own = hosts->world.hosts[hosts->world.rank];
  if (waited < patience)
    return;
  pthread_mutex_lock(&hosts->lock);
  for (int32_t i = 1; i < size && asked < ASKED_AT_ONCE; i++) {
    int32_t first = (own + i) % size;
    if (hosts->world.hosts[first] == first && is_waited_for(hosts, scene, first) &&
        may_ask(hosts, first)) {
      hosts->asks[first] = true;
      asked++;
    }
  }
  pthread_cond_signal(&hosts->changed);
  pthread_mutex_unlock(&hosts->lock);
}

/* What has to be heard of a rank on another host: a version that is not this one. */
typedef struct awaited {
  int32_t rank;
  uint32_t version;
} awaited;

/* The ranks of the hosts that are asked; their number. */
static int32_t list_awaited(const tr_hosts *hosts, awaited *list) {
  int32_t num = 0, num_hosts = 0, last = 0; /* the first rank of the last host */
  for (int32_t rank = 0; rank < hosts->world.size; rank++) {
    int32_t first = hosts->world.hosts[rank];
    if (is_here(hosts, rank))
      continue;
    if (first == rank && num_hosts < ASKED_AT_ONCE) {
      num_hosts++;
      last = rank;
    }
    if (num_hosts > 0 && first <= last)
      list[num++] = (awaited){rank, tr_remote_version(hosts->board, rank)};
  }
  return num;
}

/* Asks the hosts of those of whom nothing new is heard; false: there are none. */
static bool ask_again(tr_hosts *hosts, const awaited *list, int32_t num) {
  bool any = false;
  pthread_mutex_lock(&hosts->lock);
  for (int32_t i = 0; i < num; i++)
    if (tr_remote_version(hosts->board, list[i].rank) == list[i].version)
      any = hosts->asks[hosts->world.hosts[list[i].rank]] = true;
  pthread_cond_signal(&hosts->changed);
  pthread_mutex_unlock(&hosts->lock);
  return any;
}

static bool is_all_told(const tr_hosts *hosts, const awaited *list, int32_t num) {
  for (int32_t i = 0; i < num; i++)
    if (tr_remote_version(hosts->board, list[i].rank) == list[i].version)
      return false;
  return true;
}

/* As long as it takes a host to answer on which every core has other work: whoever else knows what
 * differs speaks meanwhile. */
void tr_hosts_inquire(tr_hosts *hosts) {
  enum { STEP = 10000, STEPS = 100, TIMES = 10 }; /* microseconds */
  awaited *list = malloc(sizeof(*list) * (size_t)hosts->world.size);
  int32_t num = list ? list_awaited(hosts, list) : 0;
  for (int time = 0; time < TIMES && ask_again(hosts, list, num); time++)
    for (int step = 0; step < STEPS && !is_all_told(hosts, list, num); step++)
      usleep(STEP);
  free(list);
}

/* ---- speaking -------------------------------------------------------------------------------- */

static bool have_all_heard(tr_hosts *hosts) {
  bool all = true;
  pthread_mutex_lock(&hosts->lock);
  for (int32_t rank = 0; rank < hosts->world.size; rank++)
    all =
        all && (hosts->world.hosts[rank] != rank || is_here(hosts, rank) || hosts->has_heard[rank]);
  pthread_mutex_unlock(&hosts->lock);
  return all;
}

static void set_speaking(tr_hosts *hosts, bool speaks) {
  pthread_mutex_lock(&hosts->lock);
  hosts->speaks = speaks;
  pthread_mutex_unlock(&hosts->lock);
}

/* A host that is gone or cut off never hears. */
bool tr_hosts_take_word(tr_hosts *hosts, double patience) {
  enum { STEP = 10000, SECOND = 1000000 }; /* microseconds */
  _Atomic int32_t *word = &hosts->board->word;
  int32_t nobody = TR_WORD_FREE;
  if (!atomic_compare_exchange_strong(word, &nobody, TR_WORD_HERE) && nobody == TR_WORD_ELSEWHERE)
    return false;
  set_speaking(hosts, true);
  for (int i = 0;
       i < (int)(patience * SECOND / STEP) && *word == TR_WORD_HERE && !have_all_heard(hosts); i++)
    usleep(STEP);
  set_speaking(hosts, false);
  return *word == TR_WORD_HERE;
}

bool tr_hosts_leave(tr_hosts *hosts) {
  pthread_mutex_lock(&hosts->lock);
  hosts->leaves = true;
  bool is_done = hosts->has_left;
  pthread_cond_signal(&hosts->changed);
  pthread_mutex_unlock(&hosts->lock);
  return is_done;
}

double tr_hosts_courtesy(const tr_hosts *hosts, bool is_fault_elsewhere) {
  enum { MOST = 10 };
  return 0.3 * (hosts->number < MOST ? hosts->number : MOST) + (is_fault_elsewhere ? 2 : 0);
}

/* ---- ticks ----------------------------------------------------------------------------------- */

/* A host that nobody asks has nothing to say. */
static void count_tick(silence *silence, int64_t asked, uint32_t heard) {
  if (heard != silence->heard)
    silence->answered = asked;
  bool is_open = asked > 0 && asked != silence->answered;
  silence->ticks = is_open && heard == silence->heard ? silence->ticks + 1 : 0;
  silence->heard = heard;
}

static void count_silence(tr_hosts *hosts) {
  tr_remote_host *known = tr_board_hosts(hosts->board);
  for (int32_t i = 0; i < hosts->world.size; i++) {
    uint32_t heard = atomic_load_explicit(&known[i].heard, memory_order_relaxed);
    int64_t asked = atomic_load_explicit(&known[i].asked, memory_order_relaxed);
    count_tick(&hosts->silences[i], asked, heard);
  }
}

void tr_hosts_tick(tr_hosts *hosts, const double *seconds) {
  pthread_mutex_lock(&hosts->lock);
  memcpy(hosts->seconds, seconds, sizeof(*seconds) * (size_t)hosts->board->num_seats);
  pthread_mutex_unlock(&hosts->lock);
  count_silence(hosts);
}

/* ---- the messenger --------------------------------------------------------------------------- */

/* To two ranks of a host, others each time: those before may not be able to answer. */
static void tell_host(tr_hosts *hosts, int32_t first, word_kind kind) {
  word word = {.kind = kind};
  uint32_t turn = atomic_fetch_add(&tr_board_hosts(hosts->board)[first].turns, 1);
  int32_t ranks = 0, at = 0;
  for (int32_t rank = first; rank < hosts->world.size; rank++)
    ranks += hosts->world.hosts[rank] == first;
  for (int32_t rank = first; rank < hosts->world.size; rank++) {
    if (hosts->world.hosts[rank] != first)
      continue;
    int32_t begin = (int32_t)(turn * ASKED_THERE % (uint32_t)ranks);
    int32_t place = (at++ + ranks - begin) % ranks;
    if (place < ASKED_THERE)
      hosts->world.control->tell(&hosts->world, rank, &word, sizeof(word));
  }
}

/* That this host speaks, to those that have not heard it. */
static void tell_all(tr_hosts *hosts) {
  for (int32_t rank = 0; rank < hosts->world.size; rank++) {
    pthread_mutex_lock(&hosts->lock);
    bool has_heard = hosts->has_heard[rank];
    pthread_mutex_unlock(&hosts->lock);
    if (hosts->world.hosts[rank] == rank && !is_here(hosts, rank) && !has_heard)
      tell_host(hosts, rank, WORD_SPEAKS);
  }
}

/* Of the ranks here, though nobody asks. */
static void answer_all(tr_hosts *hosts) {
  for (int32_t rank = 0; rank < hosts->world.size; rank++)
    if (hosts->world.hosts[rank] == rank && !is_here(hosts, rank))
      answer(hosts, rank);
}

/* The next host that is to be asked, from `first` on; -1: there is none. With the lock. */
static int32_t take_asked(tr_hosts *hosts, int32_t first) {
  for (int32_t rank = first; rank < hosts->world.size; rank++)
    if (hosts->asks[rank]) {
      hosts->asks[rank] = false;
      return rank;
    }
  return -1;
}

/* The lock is free while words are told, and listened to. */
static void *run(void *data) {
  enum { SPEAKS_EVERY = 5 }; /* tenths of a second */
  tr_hosts *hosts = data;
  int64_t spoken = 0;
  pthread_mutex_lock(&hosts->lock);
  while (tr_wait_a_tenth(&hosts->changed, &hosts->lock, &hosts->is_ending)) {
    for (int32_t host = 0; (host = take_asked(hosts, host)) >= 0; host++) {
      pthread_mutex_unlock(&hosts->lock);
      tell_host(hosts, host, WORD_ASKS);
      pthread_mutex_lock(&hosts->lock);
    }
    bool speaks = hosts->speaks && spoken % SPEAKS_EVERY == 0;
    spoken = hosts->speaks ? spoken + 1 : 0;
    bool leaves = hosts->leaves && !hosts->has_left;
    pthread_mutex_unlock(&hosts->lock);
    if (speaks)
      tell_all(hosts);
    if (leaves)
      answer_all(hosts);
    listen(hosts);
    pthread_mutex_lock(&hosts->lock);
    hosts->has_left = hosts->has_left || leaves;
  }
  hosts->has_ended = true;
  pthread_cond_broadcast(&hosts->changed);
  pthread_mutex_unlock(&hosts->lock);
  return NULL;
}

/* ---- life ------------------------------------------------------------------------------------ */

static int32_t number_host(const tr_world *world) {
  int32_t number = 0;
  for (int32_t i = 0; i < world->hosts[world->rank]; i++)
    number += world->hosts[i] == i;
  return number;
}

static void free_hosts(tr_hosts *hosts) {
  pthread_cond_destroy(&hosts->changed);
  pthread_mutex_destroy(&hosts->lock);
  free(hosts->silences);
  free(hosts->seen);
  free(hosts->asks);
  free(hosts->has_heard);
  free(hosts->seconds);
  free(hosts);
}

static bool can_talk(const tr_world *world) {
  return world->hosts && world->board && world->board->num_remotes > 0 && world->control->tell &&
         world->control->listen;
}

tr_hosts *tr_hosts_open(const tr_world *world, double timeout) {
  tr_hosts *hosts = can_talk(world) ? calloc(1, sizeof(*hosts)) : NULL;
  if (!hosts)
    return NULL;
  size_t ranks = (size_t)world->size, seats = (size_t)world->board->num_seats;
  hosts->world = *world;
  hosts->board = world->board;
  hosts->timeout = timeout;
  hosts->number = number_host(world);
  hosts->silences = calloc(ranks, sizeof(*hosts->silences));
  hosts->seen = calloc(ranks, sizeof(*hosts->seen));
  hosts->asks = calloc(ranks, sizeof(*hosts->asks));
  hosts->has_heard = calloc(ranks, sizeof(*hosts->has_heard));
  hosts->seconds = calloc(seats, sizeof(*hosts->seconds));
  pthread_mutex_init(&hosts->lock, NULL);
  pthread_cond_init(&hosts->changed, NULL);
  sigset_t all, before; /* signals are the program's own threads' business */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool is_complete = hosts->silences && hosts->seen && hosts->asks && hosts->has_heard &&
                     hosts->seconds && pthread_create(&hosts->messenger, NULL, run, hosts) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (is_complete)
    return hosts;
  free_hosts(hosts);
  return NULL;
}

bool tr_hosts_end(tr_hosts *hosts, double seconds) {
  pthread_mutex_lock(&hosts->lock);
  hosts->is_ending = true;
  pthread_cond_broadcast(&hosts->changed);
  for (int64_t tenths = (int64_t)(seconds * 10); tenths > 0; tenths--)
    if (!tr_wait_a_tenth(&hosts->changed, &hosts->lock, &hosts->has_ended))
      break;
  bool has_ended = hosts->has_ended;
  pthread_mutex_unlock(&hosts->lock);
  return has_ended;
}

void tr_hosts_close(tr_hosts *hosts) {
  if (!hosts)
    return;
  tr_hosts_end(hosts, 0);
  pthread_join(hosts->messenger, NULL);
  free_hosts(hosts);
}
