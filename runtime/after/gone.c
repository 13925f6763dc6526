/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which rank of a host went first: the system tells of ends in the order in which they come, also
 * when they are asked for late. It must not know who is told. */
#include "after/gone.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "watch/process.h"

static void watch_pulse(tr_gone *gone, int32_t number) {
  const tr_seat *seat = &gone->board->seats[number];
  char path[64];
  snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)seat->pid, (int)seat->pulse);
  int pulse = seat->pulse < 0 ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct epoll_event event = {.data.u64 = (uint64_t)number << 32 | (uint32_t)pulse};
  if (pulse < 0 || epoll_ctl(gone->poll, EPOLL_CTL_ADD, pulse, &event) != 0)
    gone->is_blind = true;
}

void tr_gone_open(tr_gone *gone, tr_board *board) {
  *gone = (tr_gone){.board = board, .poll = epoll_create1(EPOLL_CLOEXEC), .first = -1};
  for (int32_t i = 0; i < board->num_seats; i++)
    watch_pulse(gone, i);
}

static int number_of(int32_t status) {
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* Also of one that ends by itself then, with what a shell says of such an end. */
static bool is_asked_for(int32_t status) {
  enum { SHELL = 128 };
  int number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - SHELL;
  return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
}

/* A process may have closed the descriptor itself. Of one that has ended its context all is well,
 * unless it was killed behind that; what it says by its status is its own. */
void tr_gone_note(tr_gone *gone, int32_t number, int pulse) {
  const tr_seat *seat = &gone->board->seats[number];
  int32_t state = seat->state;
  tr_process_stat stat;
  struct timespec now;
  close(pulse);
  gone->num_gone++;
  bool is_there = tr_process_read(seat->pid, &stat) && stat.born == seat->born;
  int32_t status = is_there ? stat.status : 0;
  gone->asked += is_asked_for(status);
  if (gone->first >= 0 || (state == TR_SEAT_ENDED && is_there && stat.is_ending && status == 0))
    return;
  gone->is_blind |= state == TR_SEAT_EMPTY || (is_there && !stat.is_ending) ||
                    (state == TR_SEAT_ENDED && (!is_there || !WIFSIGNALED(status)));
  clock_gettime(CLOCK_REALTIME, &now);
  gone->first = number;
  gone->state = state;
  gone->status = status;
  gone->when = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool tr_gone_are_all_over(const tr_gone *gone) {
  for (int32_t i = 0; i < gone->board->num_seats; i++) {
    const tr_seat *seat = &gone->board->seats[i];
    if (seat->state != TR_SEAT_ENDED && tr_process_look(seat->pid, seat->born) != TR_PROCESS_GONE)
      return false;
  }
  return true;
}

/* For good where a process that a rank has made has its pulse, too. */
bool tr_gone_is_one_unseen(const tr_gone *gone) {
  int32_t all = 0;
  for (int32_t i = 0; i < gone->board->num_seats; i++) {
    const tr_seat *seat = &gone->board->seats[i];
    all += tr_process_look(seat->pid, seat->born) == TR_PROCESS_GONE;
  }
  return all > gone->num_gone;
}

/* SIGTERM may be meant for one rank among others, which is a fault. */
bool tr_gone_is_asked_for(const tr_gone *gone) {
  bool is_first = is_asked_for(gone->status) && number_of(gone->status) != SIGTERM;
  bool is_alone = gone->board->num_seats == 1 || gone->status == 0;
  return is_first || gone->asked > 1 || (gone->asked == 1 && is_alone);
}

int32_t tr_gone_weight(const tr_gone *gone) {
  enum { BY_LAUNCHER = 1, BY_ITSELF = 2 };
  int number = number_of(gone->status);
  if (gone->is_blind)
    return TR_GONE_NOBODY;
  return gone->status != 0 && number != SIGKILL ? BY_ITSELF : BY_LAUNCHER;
}

void tr_gone_describe(const tr_gone *gone, char *text, size_t capacity) {
  char end[96] = "was killed, or has ended at once";
  int number = number_of(gone->status);
  if (number == SIGKILL) /* which launchers send, too, to one that wants the job to end */
    snprintf(end, sizeof(end), "was killed (signal 9), or has called MPI_Abort");
  else if (number > 0)
    snprintf(end, sizeof(end), "was killed (signal %d)", number);
  else if (gone->status > 0)
    snprintf(end, sizeof(end), "has ended at once, with %d", WEXITSTATUS(gone->status));
  snprintf(text, capacity, "is gone%s%s: its process %d %s",
           gone->state == TR_SEAT_ENDED ? " behind the end of its context" : "",
           gone->board->num_remotes > 0 ? ", the first on its host" : "",
           (int)gone->board->seats[gone->first].pid, end);
}
