/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where every rank of a host says in which call it is: memory that its ranks share, threads of one
 * process or several processes. It knows ranks and texts; it must not know what a call does. */
#ifndef TESSERA_RUNTIME_WATCH_BOARD_H
#define TESSERA_RUNTIME_WATCH_BOARD_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "planes/ledger.h"

enum {
  TR_BOARD_PLACES = 256,  /* in the source, of each rank */
  TR_BOARD_LAST = 16,     /* calls that are remembered; a power of two */
  TR_BOARD_MEETINGS = 16, /* of each rank; and one more, that stands for none */
  TR_BOARD_AXES = 16      /* of a grid: as many as one may have */
};

/* A place in the source, and who meets there. Ranks are alike that have the same coordinates on all
 * axes of the grid but those in `axes`. */
typedef struct tr_board_place {
  uint64_t hash; /* of what is called, the same on all ranks */
  uint32_t calls;
  int32_t grid_rank; /* 0: all ranks meet */
  int32_t extents[TR_BOARD_AXES];
  uint32_t axes;      /* bits */
  int32_t is_by_hand; /* others may be at another place, in the same call */
  uint32_t meeting;   /* of the seat; TR_BOARD_MEETINGS: none, or there is no room for it */
  char name[48], location[112], group[120];
} tr_board_place;

/* Those who meet make the same calls in the same order, so that the number of calls says who has
 * come, and who has gone on. Messages between two ranks are no such calls. */
typedef struct tr_board_meeting {
  int32_t is_used, grid_rank;
  int32_t extents[TR_BOARD_AXES];
  uint32_t axes;
  uint32_t calls; /* that have begun */
} tr_board_meeting;

typedef enum tr_seat_state {
  TR_SEAT_EMPTY,
  TR_SEAT_TAKEN,
  TR_SEAT_ENDING, /* in the end of its context */
  TR_SEAT_ENDED,
  TR_SEAT_LEFT /* its process ends without that */
} tr_seat_state;

/* A rank's. It alone writes it. */
typedef struct tr_seat {
  _Alignas(64) _Atomic uint64_t now; /* tr_seat_now */
  _Atomic int32_t state;             /* tr_seat_state */
  int32_t rank;
  int32_t peer; /* with whom the call is a message; -1: it is none, or from whoever sends */
  pid_t pid;
  int32_t pulse; /* a descriptor of the process (after/pulse.h); -1: there is none */
  uint64_t born; /* the process: a number may serve another one later */
  uint8_t last[TR_BOARD_LAST];
  tr_board_meeting meetings[TR_BOARD_MEETINGS + 1];
  tr_board_place places[TR_BOARD_PLACES];
  tr_ledger ledger;
} tr_seat;

enum { TR_BOARD_BEFORE = 3 }; /* calls before the last one that are told */

/* What was last heard of a rank on another host (remotes.h). */
typedef struct tr_remote {
  int32_t state;   /* tr_seat_state */
  int32_t process; /* tr_process_state, as its host sees it */
  int32_t goes_on;
  int32_t peer; /* as in tr_seat */
  uint64_t calls;
  double seconds; /* for how long nothing had changed there */
  int32_t num_before;
  tr_board_place place, before[TR_BOARD_BEFORE];
  tr_board_meeting meetings[TR_BOARD_MEETINGS];
  tr_recent recent;
} tr_remote;

/* Where a host hears when no rank of it is left (after/beacon.h), as the network has it. */
enum { TR_BEACON_ADDRESSES = 8 };
typedef struct tr_beacon {
  uint64_t job; /* 0: this is no host's */
  uint16_t port;
  int16_t num_addresses; /* 0: it does not hear */
  uint32_t addresses[TR_BEACON_ADDRESSES];
} tr_beacon;

/* Of a host, in that of its first rank; and of what was heard of each rank the version. */
typedef struct tr_remote_host {
  _Atomic int64_t asked;  /* when, in milliseconds of CLOCK_MONOTONIC; 0: never */
  _Atomic uint32_t heard; /* how often it has said something */
  _Atomic uint32_t turns; /* how often it was asked */
  _Atomic uint32_t version;
  tr_beacon beacon;
} tr_remote_host;

/* Who has the word. */
typedef enum tr_board_word { TR_WORD_FREE, TR_WORD_HERE, TR_WORD_ELSEWHERE } tr_board_word;

typedef struct tr_board {
  _Atomic int32_t speaker; /* the seat whose process says what is wrong, plus one; 0: none */
  _Atomic int32_t failed;  /* a context has: its message comes, and no other of a watch */
  _Atomic int32_t spoken;  /* what ends the job has been said */
  _Atomic int32_t ending;  /* the first seat that ends the job for that, plus one */
  _Atomic int32_t word;    /* tr_board_word: of all hosts one says what is wrong */
  int32_t num_seats;
  int32_t ranks;       /* of the job, on all hosts */
  int32_t num_remotes; /* as many as ranks, or none where all are on this host */
  tr_seat seats[];     /* then of each rank a tr_remote, and a tr_remote_host */
} tr_board;

static inline size_t tr_board_bytes(int32_t seats, int32_t remotes) {
  return sizeof(tr_board) + sizeof(tr_seat) * (size_t)seats +
         (sizeof(tr_remote) + sizeof(tr_remote_host)) * (size_t)remotes;
}

static inline tr_remote *tr_board_remotes(tr_board *board) {
  return (tr_remote *)(void *)&board->seats[board->num_seats];
}

static inline tr_remote_host *tr_board_hosts(tr_board *board) {
  return (tr_remote_host *)(void *)&tr_board_remotes(board)[board->num_remotes];
}

/* The number of calls so far, the place of the last one, and whether it goes on. */
static inline uint64_t tr_seat_now(uint64_t calls, uint32_t place, uint32_t goes_on) {
  return calls << 9 | place << 1 | goes_on;
}
static inline uint64_t tr_now_calls(uint64_t now) {
  return now >> 9;
}
static inline uint32_t tr_now_place(uint64_t now) {
  return (uint32_t)(now >> 1) & (TR_BOARD_PLACES - 1);
}
static inline int tr_now_goes_on(uint64_t now) {
  return (int)(now & 1);
}

#endif /* TESSERA_RUNTIME_WATCH_BOARD_H */
