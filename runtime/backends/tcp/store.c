/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The store: a thread that all ranks are connected to. Members of a group bring bytes and get those
 * of all; messages are passed on; who is gone is told to all. It must not know what the bytes are.
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "backends/tcp/frames.h"

/* A connection. */
typedef struct peer {
  int socket;   /* -1: it has gone */
  int32_t rank; /* -1: it has not said yet */
  bool has_left;
  bytes in, out;
} peer;

/* Members bring as many bytes each. */
typedef struct meeting {
  struct meeting *next;
  frame frame; /* of the first that came */
  uint32_t arrived;
  int32_t *ranks; /* of members, by position */
  char *data;
} meeting;

struct tr_store {
  int listener;
  int32_t num_peers;
  peer *peers;
  struct pollfd *polled; /* the listener first */
  meeting *meetings;
  pthread_t thread;
  double closing;      /* when rank 0 closed it; with `seconds` */
  _Atomic int seconds; /* -1: rank 0 has not left */
};

/* ---- answers --------------------------------------------------------------------------------- */

static peer *find_peer(tr_store *store, int32_t rank) {
  for (int32_t i = 0; i < store->num_peers; i++)
    if (store->peers[i].rank == rank && store->peers[i].socket >= 0)
      return &store->peers[i];
  return NULL;
}

static void drop_peer(tr_store *store, peer *peer, const char *why);

static void answer(tr_store *store, peer *peer, const frame *frame, const void *data) {
  if (!peer || peer->socket < 0)
    return;
  if (!tr_bytes_append(&peer->out, frame, sizeof(*frame)) ||
      !tr_bytes_append(&peer->out, data, frame->bytes))
    drop_peer(store, peer, "there is no memory to answer it");
}

static void tell_all(tr_store *store, int32_t from, const char *text, size_t length) {
  frame frame = {.kind = FRAME_FAIL, .from = from, .bytes = length};
  for (int32_t i = 0; i < store->num_peers; i++)
    if (store->peers[i].rank != from && !store->peers[i].has_left)
      answer(store, &store->peers[i], &frame, text);
}

static void drop_peer(tr_store *store, peer *peer, const char *why) {
  char text[256];
  close(peer->socket);
  peer->socket = -1;
  tr_bytes_free(&peer->in);
  tr_bytes_free(&peer->out);
  if (peer->has_left || peer->rank < 0)
    return;
  peer->has_left = true;
  snprintf(text, sizeof(text), "rank %d has gone: %s", peer->rank, why);
  tell_all(store, peer->rank, text, strlen(text));
}

/* ---- meetings -------------------------------------------------------------------------------- */

static void free_meeting(meeting *meeting) {
  free(meeting->ranks);
  free(meeting->data);
  free(meeting);
}

static meeting **find_meeting(tr_store *store, const frame *frame) {
  meeting **link = &store->meetings;
  while (*link && ((*link)->frame.group != frame->group || (*link)->frame.number != frame->number))
    link = &(*link)->next;
  return link;
}

static meeting *open_meeting(const frame *frame) {
  meeting *made = calloc(1, sizeof(*made));
  if (!made)
    return NULL;
  made->frame = *frame;
  made->ranks = calloc(frame->count, sizeof(*made->ranks));
  made->data = calloc(frame->count, frame->bytes + 1);
  if (made->ranks && made->data)
    return made;
  free_meeting(made);
  return NULL;
}

static void end_meeting(tr_store *store, meeting **link) {
  meeting *meeting = *link;
  frame frame = meeting->frame;
  frame.bytes *= frame.count;
  for (uint32_t i = 0; i < frame.count; i++)
    answer(store, find_peer(store, meeting->ranks[i]), &frame, meeting->data);
  *link = meeting->next;
  free_meeting(meeting);
}

/* False: there is no memory, or members bring different numbers of bytes. */
static bool meet(tr_store *store, const peer *peer, const frame *frame, const char *data) {
  meeting **link = find_meeting(store, frame);
  if (!*link)
    *link = open_meeting(frame);
  meeting *meeting = *link;
  if (!meeting || meeting->frame.bytes != frame->bytes || meeting->frame.count != frame->count ||
      frame->from < 0 || (uint32_t)frame->from >= frame->count)
    return false;
  memcpy(meeting->data + (size_t)frame->from * frame->bytes, data, frame->bytes);
  meeting->ranks[frame->from] = peer->rank;
  if (++meeting->arrived == frame->count)
    end_meeting(store, link);
  return true;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static bool take_frame(tr_store *store, peer *peer, const frame *frame, const char *data) {
  switch (frame->kind) {
  case FRAME_HELLO:
    peer->rank = frame->from;
    return true;
  case FRAME_MEET:
    return meet(store, peer, frame, data);
  case FRAME_MESSAGE:
    answer(store, find_peer(store, frame->to), frame, data);
    return true;
  case FRAME_FAIL:
    tell_all(store, peer->rank, data, frame->bytes);
    return true;
  case FRAME_BYE:
    peer->has_left = true;
    return true;
  default: /* somebody else's connection */
    return false;
  }
}

static void take_frames(tr_store *store, peer *peer) {
  frame frame;
  const char *data;
  while (peer->socket >= 0 && tr_bytes_frame(&peer->in, &frame, &data)) {
    if (!take_frame(store, peer, &frame, data)) {
      drop_peer(store, peer, "ranks say different things");
      return;
    }
    tr_bytes_drop(&peer->in, sizeof(frame) + frame.bytes);
  }
}

/* ---- connections ----------------------------------------------------------------------------- */

static void accept_peer(tr_store *store) {
  int one = 1, made = accept4(store->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (made < 0)
    return;
  setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  size_t count = (size_t)store->num_peers + 1;
  peer *peers = realloc(store->peers, sizeof(*peers) * count);
  if (peers)
    store->peers = peers;
  struct pollfd *polled = realloc(store->polled, sizeof(*polled) * (count + 1));
  if (polled)
    store->polled = polled;
  if (!peers || !polled) {
    close(made);
    return;
  }
  store->peers[store->num_peers++] = (peer){.socket = made, .rank = -1};
}

static void read_peer(tr_store *store, peer *peer) {
  enum { PIECE = 1 << 16 };
  char *room = tr_bytes_reserve(&peer->in, PIECE);
  ssize_t count = room ? recv(peer->socket, room, PIECE, 0) : 0;
  if (count < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (count <= 0) {
    drop_peer(store, peer, "its process has ended, or cannot be reached any more");
    return;
  }
  peer->in.used += (size_t)count;
  take_frames(store, peer);
}

static void write_peer(tr_store *store, peer *peer) {
  ssize_t count = send(peer->socket, peer->out.data + peer->out.first,
                       peer->out.used - peer->out.first, MSG_NOSIGNAL);
  if (count > 0)
    tr_bytes_drop(&peer->out, (size_t)count);
  else if (count < 0 && errno != EAGAIN && errno != EINTR)
    drop_peer(store, peer, "it cannot be reached any more");
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Rank 0 is the last to close its store, and one that never came does not count. */
static bool has_ended(const tr_store *store) {
  int seconds = atomic_load(&store->seconds);
  bool all_left = seconds >= 0;
  for (int32_t i = 0; i < store->num_peers; i++)
    all_left = all_left && (store->peers[i].rank < 0 || store->peers[i].socket < 0);
  return all_left || (seconds > 0 && now() - store->closing > seconds);
}

static void *run(void *data) {
  enum { STEP = 100 }; /* milliseconds, until it is asked again whether it is to end */
  tr_store *store = data;
  while (!has_ended(store)) {
    int32_t count = store->num_peers;
    store->polled[0] = (struct pollfd){.fd = store->listener, .events = POLLIN};
    for (int32_t i = 0; i < count; i++) {
      const peer *peer = &store->peers[i];
      short out = peer->out.used > peer->out.first ? POLLOUT : 0;
      store->polled[i + 1] = (struct pollfd){.fd = peer->socket, .events = (short)(POLLIN | out)};
    }
    if (poll(store->polled, (nfds_t)count + 1, STEP) < 0)
      continue;
    for (int32_t i = 0; i < count; i++) {
      short events = store->polled[i + 1].revents;
      /* What a peer said last counts, also if it cannot be answered. */
      if (store->peers[i].socket >= 0 && events & (POLLIN | POLLHUP | POLLERR))
        read_peer(store, &store->peers[i]);
      if (store->peers[i].socket >= 0 && events & POLLOUT)
        write_peer(store, &store->peers[i]);
    }
    if (store->polled[0].revents)
      accept_peer(store);
  }
  return NULL;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void free_store(tr_store *store) {
  if (store->listener >= 0)
    close(store->listener);
  for (int32_t i = 0; i < store->num_peers; i++) {
    if (store->peers[i].socket >= 0)
      close(store->peers[i].socket);
    tr_bytes_free(&store->peers[i].in);
    tr_bytes_free(&store->peers[i].out);
  }
  while (store->meetings) {
    meeting *next = store->meetings->next;
    free_meeting(store->meetings);
    store->meetings = next;
  }
  free(store->peers);
  free(store->polled);
  free(store);
}

static const char *listen_on(tr_store *store, int *port) {
  int one = 1;
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)*port),
                                .sin_addr.s_addr = htonl(INADDR_ANY)};
  socklen_t length = sizeof(address);
  store->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (store->listener < 0)
    return strerror(errno);
  setsockopt(store->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
  if (bind(store->listener, (struct sockaddr *)&address, sizeof(address)) != 0 ||
      listen(store->listener, SOMAXCONN) != 0 ||
      getsockname(store->listener, (struct sockaddr *)&address, &length) != 0)
    return strerror(errno);
  *port = ntohs(address.sin_port);
  return NULL;
}

const char *tr_store_open(int *port, tr_store **store) {
  tr_store *made = calloc(1, sizeof(*made));
  if (!made)
    return "there is no memory";
  made->seconds = -1;
  const char *message = listen_on(made, port);
  made->polled = malloc(sizeof(*made->polled));
  if (!message && !made->polled)
    message = "there is no memory";
  if (!message && pthread_create(&made->thread, NULL, run, made) != 0)
    message = "there is no thread for it";
  if (message)
    free_store(made);
  else
    *store = made;
  return message;
}

void tr_store_close(tr_store *store, int seconds) {
  store->closing = now();
  atomic_store(&store->seconds, seconds);
  pthread_join(store->thread, NULL);
  free_store(store);
}
