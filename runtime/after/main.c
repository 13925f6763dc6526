/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera-after: outlives the ranks of a host where their launcher ends all at once, and says which
 * of them went first. Its descriptors are those of start.h. It ends when all ranks of the board
 * have ended their contexts or are gone, so that nobody waits for the standard error, which it has,
 * too. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "after/beacon.h"
#include "after/gone.h"
#include "after/start.h"
#include "watch/process.h"
#include "watch/sight.h"

enum { LONGEST_TEXT = 8000 };

static const uint64_t word_event =
    ~(uint64_t)0; /* in place of a seat: another host tells something */

typedef struct after {
  tr_board *board;
  tr_sight sight;
  tr_gone gone;
  tr_launcher launcher;
  int beacon; /* -1: there is none */
  tr_beacon_word own;
  bool has_told, is_outweighed;
  bool is_launched; /* the launcher was there when the first rank went */
} after;

static tr_board *map_board(void) {
  struct stat found;
  if (fstat(TR_AFTER_BOARD, &found) != 0 || found.st_size < (off_t)sizeof(tr_board))
    return NULL;
  void *memory =
      mmap(NULL, (size_t)found.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, TR_AFTER_BOARD, 0);
  close(TR_AFTER_BOARD);
  return memory == MAP_FAILED ? NULL : memory;
}

/* A host that does not hear does not know who is the first of all. */
static bool do_all_hear(const after *after) {
  bool all = true;
  for (int32_t i = 0; all && i < after->board->num_remotes; i++) {
    const tr_beacon *beacon = &tr_board_hosts(after->board)[i].beacon;
    all = beacon->job == 0 || beacon->num_addresses > 0;
  }
  return all && (after->board->num_remotes == 0 || after->beacon >= 0);
}

/* Where nobody is to be named no other host names anybody either. What comes behind another host's
 * word follows from that, the end of the launcher, too. */
static int32_t weight_of(const after *after) {
  if (after->is_outweighed)
    return 0;
  bool is_wanted = !after->is_launched || tr_gone_is_asked_for(&after->gone);
  return is_wanted ? TR_GONE_NOBODY : tr_gone_weight(&after->gone);
}

static void tell_hosts(after *after) {
  after->own = (tr_beacon_word){.job = tr_board_hosts(after->board)[0].beacon.job,
                                .when = after->gone.when,
                                .from = after->board->seats[0].rank,
                                .weight = weight_of(after)};
  tr_beacon_tell(after->beacon, after->board, &after->own);
}

/* One that is ending has closed what its helpers read, who then end the ranks. */
static bool is_launcher_there(const after *after) {
  for (int i = 0; i < after->launcher.count; i++) {
    tr_process_stat stat;
    if (!tr_process_read(after->launcher.pids[i], &stat) || stat.born != after->launcher.born[i] ||
        stat.is_ending)
      return false;
  }
  return true;
}

static void note_first(after *after) {
  after->has_told = true;
  after->is_launched = is_launcher_there(after);
  if (after->beacon >= 0)
    tell_hosts(after);
}

/* What comes before a rank of this host has gone came first. */
static void hear_host(after *after) {
  tr_beacon_word word;
  if (tr_beacon_hear(after->beacon, tr_board_hosts(after->board)[0].beacon.job, &word))
    after->is_outweighed |= !after->has_told || tr_beacon_outweighs(&word, &after->own);
}

/* Whether there was something to note. */
static bool note(after *after, int milliseconds) {
  enum { MOST = 16 };
  struct epoll_event events[MOST];
  int count = epoll_wait(after->gone.poll, events, MOST, milliseconds);
  for (int i = 0; i < count; i++) {
    if (events[i].data.u64 == word_event)
      hear_host(after);
    else
      tr_gone_note(&after->gone, (int32_t)(events[i].data.u64 >> 32),
                   (int)(uint32_t)events[i].data.u64);
    if (after->gone.first >= 0 && !after->has_told)
      note_first(after);
  }
  return count > 0;
}

static void wait_a_tick(after *after) {
  if (!note(after, TR_TICK))
    tr_sight_look(&after->sight);
}

/* Who has left says so itself, as does who ends the job, unless it was killed before it could. */
static bool has_the_word(const after *after) {
  const tr_board *board = after->board;
  const tr_gone *gone = &after->gone;
  bool says_itself = board->failed && !WIFSIGNALED(gone->status);
  return gone->first >= 0 && after->is_launched && !gone->is_blind && !says_itself &&
         gone->state != TR_SEAT_LEFT && !tr_gone_is_asked_for(gone) && !after->is_outweighed &&
         do_all_hear(after) && !board->spoken && board->word != TR_WORD_ELSEWHERE;
}

static void say(after *after) {
  char text[LONGEST_TEXT], end[256];
  tr_gone_describe(&after->gone, end, sizeof(end));
  tr_sight_show(&after->sight);
  tr_verdict_tell_end(&after->sight.scene, after->board->seats[after->gone.first].rank, end, text,
                      sizeof(text) - 1);
  size_t length = strlen(text);
  text[length] = '\n';
  ssize_t written = write(STDERR_FILENO, text, length + 1);
  (void)written; /* nobody is left to hear that it failed */
}

static void stay(after *after) {
  enum { PATIENCE = 3 }; /* ticks until a process has ended, and until other hosts are heard */
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = word_event};
  bool has_others = after->board->num_remotes > 0;
  if (after->beacon >= 0)
    epoll_ctl(after->gone.poll, EPOLL_CTL_ADD, after->beacon, &event);
  while (!tr_gone_are_all_over(&after->gone) && !(after->gone.is_blind && !has_others))
    wait_a_tick(after);
  if (after->gone.first < 0)
    return;
  for (int i = 0; i < PATIENCE && tr_gone_is_one_unseen(&after->gone); i++)
    note(after, TR_TICK);
  after->gone.is_blind |= tr_gone_is_one_unseen(&after->gone);
  if (after->gone.is_blind && after->beacon >= 0)
    tell_hosts(after);
  for (int i = 0; has_others && i < PATIENCE; i++)
    wait_a_tick(after);
  if (has_the_word(after))
    say(after);
}

/* Its parent, the first rank, waits until all ranks are looked at, and no longer. */
int main(void) {
  after after = {.launcher = tr_launcher_find(), .beacon = TR_AFTER_BEACON};
  if (fcntl(after.beacon, F_GETFD) < 0)
    after.beacon = -1;
  after.board = map_board();
  if (!after.board || !tr_sight_open(&after.sight, after.board, true))
    _exit(1);
  tr_gone_open(&after.gone, after.board);
  if (after.gone.poll < 0 || fork() != 0)
    _exit(0);
  stay(&after);
  _exit(0);
}
