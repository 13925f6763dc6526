/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A rank's connection to the store. Whoever waits reads what comes, for itself and for others.
 * It must not know tensors, collectives or MLIR. */
#include "backends/tcp/client.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "support/error.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- connecting ------------------------------------------------------------------------------ */

static int try_addresses(const struct addrinfo *all) {
  for (const struct addrinfo *at = all; at; at = at->ai_next) {
    int made = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
    if (made >= 0 && connect(made, at->ai_addr, at->ai_addrlen) == 0)
      return made;
    if (made >= 0)
      close(made);
  }
  return -1;
}

/* Rank 0 may come later. */
tessera_status tcp_connect(tcp_client *client, const tr_tcp_place *place) {
  enum { PAUSE = 20000 }; /* microseconds */
  char port[16];
  struct addrinfo *all = NULL;
  const struct addrinfo wish = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
  double start = now();
  int one = 1;
  snprintf(port, sizeof(port), "%d", place->port);
  int error = getaddrinfo(place->host, port, &wish, &all);
  while (!error && (client->socket = try_addresses(all)) < 0 &&
         (client->patience <= 0 || now() - start < client->patience))
    usleep(PAUSE);
  if (all)
    freeaddrinfo(all);
  if (error)
    return tr_fail(TESSERA_ERROR_NOT_FOUND, "rank %d does not find the host '%s': %s", place->rank,
                   place->host, gai_strerror(error));
  if (client->socket < 0)
    return tr_fail(TESSERA_ERROR_PEER,
                   "rank %d has waited for %g s: rank 0 does not answer at %s:%d; TESSERA_TIMEOUT "
                   "says how long ranks wait, and 0 for ever",
                   place->rank, client->patience, place->host, place->port);
  setsockopt(client->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  return tcp_send_frame(client, &(frame){.kind = FRAME_HELLO, .from = place->rank}, NULL);
}

/* Closing while something that came is unread takes back what was said last and is still on its
 * way: it is read until the store has heard all and closes its end. */
static void hear_out(int socket) {
  enum { PATIENCE = 5000 }; /* milliseconds */
  char unread[4096];
  struct pollfd polled = {.fd = socket, .events = POLLIN};
  shutdown(socket, SHUT_WR);
  while (poll(&polled, 1, PATIENCE) > 0 && recv(socket, unread, sizeof(unread), 0) > 0)
    continue;
}

void tcp_disconnect(tcp_client *client) {
  if (client->socket >= 0) {
    tcp_send_frame(client, &(frame){.kind = FRAME_BYE, .from = client->rank}, NULL);
    hear_out(client->socket);
    close(client->socket);
  }
  tr_bytes_free(&client->in);
  while (client->first) {
    arrival *next = client->first->next;
    free(client->first);
    client->first = next;
  }
}

/* ---- sending --------------------------------------------------------------------------------- */

/* False with errno; also where nothing leaves for as long as ranks wait. */
static bool write_all(const tcp_client *client, const char *data, size_t bytes) {
  enum { STEP = 100 }; /* milliseconds */
  double start = now();
  while (bytes > 0) {
    ssize_t count = send(client->socket, data, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      data += count;
      bytes -= (size_t)count;
      start = now();
      continue;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR))
      return false;
    if (client->patience > 0 && now() - start > client->patience) {
      errno = ETIMEDOUT;
      return false;
    }
    poll(&(struct pollfd){.fd = client->socket, .events = POLLOUT}, 1, STEP);
  }
  return true;
}

/* The store reads whatever comes, so this waits for nobody else. Behind a part of a frame there can
 * be no other. */
tessera_status tcp_send_frame(tcp_client *client, const frame *frame, const void *data) {
  pthread_mutex_lock(&client->sending);
  bool is_sent = !client->is_cut && write_all(client, (const char *)frame, sizeof(*frame)) &&
                 write_all(client, data, frame->bytes);
  errno = client->is_cut ? ETIMEDOUT : errno;
  client->is_cut = !is_sent;
  pthread_mutex_unlock(&client->sending);
  if (is_sent)
    return TESSERA_OK;
  tessera_status status = tcp_hear(client);
  return status ? status
                : tr_fail(TESSERA_ERROR_PEER,
                          "the connection to rank 0, where all ranks meet, is lost: %s",
                          strerror(errno));
}

/* ---- receiving: with the lock ---------------------------------------------------------------- */

static void keep_failure(tcp_client *client, const char *text, size_t length) {
  size_t most = sizeof(client->failure) - 1;
  if (client->failure[0] || length == 0)
    return;
  length = length < most ? length : most;
  memcpy(client->failure, text, length);
  client->failure[length] = '\0';
}

static bool keep_arrival(tcp_client *client, const frame *frame, const char *data) {
  arrival *made = malloc(sizeof(*made) + frame->bytes);
  if (!made)
    return false;
  made->next = NULL;
  made->frame = *frame;
  memcpy(made->data, data, frame->bytes);
  *client->end = made;
  client->end = &made->next;
  return true;
}

static void sort_frames(tcp_client *client) {
  static const char no_memory[] = "there is no memory for what has come";
  frame frame;
  const char *data;
  while (tr_bytes_frame(&client->in, &frame, &data)) {
    if (frame.kind == FRAME_FAIL)
      keep_failure(client, data, frame.bytes);
    else if (!keep_arrival(client, &frame, data))
      keep_failure(client, no_memory, strlen(no_memory));
    tr_bytes_drop(&client->in, sizeof(frame) + frame.bytes);
  }
}

/* Reads what is there. */
static void pump(tcp_client *client) {
  static const char gone[] = "rank 0, where all ranks meet, has gone";
  enum { PIECE = 1 << 16 };
  for (;;) {
    char *room = tr_bytes_reserve(&client->in, PIECE);
    ssize_t count = room ? recv(client->socket, room, PIECE, MSG_DONTWAIT) : 0;
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 && errno == EAGAIN)
      break;
    if (count <= 0) {
      keep_failure(client, gone, strlen(gone));
      break;
    }
    client->in.used += (size_t)count;
  }
  sort_frames(client);
}

static bool is_wanted(const frame *frame, const struct frame *wanted) {
  return frame->kind == wanted->kind && frame->group == wanted->group &&
         frame->number == wanted->number &&
         (wanted->kind == FRAME_MEET || wanted->from < 0 || frame->from == wanted->from);
}

static arrival *take(tcp_client *client, const frame *wanted) {
  arrival **link = &client->first;
  while (*link && !is_wanted(&(*link)->frame, wanted))
    link = &(*link)->next;
  arrival *found = *link;
  if (!found)
    return NULL;
  *link = found->next;
  if (!found->next)
    client->end = link;
  return found;
}

static tessera_status peer_failure(const tcp_client *client) {
  return tr_fail(TESSERA_ERROR_PEER, "another rank failed: %s", client->failure);
}

/* ---- waiting --------------------------------------------------------------------------------- */

tessera_status tcp_await(tcp_client *client, const frame *wanted, const char *what,
                         arrival **arrived) {
  enum { STEP = 10 }; /* milliseconds: another thread may have read what has come */
  double start = now();
  for (;;) {
    pthread_mutex_lock(&client->lock);
    pump(client);
    *arrived = take(client, wanted);
    tessera_status status = !*arrived && client->failure[0] ? peer_failure(client) : TESSERA_OK;
    pthread_mutex_unlock(&client->lock);
    if (*arrived || status)
      return status;
    if (client->patience > 0 && now() - start > client->patience)
      return tr_fail(TESSERA_ERROR_PEER,
                     "rank %d has waited for %g s for %s: not all ranks have come; TESSERA_TIMEOUT "
                     "says how long ranks wait, and 0 for ever",
                     client->rank, client->patience, what);
    poll(&(struct pollfd){.fd = client->socket, .events = POLLIN}, 1, STEP);
  }
}

tessera_status tcp_hear(tcp_client *client) {
  pthread_mutex_lock(&client->lock);
  pump(client);
  tessera_status status = client->failure[0] ? peer_failure(client) : TESSERA_OK;
  pthread_mutex_unlock(&client->lock);
  return status;
}

bool tcp_drop_messages(tcp_client *client, frame *first) {
  bool any = false;
  pthread_mutex_lock(&client->lock);
  pump(client);
  for (arrival **link = &client->first, *at; (at = *link);) {
    if (at->frame.kind != FRAME_MESSAGE) {
      link = &at->next;
      continue;
    }
    if (!any)
      *first = at->frame;
    any = true;
    *link = at->next;
    free(at);
  }
  client->end = &client->first;
  while (*client->end)
    client->end = &(*client->end)->next;
  pthread_mutex_unlock(&client->lock);
  return any;
}

/* ---- meetings -------------------------------------------------------------------------------- */

tessera_status tcp_begin_meeting(tcp_client *client, tcp_group *group, const void *mine,
                                 size_t bytes, frame *meeting) {
  *meeting = (frame){.kind = FRAME_MEET,
                     .from = group->self,
                     .count = (uint32_t)group->size,
                     .group = group->hash,
                     .number = group->meetings++,
                     .bytes = bytes};
  return tcp_send_frame(client, meeting, mine);
}

tessera_status tcp_end_meeting(tcp_client *client, const frame *meeting, void *all) {
  arrival *arrived;
  tessera_status status = tcp_await(client, meeting, "the other ranks", &arrived);
  if (status)
    return status;
  memcpy(all, arrived->data, meeting->bytes * meeting->count);
  free(arrived);
  return TESSERA_OK;
}

tessera_status tcp_meet(tcp_client *client, tcp_group *group, const void *mine, size_t bytes,
                        void *all) {
  frame meeting;
  tessera_status status = tcp_begin_meeting(client, group, mine, bytes, &meeting);
  return status ? status : tcp_end_meeting(client, &meeting, all);
}
