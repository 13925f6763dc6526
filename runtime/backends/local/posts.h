/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Posts: sends and receives of threads, each waiting in a list of its receiver for its counterpart.
 * For transfers.c and sends.c. It must not know what is sent. */
#ifndef TESSERA_RUNTIME_BACKENDS_LOCAL_POSTS_H
#define TESSERA_RUNTIME_BACKENDS_LOCAL_POSTS_H

#include "backends/local/hub.h"

/* A send or receive whose counterpart has not come yet. It lies in a list of the receiver. */
struct post {
  post *previous, *next;
  post_list *list;   /* while it waits */
  uint64_t sequence; /* age: older ones have smaller numbers */
  tr_direction direction;
  channel channel;
  int32_t group;
  int32_t lane;
  int32_t source;        /* world ranks; ANY_PEER in a receive */
  int32_t rank;          /* whose it is */
  event *event;          /* NULL: a buffered send, which lives by itself, in the host's memory */
  uint64_t program_call; /* that the rank was in; a send may be received in a later one */
  const tessera_site *site;
  const tr_view *view; /* but for its data */
  char *data;
  tr_event *done; /* all that rank `copier` has copied for this event; NULL: nothing, or another
                     post has it */
  int32_t copier;
  post *next_done;
};

/* ---- with the lock held ---------------------------------------------------------------------- */

/* Matches the post at once, or leaves it in a list for its counterpart: the event is then pending.
 */
tessera_status enter_post(const tr_world *world, int32_t receiver, post *own);
/* Takes posts back; copies that are under way end first. */
void withdraw(hub *hub, event *event, post *posts, int64_t count);

/* The list in which posts wait that `source` sends to `receiver`, or that receive from it. */
post_list *list_of(hub *hub, int32_t receiver, channel channel, int32_t source);
/* Takes a post out of its list. */
void unlink_post(hub *hub, post *post);

/* ---- devices that work later ----------------------------------------------------------------- */

/* What blocks copies in the stream of its call, else beside it. */
void begin_on_device(const tr_world *world, tr_manner manner, tessera_stream *stream, event *event);
/* All that this rank copies itself has been given to the device. */
void end_start_on_device(const tr_world *world, event *event);
/* The stream of the call goes on when all that was copied is there. */
void follow_copies(const tr_world *world, event *event);

#endif /* TESSERA_RUNTIME_BACKENDS_LOCAL_POSTS_H */
