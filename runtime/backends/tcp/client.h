/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A rank's connection to the store: what it sends, and what has come for it.
 * It must not know tensors, collectives or MLIR. */
#ifndef TESSERA_RUNTIME_BACKENDS_TCP_CLIENT_H
#define TESSERA_RUNTIME_BACKENDS_TCP_CLIENT_H

#include <pthread.h>
#include <stdatomic.h>

#include "backends/tcp/tcp.h"

/* Something that came and waits to be asked for. */
typedef struct arrival {
  struct arrival *next;
  frame frame;
  char data[];
} arrival;

/* A group, and what has been compared in it. */
typedef struct tcp_group {
  struct tcp_group *next;
  uint64_t hash;
  uint64_t meetings;   /* so far */
  const tr_book *book; /* of the calls; NULL: none are compared */
  uint64_t due;        /* so many calls are compared next */
  uint64_t compared;   /* so many have been, and were the same on all members */
  uint64_t history;    /* a hash of all calls */
  int32_t size, self;
  int32_t members[];
} tcp_group;

enum { TCP_SENDS = 64 };

typedef struct tcp_client {
  int socket;
  int32_t rank, size;
  double patience;
  tr_store *store; /* rank 0's */
  tcp_group *groups;
  tcp_group *all;
  bool is_open;           /* all ranks have met */
  _Atomic bool is_failed; /* this rank has told the others */
  uint32_t num_sent;
  char sent[TCP_SENDS][128]; /* places in the source of the last sends of the program */
  pthread_mutex_t sending;   /* a frame at a time: another thread may tell of a failure */
  bool is_cut;               /* nothing more can be sent; under that lock */

  pthread_mutex_t lock; /* of what follows */
  bytes in;
  arrival *first, **end;
  char failure[1024]; /* of another rank, or of the connection; "": none */
} tcp_client;

static inline tcp_client *client_of(const tr_world *world) {
  return world->state;
}

tessera_status tcp_connect(tcp_client *client, const tr_tcp_place *place);
void tcp_disconnect(tcp_client *client);
tessera_status tcp_send_frame(tcp_client *client, const frame *frame, const void *data);
/* The first arrival of this kind, group and number, from this rank or any (-1); the caller frees
 * it. Waits as long as patience has it. */
tessera_status tcp_await(tcp_client *client, const frame *wanted, const char *what,
                         arrival **arrived);
/* TESSERA_ERROR_PEER if another rank has failed, without waiting. Any thread. */
tessera_status tcp_hear(tcp_client *client);
/* Drops what has come for nobody, and says what the first of it was; false: nothing. */
bool tcp_drop_messages(tcp_client *client, frame *first);

/* Members bring `bytes` bytes each, and get those of all; in two calls, so that several meetings go
 * on at once. */
tessera_status tcp_begin_meeting(tcp_client *client, tcp_group *group, const void *mine,
                                 size_t bytes, frame *meeting);
tessera_status tcp_end_meeting(tcp_client *client, const frame *meeting, void *all);
tessera_status tcp_meet(tcp_client *client, tcp_group *group, const void *mine, size_t bytes,
                        void *all);

/* ---- control.c ------------------------------------------------------------------------------- */

extern const tr_control tr_tcp_control;

/* ---- messages.c ------------------------------------------------------------------------------ */

tessera_status tcp_plan_transfer(tr_world *world, const tr_group *group, const tr_message *messages,
                                 int64_t count, tr_job **job);
tessera_status tcp_send(tr_world *world, const tr_group *group, const tessera_site *site,
                        int32_t peer, const tr_view *view);
tessera_status tcp_receive(tr_world *world, const tr_group *group, const tessera_site *site,
                           int32_t peer, const tr_view *view);

#endif /* TESSERA_RUNTIME_BACKENDS_TCP_CLIENT_H */
