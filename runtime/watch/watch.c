/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The thread that watches the ranks of this process, and how it ends a job.
 * It must not know what a call does. */
#include "watch/watch.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/error.h"
#include "support/wishes.h"
#include "threads/tenths.h"
#include "watch/note.h"
#include "watch/questions.h"
#include "watch/remotes.h"
#include "watch/siblings.h"
#include "watch/sight.h"
#include "watch/verdict.h"

enum { FIRST_LOOK = 4, LOOK_EVERY = 4, CIRCLE = 20, LEAVE_TOGETHER = 20 }; /* ticks */
enum { LONGEST_TEXT = 8000 };

struct tr_watch {
  tr_board *board;
  size_t bytes;
  tr_kinship kinship;
  int32_t first, count; /* seats of this process */
  int32_t users;        /* contexts that have not ended; under the lock */
  double timeout;
  bool checks;          /* each call is compared before it begins, as TESSERA_CHECK says */
  tr_world world;       /* of one of them */
  tr_hosts *hosts;      /* NULL: there are no others */
  tr_launcher launcher; /* of this process */
  tr_sight sight;
  bool is_ending;             /* its backend is not to be called; under the lock */
  bool stopped;               /* under the lock */
  int64_t left_ticks;         /* since this process has left */
  _Atomic bool has_told_left; /* to other hosts */
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
};

tessera_status tr_watch_timeout(double *seconds) {
  static const double standard = 300, most = 1e9;
  const char *text = getenv("TESSERA_TIMEOUT");
  char *end;
  *seconds = standard;
  if (!text || !text[0])
    return TESSERA_OK;
  *seconds = strtod(text, &end);
  if (end != text && !*end && *seconds >= 0 && *seconds <= most)
    return TESSERA_OK;
  return tr_fail(
      TESSERA_ERROR_INVALID_ARGUMENT,
      "TESSERA_TIMEOUT is '%s'; it can be a number of seconds up to 1e9, or 0 for no limit", text);
}

static int64_t ticks_of(double seconds) {
  return (int64_t)(seconds * 1000 / TR_TICK) + 1;
}

/* ---- ending a job ---------------------------------------------------------------------------- */

/* MPI and its launcher may hang when they are to end a job: then it is ended from here. A process
 * number that serves another process now is left alone. */
static void *bury(void *data) {
  enum { PATIENCE = 3 };
  tr_watch *watch = data;
  sleep(PATIENCE);
  for (int32_t i = 0; i < watch->board->num_seats; i++) {
    const tr_seat *seat = &watch->board->seats[i];
    if (seat->state != TR_SEAT_EMPTY && seat->pid != getpid() &&
        tr_process_look(seat->pid, seat->born) != TR_PROCESS_GONE)
      kill(seat->pid, SIGKILL);
  }
  _exit(1);
}

static bool takes_the_word_here(tr_watch *watch, int32_t seat) {
  int32_t nobody = 0;
  return atomic_compare_exchange_strong(&watch->board->speaker, &nobody, seat + 1);
}

/* As long as a host takes to hear on which every core has other work; shorter where a rank is gone,
 * because launchers end such a job about a second after that. */
static const double long_patience = 2, short_patience = 0.3;

/* Of all ranks on all hosts. Who has been told of a failure before, and has waited long for the end
 * of the job, asks no other host. */
static bool takes_the_word(tr_watch *watch, int32_t seat, bool was_told, double patience) {
  if (!takes_the_word_here(watch, seat))
    return false;
  if (!watch->hosts || was_told || tr_hosts_take_word(watch->hosts, patience))
    return true;
  atomic_store(&watch->board->speaker, 0);
  return false;
}

/* Threads return from where they wait, with the message of one that waits. */
static void end_threads(const tr_watch *watch, int32_t rank, const char *message) {
  tr_world world = watch->world;
  world.rank = rank;
  world.backend->abort(&world, message);
}

/* A process says the message, and ends the job. */
static void end_job(tr_watch *watch, const tr_verdict *verdict, const char *message) {
  enum { LAUNCHER_ENDS = 15, CUT_LAUNCHER_ENDS = 6 }; /* seconds */
  pthread_t grave;
  fprintf(stderr, "%s\n", message);
  fflush(stderr);
  atomic_store(&watch->board->spoken, 1);
  bool is_reached = verdict->fate != TR_FATE_SILENT && verdict->fate != TR_FATE_UNSEEN;
  tr_launcher_bury(&watch->launcher, is_reached ? LAUNCHER_ENDS : CUT_LAUNCHER_ENDS);
  bool is_guarded = pthread_create(&grave, NULL, bury, watch) == 0;
  if (!watch->is_ending)
    watch->world.backend->abort(&watch->world, message);
  if (is_guarded)
    pthread_join(grave, NULL);
  _exit(1);
}

/* The end of a failed context of which others cannot hear, because what carries words hangs: so
 * does all that this end would do. */
static _Noreturn void end_hanging(tr_watch *watch, const tessera_context *context) {
  static const tr_verdict unreached = {.fate = TR_FATE_SILENT, .rank = -1};
  char text[LONGEST_TEXT];
  snprintf(text, sizeof(text),
           "error: rank %d: words to other hosts do not leave; the job is ended: %.3000s",
           context->world.rank, context->failure_message);
  pthread_mutex_lock(&watch->lock);
  if (takes_the_word_here(watch, watch->first))
    end_job(watch, &unreached, text);
  pthread_mutex_unlock(&watch->lock);
  for (;;) /* who has the word ends this process, too */
    pause();
}

/* ---- watching -------------------------------------------------------------------------------- */

/* What is known of all ranks now. */
static void set_scene(tr_watch *watch) {
  tr_sight_show(&watch->sight);
  if (watch->hosts)
    tr_hosts_show(watch->hosts, &watch->sight.scene);
}

/* Ranks tell each other of a failure, and end by themselves; only when they do not it is told here.
 * A rank that is gone never comes, and nobody does who waits in a circle, if no call begins before
 * all have come. All else may come until the time is over; and who sees nobody at fault leaves the
 * word to another host for a while, but who is beside a rank that is gone: nobody knows it sooner.
 */
static bool is_over(const tr_watch *watch, const tr_verdict *verdict, int64_t ticks,
                    bool was_told) {
  static const double long_time = 10; /* seconds */
  bool is_elsewhere = verdict->rank >= 0 && watch->sight.scene.actors[verdict->rank].is_elsewhere;
  double courtesy = watch->hosts ? tr_hosts_courtesy(watch->hosts, is_elsewhere) : 0;
  int64_t limit = ticks_of(watch->timeout) + (int64_t)(courtesy * 1000 / TR_TICK);
  if (was_told)
    return ticks > limit + ticks_of(long_time);
  if (verdict->fate == TR_FATE_KILLED && !is_elsewhere)
    return ticks >= FIRST_LOOK;
  if (verdict->fate >= TR_FATE_LEFT)
    return ticks >= FIRST_LOOK + (int64_t)(courtesy * 1000 / TR_TICK);
  if (verdict->is_circle && watch->checks && watch->kinship == TR_PROCESSES)
    return ticks >= CIRCLE + (int64_t)(courtesy * 1000 / TR_TICK);
  return verdict->fate == TR_FATE_UNSEEN ? ticks > limit + limit / 4 : ticks >= limit;
}

static void judge(tr_watch *watch, int32_t seat) {
  int64_t ticks = watch->sight.seats[seat].ticks;
  int32_t rank = watch->board->seats[seat].rank;
  bool is_late = ticks >= ticks_of(watch->timeout), was_told = watch->board->failed;
  if (!tr_now_goes_on(watch->sight.seats[seat].now) || ticks < FIRST_LOOK ||
      (!is_late && ticks % LOOK_EVERY != 0))
    return;
  set_scene(watch);
  tr_verdict verdict = tr_verdict_find(&watch->sight.scene, rank);
  if (watch->hosts)
    tr_hosts_ask(watch->hosts, &watch->sight.scene, watch->sight.seconds[seat]);
  double patience = verdict.fate == TR_FATE_KILLED ? short_patience : long_patience;
  if (!is_over(watch, &verdict, ticks, was_told) ||
      !takes_the_word(watch, seat, was_told, patience))
    return;
  tr_verdict_find_difference(&watch->sight.scene, rank, &verdict);
  char text[LONGEST_TEXT];
  tr_verdict_tell(&watch->sight.scene, rank, &verdict, watch->timeout, text, sizeof(text));
  if (watch->kinship == TR_THREADS)
    end_threads(watch, rank, text);
  else
    end_job(watch, &verdict, text);
}

static bool is_over_there(const tr_watch *watch, int32_t rank) {
  tr_remote remote;
  return tr_remote_read(watch->board, rank, &remote) &&
         (remote.state == TR_SEAT_ENDED || remote.state == TR_SEAT_LEFT);
}

/* On other hosts, which tell of ranks that leave, or may not have heard in time. */
static bool goes_on_elsewhere(const tr_watch *watch) {
  const int32_t *hosts = watch->world.hosts;
  for (int32_t i = 0; i < watch->board->num_remotes; i++)
    if (!hosts || (hosts[i] != hosts[watch->world.rank] && !is_over_there(watch, i)))
      return true;
  return watch->board->num_remotes > 0 && !watch->has_told_left;
}

/* Ranks whose contexts have not ended. */
static bool goes_on_without(const tr_watch *watch) {
  for (int32_t i = 0; i < watch->board->num_seats; i++) {
    const tr_seat *seat = &watch->board->seats[i];
    if (i == watch->first || seat->state == TR_SEAT_ENDED || seat->state == TR_SEAT_LEFT)
      continue;
    if (seat->state == TR_SEAT_EMPTY || tr_process_look(seat->pid, seat->born) != TR_PROCESS_GONE)
      return true;
  }
  return goes_on_elsewhere(watch);
}

/* Nobody may wait for a rank that has left, so that it says so itself. */
static void judge_own(tr_watch *watch) {
  static const tr_verdict left = {.fate = TR_FATE_LEFT, .rank = -1};
  char text[LONGEST_TEXT];
  watch->has_told_left = watch->hosts && tr_hosts_leave(watch->hosts);
  if (watch->left_ticks++ < LEAVE_TOGETHER || watch->board->failed || !goes_on_without(watch) ||
      !takes_the_word(watch, watch->first, false, long_patience))
    return;
  set_scene(watch);
  tr_verdict_tell_end(&watch->sight.scene, watch->board->seats[watch->first].rank,
                      "has left: its process ended without tessera_finalize, and others may go on",
                      text, sizeof(text));
  end_job(watch, &left, text);
}

static void *run(void *data) {
  tr_watch *watch = data;
  if (watch->kinship == TR_PROCESSES)
    tr_siblings_come();
  pthread_mutex_lock(&watch->lock);
  while (tr_wait_a_tenth(&watch->changed, &watch->lock, &watch->stopped)) {
    tr_sight_look(&watch->sight);
    if (watch->hosts)
      tr_hosts_tick(watch->hosts, watch->sight.seconds);
    bool has_left = watch->board->seats[watch->first].state == TR_SEAT_LEFT;
    if (has_left)
      judge_own(watch);
    for (int32_t i = 0; i < watch->board->num_seats; i++)
      if (has_left || (i >= watch->first && i < watch->first + watch->count))
        judge(watch, i);
  }
  pthread_mutex_unlock(&watch->lock);
  return NULL;
}

/* ---- leaving --------------------------------------------------------------------------------- */

/* The watch of this process, if ranks are processes. */
static _Atomic(tr_watch *) own_watch;

void tessera_about_to_end(void) {
  tr_watch *watch = atomic_load(&own_watch);
  if (!watch)
    return;
  atomic_store(&watch->board->failed, 1);
  atomic_store(&watch->board->spoken, 1);
}

/* A process that ends without the end of its context says so, and stays until all have left or
 * its watch has ended the job: launchers end one that a rank has left at once, MPICH's in silence
 * and with success. Where another rank has the word it stays for a moment after that. */
__attribute__((destructor)) static void leave_seat(void) {
  enum { MOMENT = 10, LONGEST = 2 * LEAVE_TOGETHER };
  tr_watch *watch = atomic_exchange(&own_watch, NULL);
  int failed = 0;
  if (!watch || watch->board->seats[watch->first].pid != getpid() ||
      watch->board->seats[watch->first].state == TR_SEAT_ENDED)
    return;
  atomic_store(&watch->board->seats[watch->first].state, TR_SEAT_LEFT);
  for (int i = 0; i < LONGEST && failed < MOMENT && goes_on_without(watch); i++) {
    usleep(TR_TICK * 1000);
    failed += watch->board->failed != 0;
  }
}

/* ---- life ------------------------------------------------------------------------------------ */

static tr_board *create_board(int32_t ranks) {
  void *memory = mmap(NULL, tr_board_bytes(ranks, 0), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  tr_board *board = memory;
  board->num_seats = board->ranks = ranks;
  return board;
}

/* Signals are the program's own threads' business. */
static bool start_thread(pthread_t *thread, void *(*function)(void *), void *data) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = pthread_create(thread, NULL, function, data) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

/* The messenger reads the board until it is closed. Of processes the backend writes to it, too,
 * until the context has ended. */
static void free_watch(tr_watch *watch, bool has_ended) {
  tr_hosts_close(watch->hosts);
  if (watch->board && (has_ended || watch->kinship == TR_THREADS))
    munmap(watch->board, watch->bytes);
  pthread_cond_destroy(&watch->changed);
  pthread_mutex_destroy(&watch->lock);
  tr_sight_close(&watch->sight);
  free(watch);
}

static void take_seat(tr_watch *watch, int32_t number, tessera_context *context, tr_notes *notes) {
  tr_seat *seat = &watch->board->seats[number];
  seat->rank = context->world.rank;
  seat->pid = getpid();
  seat->born = tr_process_born(seat->pid);
  notes->seat = seat;
  context->notes = notes;
  context->watch = watch;
  atomic_store(&seat->state, TR_SEAT_TAKEN);
  if (watch->kinship == TR_PROCESSES)
    atomic_store(&own_watch, watch);
}

static tr_watch *create_watch(const tr_world *world, int32_t count, double timeout) {
  tr_watch *watch = calloc(1, sizeof(*watch));
  if (!watch)
    return NULL;
  pthread_mutex_init(&watch->lock, NULL);
  pthread_cond_init(&watch->changed, NULL);
  watch->board = world->board ? world->board : create_board(world->size);
  watch->kinship = world->board ? TR_PROCESSES : TR_THREADS;
  watch->first = world->board ? world->seat : 0;
  watch->count = count;
  watch->world = *world;
  watch->timeout = timeout;
  watch->checks = tr_is_switched_on("TESSERA_CHECK");
  if (watch->board) {
    watch->bytes = tr_board_bytes(watch->board->num_seats, watch->board->num_remotes);
    watch->hosts = tr_hosts_open(world, timeout);
    watch->launcher = tr_launcher_find();
  }
  if (watch->board && tr_sight_open(&watch->sight, watch->board, watch->kinship == TR_PROCESSES))
    return watch;
  free_watch(watch, false);
  return NULL;
}

/* A rank alone waits for nobody. */
tessera_status tr_watch_start(int32_t count, tessera_context **contexts) {
  double timeout;
  const tr_world *world = &contexts[0]->world;
  tessera_status status = tr_watch_timeout(&timeout);
  bool is_local = strcmp(world->backend->name, "local") == 0;
  if (status || timeout == 0 || world->size == 1 || (!world->board && !is_local))
    return status;
  tr_watch *watch = create_watch(world, count, timeout);
  for (int32_t i = 0; watch && i < count; i++) {
    tr_notes *notes = calloc(1, sizeof(*notes));
    if (!notes)
      break;
    take_seat(watch, watch->first + i, contexts[i], notes);
    watch->users++;
  }
  if (watch && (watch->users < count || !start_thread(&watch->thread, run, watch))) {
    for (int32_t i = 0; i < watch->users; i++) {
      free(contexts[i]->notes);
      contexts[i]->notes = NULL;
      contexts[i]->watch = NULL;
    }
    free_watch(watch, false);
  }
  return TESSERA_OK;
}

void tr_watch_failed(tessera_context *context) {
  if (!context->notes)
    return;
  tr_seat_end(context);
  atomic_store(&context->watch->board->failed, 1);
}

/* A watch may still end the job later: what ends it here may hang. */
bool tr_watch_takes_word(const tessera_context *context) {
  tr_watch *watch = context->watch;
  int32_t nobody = 0;
  if (!watch || watch->kinship == TR_THREADS)
    return true;
  int32_t seat = (int32_t)(context->notes->seat - watch->board->seats);
  return !watch->board->speaker &&
         atomic_compare_exchange_strong(&watch->board->ending, &nobody, seat + 1) &&
         (!watch->hosts || tr_hosts_take_word(watch->hosts, long_patience));
}

static bool find_difference(const tessera_context *context, tr_difference *difference) {
  tr_board *board = context->watch->board;
  tr_witness *all = board ? calloc((size_t)board->ranks, sizeof(*all)) : NULL;
  tr_remote *remotes = board ? calloc((size_t)board->num_remotes + 1, sizeof(*remotes)) : NULL;
  for (int32_t i = 0; all && remotes && i < board->num_remotes; i++)
    if (tr_remote_read(board, i, &remotes[i]))
      all[i] = (tr_witness){.rank = i, .recent = &remotes[i].recent};
  for (int32_t i = 0; all && i < board->num_seats; i++) {
    const tr_seat *seat = &board->seats[i];
    if (seat->state != TR_SEAT_EMPTY)
      all[seat->rank] = (tr_witness){.rank = seat->rank, .ledger = &seat->ledger};
  }
  bool is_found = all && tr_difference_find(all, board->ranks, context->world.rank, difference);
  free(remotes);
  free(all);
  return is_found;
}

bool tr_watch_difference(const tessera_context *context, tr_difference *difference) {
  tr_watch *watch = context->watch;
  if (!watch || find_difference(context, difference))
    return watch;
  if (!watch->hosts || context->failure == TESSERA_ERROR_PEER) /* who failed has asked */
    return false;
  tr_hosts_inquire(watch->hosts);
  return find_difference(context, difference);
}

void tr_watch_forget(tessera_context *context) {
  if (context->notes)
    memset(context->notes->keys, 0, sizeof(context->notes->keys));
}

void tr_watch_ending(tessera_context *context) {
  static const tessera_site site = {.struct_size = sizeof(site),
                                    .kind = TESSERA_SITE_QUERY,
                                    .name = "the end of the context",
                                    .location = "",
                                    .index = -1};
  static const double patience = 5; /* seconds, more than words take that leave at all */
  tr_watch *watch = context->watch;
  if (!watch)
    return;
  if (watch->kinship == TR_PROCESSES) /* whose ends wait for each other */
    tr_seat_begin(context, &site, TR_MEMBERS_ALL);
  pthread_mutex_lock(&watch->lock);
  atomic_store(&context->notes->seat->state, TR_SEAT_ENDING);
  watch->is_ending = true;
  tr_hosts *hosts = watch->hosts;
  watch->hosts = NULL;
  memset(watch->sight.scene.actors, 0,
         sizeof(*watch->sight.scene.actors) * (size_t)watch->sight.scene.ranks);
  if (watch->kinship == TR_THREADS && !watch->stopped) { /* the backend goes with its ranks */
    watch->stopped = true;
    pthread_cond_signal(&watch->changed);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
    return;
  }
  pthread_mutex_unlock(&watch->lock);
  if (hosts && context->failure && !tr_hosts_end(hosts, patience))
    end_hanging(watch, context);
  tr_hosts_close(hosts);
}

static void unmap_board(tr_board *board) {
  if (board)
    munmap(board, tr_board_bytes(board->num_seats, board->num_remotes));
}

void tr_watch_stop(tessera_context *context) {
  tr_watch *watch = context->watch;
  if (!watch) {
    unmap_board(context->world.board);
    return;
  }
  atomic_store(&context->notes->seat->state, TR_SEAT_ENDED);
  pthread_mutex_lock(&watch->lock);
  bool is_last = --watch->users == 0, is_running = !watch->stopped;
  if (is_last)
    watch->stopped = true;
  pthread_cond_signal(&watch->changed);
  pthread_mutex_unlock(&watch->lock);
  if (is_last && is_running)
    pthread_join(watch->thread, NULL);
  if (is_last) {
    if (watch->kinship == TR_PROCESSES)
      atomic_store(&own_watch, NULL);
    free_watch(watch, true);
  }
  free(context->notes);
  context->notes = NULL;
  context->watch = NULL;
}
