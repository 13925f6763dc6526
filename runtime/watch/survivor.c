/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Who outlives the ranks of a host and says which of them went first.
 * It must not know MPI, nor use memory of malloc's: it was forked beside other threads. */
#include "watch/survivor.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "watch/beacon.h"
#include "watch/process.h"

enum { LONGEST_TEXT = 8000 };

static const uint64_t WORD = ~(uint64_t)0; /* in place of a seat: another host tells something */

/* Who went first. */
typedef struct first_gone {
  int32_t seat;  /* -1: nobody yet */
  int32_t state; /* tr_seat_state, then */
  int32_t status;
} first_gone;

typedef struct survivor {
  tr_sight sight;
  tr_world world;
  int poll;
  bool is_told;          /* a rank of another host went before those of this one */
  int32_t watched, gone; /* ranks */
  first_gone first;
} survivor;

/* The system tells of ends in the order in which they come, also when they are asked for late. */
static void watch_pulse(survivor *survivor, int32_t number) {
  const tr_seat *seat = &survivor->sight.board->seats[number];
  char path[64];
  snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)seat->pid, (int)seat->pulse[0]);
  int pulse = seat->pulse[1] < 0 ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct epoll_event event = {.data.u64 = (uint64_t)number << 32 | (uint32_t)pulse};
  if (pulse >= 0 && epoll_ctl(survivor->poll, EPOLL_CTL_ADD, pulse, &event) == 0)
    survivor->watched++;
}

/* Other hosts' launchers may be faster than the datagram: of those that tell each other at once the
 * first one is believed. */
static void note_told(survivor *survivor) {
  const tr_world *world = &survivor->world;
  int32_t from;
  if (tr_beacon_hear(world->beacon, world->beacons[0].job, &from))
    survivor->is_told |= survivor->first.seat < 0 || from < world->rank;
}

static void note_gone(survivor *survivor, const struct epoll_event *event) {
  const tr_seat *seat = &survivor->sight.board->seats[event->data.u64 >> 32];
  tr_process_stat stat;
  close((int)(uint32_t)event->data.u64);
  survivor->gone++;
  if (seat->state == TR_SEAT_ENDED || survivor->first.seat >= 0)
    return;
  if (survivor->world.beacon >= 0 && !survivor->is_told)
    tr_beacon_tell(survivor->world.beacon, survivor->world.beacons, survivor->world.size,
                   survivor->world.rank);
  bool is_there = tr_process_read(seat->pid, &stat) && stat.born == seat->born;
  survivor->first = (first_gone){.seat = (int32_t)(seat - survivor->sight.board->seats),
                                 .state = seat->state,
                                 .status = is_there ? stat.status : 0};
}

/* Of the ranks that have not ended their contexts none is left. */
static bool are_all_over(const survivor *survivor) {
  const tr_board *board = survivor->sight.board;
  bool is_over = survivor->gone > 0;
  for (int32_t i = 0; is_over && i < board->num_seats; i++)
    is_over = board->seats[i].state == TR_SEAT_ENDED ||
              tr_process_look(board->seats[i].pid, board->seats[i].born) == TR_PROCESS_GONE;
  return is_over;
}

/* Somebody wanted the job to end, and knows it. */
static bool is_asked_for(int32_t status) {
  int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return number == SIGINT || number == SIGTERM || number == SIGHUP;
}

/* Who has left says so itself, as does who ends the job. */
static bool has_the_word(const survivor *survivor) {
  tr_board *board = survivor->sight.board;
  int32_t seat = survivor->first.seat, nobody = 0;
  return seat >= 0 && !survivor->is_told && survivor->first.state != TR_SEAT_LEFT &&
         !is_asked_for(survivor->first.status) && !board->failed && !board->ending &&
         board->word != TR_WORD_ELSEWHERE &&
         atomic_compare_exchange_strong(&board->speaker, &nobody, seat + 1);
}

static void describe_end(const survivor *survivor, char *text, size_t capacity) {
  const tr_board *board = survivor->sight.board;
  int32_t status = survivor->first.status;
  char end[64] = "was killed, or has ended at once";
  if (WIFSIGNALED(status))
    snprintf(end, sizeof(end), "was killed (signal %d)", WTERMSIG(status));
  else if (status > 0)
    snprintf(end, sizeof(end), "has ended at once, with %d", WEXITSTATUS(status));
  snprintf(text, capacity, "is gone%s: its process %d %s",
           survivor->world.hosts ? ", the first on its host" : "",
           (int)board->seats[survivor->first.seat].pid, end);
}

static void tell(survivor *survivor) {
  char text[LONGEST_TEXT], end[256];
  int32_t rank = survivor->sight.board->seats[survivor->first.seat].rank;
  describe_end(survivor, end, sizeof(end));
  tr_sight_show(&survivor->sight);
  tr_verdict_tell_end(&survivor->sight.scene, rank, end, text, sizeof(text) - 1);
  size_t length = strlen(text);
  text[length] = '\n';
  ssize_t written = write(STDERR_FILENO, text, length + 1);
  (void)written; /* nobody is left to hear that it failed */
}

static void wait_once(survivor *survivor, int milliseconds) {
  enum { MOST = 16 };
  struct epoll_event events[MOST];
  int count = epoll_wait(survivor->poll, events, MOST, milliseconds);
  for (int i = 0; i < count; i++) {
    if (events[i].data.u64 == WORD)
      note_told(survivor);
    else
      note_gone(survivor, &events[i]);
  }
  if (count == 0)
    tr_sight_look(&survivor->sight);
}

/* With the standard error, which the launcher reads until nobody has it, and the socket. */
static void keep_descriptors(survivor *survivor) {
  int kept = survivor->world.beacon < 0 ? -1 : dup2(survivor->world.beacon, STDIN_FILENO);
  if (kept < 0)
    close(STDIN_FILENO);
  survivor->world.beacon = kept;
  close(STDOUT_FILENO);
  close_range(STDERR_FILENO + 1, ~0u, 0);
}

static _Noreturn void stay(survivor *survivor) {
  enum { PATIENCE = 3 }; /* ticks until other hosts have been heard */
  struct epoll_event word = {.events = EPOLLIN, .data.u64 = WORD};
  prctl(PR_SET_NAME, "tessera-after");
  keep_descriptors(survivor);
  survivor->poll = epoll_create1(0);
  for (int32_t i = 0; i < survivor->sight.board->num_seats; i++)
    watch_pulse(survivor, i);
  if (survivor->watched < survivor->sight.board->num_seats) /* who is not seen may be the first */
    _exit(0);
  if (survivor->world.beacon >= 0)
    epoll_ctl(survivor->poll, EPOLL_CTL_ADD, survivor->world.beacon, &word);
  while (!are_all_over(survivor))
    wait_once(survivor, TR_TICK);
  for (int i = 0; survivor->world.hosts && survivor->first.seat >= 0 && i < PATIENCE; i++)
    wait_once(survivor, TR_TICK);
  if (has_the_word(survivor))
    tell(survivor);
  _exit(0);
}

/* Without the C library's handlers of forks, which may belong to MPI. The launcher's signals are
 * for the ranks. */
void tr_survivor_start(const tr_sight *sight, const tr_world *world) {
  survivor survivor = {.sight = *sight, .world = *world, .first.seat = -1};
  if (!world->beacons)
    survivor.world.beacon = -1;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = _Fork();
  if (child == 0) {
    setsid();
    if (_Fork() != 0)
      _exit(0);
    stay(&survivor);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (child > 0)
    waitpid(child, NULL, 0);
}
