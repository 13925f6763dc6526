/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Watches of two hosts ask each other through a post that this test keeps, and ticks are counted as
 * it likes; and which launcher is this job's. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"
#include "watch/process.h"
#include "watch/questions.h"
#include "watch/remotes.h"

/* Rank 0 and rank 4 are on the first host, the others on the second. */
enum { RANKS = 5, THERE = 1, NUM_THERE = 3, MOST_LETTERS = 1024 };
static const int32_t hosts[RANKS] = {0, THERE, THERE, THERE, 0};

/* ---- the post -------------------------------------------------------------------------------- */

typedef struct letter {
  int32_t from, to;
  size_t bytes;
  char data[TR_WORD_BYTES];
} letter;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static letter letters[MOST_LETTERS];
static int num_letters;
static int num_told[RANKS]; /* to each rank */
static bool is_cut;         /* nothing arrives */
static int64_t pause_for;   /* milliseconds between two letters that arrive */

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void tell(tr_world *world, int32_t rank, const void *data, size_t bytes) {
  pthread_mutex_lock(&lock);
  num_told[rank]++;
  if (!is_cut && num_letters < MOST_LETTERS) {
    letter *letter = &letters[num_letters++];
    letter->from = world->rank;
    letter->to = rank;
    letter->bytes = bytes;
    memcpy(letter->data, data, bytes);
  }
  pthread_mutex_unlock(&lock);
}

static size_t listen(tr_world *world, int32_t *rank, void *data) {
  static int64_t last;
  size_t bytes = 0;
  pthread_mutex_lock(&lock);
  bool arrives = milliseconds() - last >= pause_for;
  for (int i = 0; arrives && i < num_letters && bytes == 0; i++) {
    if (letters[i].to != world->rank)
      continue;
    last = milliseconds();
    bytes = letters[i].bytes;
    *rank = letters[i].from;
    memcpy(data, letters[i].data, bytes);
    letters[i] = letters[--num_letters];
  }
  pthread_mutex_unlock(&lock);
  return bytes;
}

static int told(int32_t rank) {
  pthread_mutex_lock(&lock);
  int told = num_told[rank];
  pthread_mutex_unlock(&lock);
  return told;
}

static const tr_control post = {.tell = tell, .listen = listen};

/* ---- hosts ----------------------------------------------------------------------------------- */

typedef struct watcher {
  tr_world world;
  tr_hosts *hosts;
  tr_actor actors[RANKS];
  tr_scene scene;
} watcher;

static tr_board *make_board(const int32_t *ranks, int32_t num) {
  enum { PAGE = 4096 };
  size_t bytes = (tr_board_bytes(num, RANKS) + PAGE - 1) / PAGE * PAGE;
  tr_board *board = aligned_alloc(PAGE, bytes);
  if (!board)
    exit(1);
  memset(board, 0, bytes);
  board->num_seats = num;
  board->ranks = board->num_remotes = RANKS;
  for (int32_t i = 0; i < num; i++) {
    board->seats[i].state = TR_SEAT_TAKEN;
    board->seats[i].rank = ranks[i];
    board->seats[i].pid = getpid();
  }
  return board;
}

/* All others are waited for. */
static void open_watcher(watcher *w, int32_t rank, tr_board *board, double timeout) {
  *w = (watcher){
      .world = {.control = &post, .rank = rank, .size = RANKS, .hosts = hosts, .board = board},
      .scene = {.ranks = RANKS, .actors = w->actors}};
  w->hosts = tr_hosts_open(&w->world, timeout);
  if (!w->hosts)
    exit(1);
}

static void ask(watcher *w) {
  static const double long_ago = 1000;
  for (int32_t rank = 0; rank < RANKS; rank++)
    w->actors[rank].is_waited_for = rank != w->world.rank;
  tr_hosts_ask(w->hosts, &w->scene, long_ago);
}

static bool is_silent(watcher *w, int ticks) {
  const double seconds[RANKS] = {0};
  for (int i = 0; i < ticks; i++)
    tr_hosts_tick(w->hosts, seconds);
  tr_hosts_show(w->hosts, &w->scene);
  return w->actors[THERE].is_silent;
}

static void wait_for(bool (*is_there)(watcher *w), watcher *w) {
  enum { STEP = 10000, STEPS = 2000 }; /* microseconds */
  for (int i = 0; i < STEPS && !is_there(w); i++)
    usleep(STEP);
  EXPECT(is_there(w));
}

static bool has_heard(watcher *w) {
  return atomic_load(&tr_board_hosts(w->world.board)[THERE].heard) >= NUM_THERE;
}

/* However long nobody asks again: with this timeout that is five seconds, and more where the job is
 * loaded. */
static void test_answered(tr_board *here, tr_board *there) {
  enum { LONG = 1000, SOON = 50 }; /* ticks */
  watcher asker, answerer;
  open_watcher(&asker, 0, here, 300);
  open_watcher(&answerer, THERE, there, 300);
  ask(&asker);
  EXPECT(!is_silent(&asker, SOON));
  wait_for(has_heard, &asker);
  EXPECT(!is_silent(&asker, LONG));
  EXPECT(asker.actors[THERE].is_known);
  tr_hosts_close(answerer.hosts);
  tr_hosts_close(asker.hosts);
}

static void test_silent(tr_board *here) {
  enum { TEN_SECONDS = 100, SOON = 50 }; /* ticks */
  watcher asker;
  open_watcher(&asker, 0, here, 300);
  is_cut = true;
  ask(&asker);
  EXPECT(!is_silent(&asker, SOON));
  EXPECT(is_silent(&asker, TEN_SECONDS));
  tr_hosts_close(asker.hosts);
  is_cut = false;
}

static int expected_told;

static bool have_asked(watcher *w) {
  (void)w;
  return told(THERE) + told(THERE + 1) + told(THERE + 2) >= expected_told;
}

/* Two ranks are asked at a time: of three each twice, when the host was asked three times, whoever
 * of this host has asked. */
static void test_turns(tr_board *here) {
  enum { PAUSE = 210000, AT_ONCE = 2 }; /* microseconds, more than between two questions */
  watcher askers[2];
  is_cut = true;
  memset(num_told, 0, sizeof(num_told));
  open_watcher(&askers[0], 0, here, 1);
  open_watcher(&askers[1], 4, here, 1);
  expected_told = 0;
  for (int i = 0; i < NUM_THERE; i++) {
    ask(&askers[i % 2]);
    expected_told += AT_ONCE;
    wait_for(have_asked, &askers[0]);
    usleep(PAUSE);
  }
  for (int32_t rank = THERE; rank < THERE + NUM_THERE; rank++)
    EXPECT(told(rank) == AT_ONCE);
  tr_hosts_close(askers[1].hosts);
  tr_hosts_close(askers[0].hosts);
  is_cut = false;
}

/* ---- what was heard -------------------------------------------------------------------------- */

/* Of each rank there, though the words do not come together. */
static void test_inquired(tr_board *here, tr_board *there) {
  enum { SLOW = 300 };
  watcher asker, answerer;
  open_watcher(&asker, 0, here, 300);
  open_watcher(&answerer, THERE, there, 300);
  pause_for = SLOW;
  tr_hosts_inquire(asker.hosts);
  tr_hosts_show(asker.hosts, &asker.scene);
  for (int32_t rank = THERE; rank < THERE + NUM_THERE; rank++)
    EXPECT(asker.actors[rank].is_known);
  pause_for = 0;
  tr_hosts_close(answerer.hosts);
  tr_hosts_close(asker.hosts);
}

static _Atomic bool is_read;

static void *write_remotes(void *data) {
  tr_remote told = {0};
  for (told.calls = 1; !is_read; told.calls++) {
    told.recent.calls = told.calls;
    told.seconds = (double)told.calls;
    tr_remote_write(data, THERE, &told);
  }
  return NULL;
}

/* While several processes write what they hear, what one reads is of one word. */
static void test_whole(tr_board *board) {
  enum { WRITERS = 2, READS = 100000 };
  pthread_t writers[WRITERS];
  int torn = 0;
  for (int i = 0; i < WRITERS; i++)
    EXPECT(pthread_create(&writers[i], NULL, write_remotes, board) == 0);
  for (int known = 0; known < READS;) {
    tr_remote copy;
    if (!tr_remote_read(board, THERE, &copy))
      continue;
    known++;
    torn += copy.recent.calls != copy.calls || copy.seconds != (double)copy.calls;
  }
  is_read = true;
  for (int i = 0; i < WRITERS; i++)
    pthread_join(writers[i], NULL);
  EXPECT(torn == 0);
}

/* ---- the word -------------------------------------------------------------------------------- */

enum { PATIENCE = 2 }; /* seconds */

static void *take_word(void *data) {
  return tr_hosts_take_word(((watcher *)data)->hosts, PATIENCE) ? data : NULL;
}

/* Of two hosts one speaks: the first one where both would at once, and else who would first; though
 * words are slow. */
static void test_word(const int32_t *first, const int32_t *second, bool at_once) {
  enum { HOSTS = 2, SLOW = 150 };
  tr_board *boards[HOSTS] = {make_board(first, 2), make_board(second, NUM_THERE)};
  watcher watchers[HOSTS];
  pthread_t threads[HOSTS];
  void *speaks[HOSTS];
  num_letters = 0;
  pause_for = SLOW;
  for (int i = 0; i < HOSTS; i++)
    open_watcher(&watchers[i], i == 0 ? 0 : THERE, boards[i], 300);
  for (int i = HOSTS - 1; i >= 0; i--) {
    EXPECT(pthread_create(&threads[i], NULL, take_word, &watchers[i]) == 0);
    if (!at_once)
      pthread_join(threads[i], &speaks[i]);
  }
  for (int i = 0; at_once && i < HOSTS; i++)
    pthread_join(threads[i], &speaks[i]);
  int speaker = at_once ? 0 : 1;
  EXPECT(speaks[speaker] && !speaks[1 - speaker]);
  EXPECT(!boards[speaker]->failed && boards[1 - speaker]->failed);
  pause_for = 0;
  for (int i = 0; i < HOSTS; i++) {
    tr_hosts_close(watchers[i].hosts);
    free(boards[i]);
  }
}

/* A host that hears of no other one has the word as well. */
static void test_word_alone(const int32_t *first) {
  tr_board *here = make_board(first, 2);
  watcher alone;
  open_watcher(&alone, 0, here, 300);
  is_cut = true;
  EXPECT(tr_hosts_take_word(alone.hosts, PATIENCE));
  tr_hosts_close(alone.hosts);
  is_cut = false;
  free(here);
}

/* ---- launchers ------------------------------------------------------------------------------- */

/* A job that a rank of another job has started: only its own launcher, and what helps that. */
static int look_for_launcher(pid_t helper, pid_t launcher) {
  tr_launcher found = tr_launcher_find();
  return found.count == 2 && found.pids[0] == helper && found.pids[1] == launcher ? 0 : 1;
}

/* The names of processes, from the outermost on. */
static void test_launcher(void) {
  static const char *const names[] = {"mpirun", "hydra_pmi_proxy", "python3", "mpiexec.hydra",
                                      "orted"};
  enum { NUM = sizeof(names) / sizeof(names[0]) };
  for (int i = 0; i <= NUM; i++) {
    pid_t parent = getpid(), above = getppid(), child = fork();
    if (child > 0) {
      int status = 1;
      waitpid(child, &status, 0);
      if (i > 0)
        _exit(status != 0);
      EXPECT(status == 0);
      return;
    }
    if (i < NUM)
      prctl(PR_SET_NAME, names[i]);
    else
      _exit(look_for_launcher(parent, above));
  }
}

int main(void) {
  const int32_t first[] = {0, 4}, second[] = {1, 2, 3};
  tr_board *there = make_board(second, NUM_THERE), *here = make_board(first, 2);
  test_answered(here, there);
  free(here);
  here = make_board(first, 2);
  test_silent(here);
  free(here);
  here = make_board(first, 2);
  test_turns(here);
  free(here);
  here = make_board(first, 2);
  test_inquired(here, there);
  test_whole(here);
  test_word(first, second, false);
  test_word(first, second, true);
  test_word_alone(first);
  test_launcher();
  free(here);
  free(there);
  return failed_here() ? 1 : 0;
}
