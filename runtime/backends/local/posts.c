/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages between threads: a rank posts its sends and receives; whoever comes second copies,
 * straight from one strided view to the other. It must not know grids, collectives or MLIR. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/local/hub.h"
#include "support/error.h"

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

/* ---- matching -------------------------------------------------------------------------------- */

/* Two calls met that do not belong together. */
static tessera_status report_mismatch(const post *first, const post *second) {
  char sites[2][256], shapes[2][128];
  const post *posts[2] = {first, second};
  if (!same_collective(first->site, second->site))
    return report_other_collective(first->site, first->rank, second->site, second->rank);
  for (int i = 0; i < 2; i++) {
    describe_site(posts[i]->site, sites[i], sizeof(sites[i]));
    tr_view_text(posts[i]->view, shapes[i], sizeof(shapes[i]));
  }
  if (first->program_call != second->program_call)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "ranks make different numbers of collectives in a call of the program: rank %d "
                   "is in %s of its call number %llu, rank %d in %s of its call number %llu",
                   first->rank, sites[0], (unsigned long long)first->program_call, second->rank,
                   sites[1], (unsigned long long)second->program_call);
  return tr_fail(
      TESSERA_ERROR_MISMATCH,
      "pieces do not fit: rank %d has one of %s (%d-byte elements) in %s, rank %d one of "
      "%s (%d-byte elements) in %s",
      first->rank, shapes[0], first->view->element, sites[0], second->rank, shapes[1],
      second->view->element, sites[1]);
}

static bool belongs_together(const post *a, const post *b) {
  if (a->channel == CHANNEL_TRANSFER &&
      (a->program_call != b->program_call || !same_collective(a->site, b->site)))
    return false;
  return tr_view_same_shape(a->view, b->view);
}

/* Lists by source keep the search for a counterpart short when many ranks talk to one. */
static post_list *list_of(hub *hub, int32_t receiver, channel channel, int32_t source) {
  seat *seat = &hub->seats[receiver];
  return source == ANY_PEER ? &seat->from_any
                            : &seat->posts[channel * hub->buckets + source % hub->buckets];
}

static void append(hub *hub, int32_t receiver, post *post) {
  post_list *list = list_of(hub, receiver, post->channel, post->source);
  post->list = list;
  post->sequence = hub->posted++;
  post->next = NULL;
  post->previous = list->last;
  *(list->last ? &list->last->next : &list->first) = post;
  list->last = post;
  hub->kept += !post->event;
}

static void unlink_post(hub *hub, post *post) {
  post_list *list = post->list;
  *(post->previous ? &post->previous->next : &list->first) = post->next;
  *(post->next ? &post->next->previous : &list->last) = post->previous;
  post->list = NULL;
  hub->kept -= !post->event;
}

static bool is_counterpart(const post *post, const struct post *wanted) {
  return post->direction != wanted->direction && post->channel == wanted->channel &&
         post->group == wanted->group && post->lane == wanted->lane &&
         (post->source == wanted->source || post->source == ANY_PEER || wanted->source == ANY_PEER);
}

/* The oldest post of the list that is the other side of `wanted`. */
static post *find_counterpart(const post_list *list, const post *wanted) {
  post *post = list->first;
  while (post && !is_counterpart(post, wanted))
    post = post->next;
  return post;
}

static post *older(post *a, post *b) {
  return !a || (b && b->sequence < a->sequence) ? b : a;
}

/* Takes the oldest post that is the other side of `wanted` out of its list. */
static post *take_counterpart(hub *hub, int32_t receiver, const post *wanted) {
  post *found = NULL;
  int32_t sources = wanted->source == ANY_PEER ? hub->buckets : 1;
  for (int32_t i = 0; i < sources; i++) {
    int32_t source = wanted->source == ANY_PEER ? i : wanted->source;
    found = older(found, find_counterpart(list_of(hub, receiver, wanted->channel, source), wanted));
  }
  if (wanted->direction == TR_SEND)
    found = older(found, find_counterpart(&hub->seats[receiver].from_any, wanted));
  if (found)
    unlink_post(hub, found);
  return found;
}

/* ---- devices that work later ------------------------------------------------------------------
 */

/* The stream that copies comes after what both sides' streams were given before. */
static void follow_ready(const tr_world *world, event *own, const event *other) {
  if (own->stream != own->base && !own->has_copied)
    tr_device_follow(world->device, own->stream, own->ready);
  own->has_copied = true;
  if (other == own || other->ready == own->followed)
    return;
  tr_device_follow(world->device, own->stream, other->ready);
  own->followed = other->ready;
}

/* With the lock held. Of copies by one rank the last says that all are done. */
static void note_done(const tr_world *world, post *other, tr_event *done) {
  post *known = other->event->done;
  while (known && known->copier != world->rank)
    known = known->next_done;
  if (known) {
    tr_device_forget(world->device, known->done);
    known->done = done;
    return;
  }
  other->done = done;
  other->copier = world->rank;
  other->next_done = other->event->done;
  other->event->done = other;
}

/* What blocks copies in the stream of its call, else beside it. */
static void begin_on_device(const tr_world *world, tr_manner manner, tessera_stream *stream,
                            event *event) {
  event->base = stream;
  event->stream = manner == TR_PENDING ? tr_device_stream(world->device, TR_STREAM_ASIDE) : stream;
  event->ready = world->device->record(world->device, stream);
}

static void end_start_on_device(const tr_world *world, event *event) {
  if (event->stream != event->base && event->has_copied)
    event->copied = world->device->record(world->device, event->stream);
}

static void follow_once(const tr_world *world, tessera_stream *stream, tr_event *event) {
  tr_device_follow(world->device, stream, event);
  tr_device_forget(world->device, event);
}

/* The stream of the call goes on when all that was copied is there. */
static void follow_copies(const tr_world *world, event *event) {
  for (post *post = event->done; post; post = post->next_done)
    follow_once(world, event->base, post->done);
  follow_once(world, event->base, event->copied);
  tr_device_forget(world->device, event->ready);
  event->done = NULL;
  event->copied = event->ready = NULL;
}

/* A buffered send lies in the host's memory, which is given back when this returns. */
static tessera_status copy_pair(const tr_world *world, const post *own, const post *other) {
  const post *from = own->direction == TR_SEND ? own : other;
  const post *to = from == own ? other : own;
  const tr_device *device = world->device;
  tr_copy copy;
  if (from->data == to->data)
    return TESSERA_OK;
  tr_view_plan_copy(from->view, to->view, &copy);
  if (!from->event) {
    if (to == other)
      tr_device_follow(device, NULL, other->event->ready);
    device->upload(device, NULL, &copy, from->data, to->data);
    return tr_device_settle(device, NULL);
  }
  follow_ready(world, own->event, other->event);
  device->copy(device, own->event->stream, &copy, from->data, to->data);
  return tr_device_check(device);
}

/* ---- pairs ------------------------------------------------------------------------------------
 */

static void finish_post(hub *hub, post *post) {
  if (post->event)
    advance(hub, post->event);
  else
    free(post);
}

/* The copy itself happens without the lock; both posts stay where they are until it is done. */
static tessera_status complete_pair(const tr_world *world, const post *own, post *other) {
  hub *hub = world->state;
  if (!belongs_together(own, other)) {
    tessera_status status = report_mismatch(own, other);
    fail_hub(hub, tessera_last_error());
    if (other->event)
      other->event->differs = true;
    finish_post(hub, other);
    return status;
  }
  pthread_mutex_unlock(&hub->lock);
  tessera_status status = copy_pair(world, own, other);
  tr_event *done = own->event && other->event && other->event != own->event
                       ? world->device->record(world->device, own->event->stream)
                       : NULL;
  pthread_mutex_lock(&hub->lock);
  if (status)
    fail_hub(hub, tessera_last_error());
  if (done)
    note_done(world, other, done);
  finish_post(hub, other);
  return status;
}

/* Matches the post at once or leaves it for its counterpart. */
static tessera_status enter_post(const tr_world *world, int32_t receiver, post *own) {
  hub *hub = world->state;
  post *other = take_counterpart(hub, receiver, own);
  if (other)
    return complete_pair(world, own, other);
  own->event->pending++;
  append(hub, receiver, own);
  return TESSERA_OK;
}

/* Takes posts back; copies that are under way end first. */
static void withdraw(hub *hub, event *event, post *posts, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (posts[i].list) {
      unlink_post(hub, &posts[i]);
      event->pending--;
    }
  while (event->pending > 0)
    pthread_cond_wait(&hub->seats[event->rank].wake, &hub->lock);
}

/* ---- transfers ------------------------------------------------------------------------------- */

typedef struct transfer {
  tr_job job;
  int64_t count;
  tr_message messages[];
} transfer;

/* Of one run, from its beginning to its end in a list of its rank. */
struct transfer_state {
  transfer_state *next, **link;
  event event;
  int64_t entered;
  post posts[];
};

static void begin(hub *hub, transfer_state *state, int32_t rank) {
  seat *seat = &hub->seats[rank];
  *state = (transfer_state){.next = seat->begun, .link = &seat->begun, .event = {.rank = rank}};
  if (state->next)
    state->next->link = &state->next;
  seat->begun = state;
}

static void end(transfer_state *state) {
  *state->link = state->next;
  if (state->next)
    state->next->link = state->link;
}

static tessera_status start_transfer(tr_world *world, const tr_job_run *run) {
  hub *hub = world->state;
  const transfer *transfer = (struct transfer *)run->job;
  transfer_state *state = run->state;
  pthread_mutex_lock(&hub->lock);
  tessera_status status = hub->failed ? peer_failure(hub) : TESSERA_OK;
  begin(hub, state, world->rank);
  begin_on_device(world, run->manner, run->stream, &state->event);
  for (; !status && state->entered < transfer->count; state->entered++) {
    const tr_message *message = &transfer->messages[state->entered];
    int32_t peer = run->group->members[message->peer];
    bool is_send = message->direction == TR_SEND;
    post *own = &state->posts[state->entered];
    *own = (post){.direction = message->direction,
                  .channel = CHANNEL_TRANSFER,
                  .group = group_number(run->group),
                  .lane = run->lane,
                  .source = is_send ? world->rank : peer,
                  .rank = world->rank,
                  .event = &state->event,
                  .program_call = world->program_calls,
                  .site = run->site,
                  .view = &message->view,
                  .data = tr_resolve(run->bases, message->view.data)};
    status = enter_post(world, is_send ? peer : world->rank, own);
  }
  end_start_on_device(world, &state->event);
  pthread_mutex_unlock(&hub->lock);
  return status;
}

static tessera_status finish_transfer(tr_world *world, const tr_job_run *run) {
  hub *hub = world->state;
  transfer_state *state = run->state;
  pthread_mutex_lock(&hub->lock);
  linger(hub, &state->event);
  tessera_status status = await(hub, run->site, &state->event);
  if (!status) {
    follow_copies(world, &state->event);
    end(state);
  }
  pthread_mutex_unlock(&hub->lock);
  return status;
}

void withdraw_all(const tr_world *world) {
  hub *hub = world->state;
  for (transfer_state *state; (state = hub->seats[world->rank].begun);) {
    withdraw(hub, &state->event, state->posts, state->entered);
    follow_copies(world, &state->event);
    end(state);
  }
}

tessera_status local_plan_transfer(tr_world *world, const tr_group *group,
                                   const tr_message *messages, int64_t count, tr_job **job) {
  (void)world;
  (void)group;
  transfer *made = malloc(sizeof(*made) + sizeof(*messages) * (size_t)count);
  if (!made)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %lld messages", (long long)count);
  made->job = (tr_job){.start = start_transfer,
                       .finish = finish_transfer,
                       .state_bytes = sizeof(transfer_state) + sizeof(post) * (size_t)count};
  made->count = count;
  tr_messages_assign(made->messages, messages, count);
  *job = &made->job;
  return TESSERA_OK;
}

/* ---- sends of the program -------------------------------------------------------------------- */

typedef struct buffered_send {
  post post;
  tr_view view; /* dense, of what follows */
} buffered_send;

tessera_status local_send(tr_world *world, const tr_group *group, const tessera_site *site,
                          int32_t peer, const tr_view *view) {
  hub *hub = world->state;
  tr_copy copy;
  buffered_send *send = malloc(sizeof(*send) + tr_view_bytes(view));
  if (!send)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a message of %zu bytes",
                   tr_view_bytes(view));
  int32_t receiver = group->members[peer];
  send->post = (post){.direction = TR_SEND,
                      .channel = CHANNEL_SEND,
                      .group = group_number(group),
                      .source = world->rank,
                      .rank = world->rank,
                      .site = site,
                      .view = &send->view,
                      .data = (char *)(send + 1)};
  tr_view_dense(send->post.data, view, &send->view);
  tr_view_plan_copy(view, &send->view, &copy);
  world->device->download(world->device, NULL, &copy, view->data, send->post.data);
  tessera_status status = tr_device_settle(world->device, NULL);
  pthread_mutex_lock(&hub->lock);
  if (!status && hub->failed)
    status = peer_failure(hub);
  post *other = status ? NULL : take_counterpart(hub, receiver, &send->post);
  if (other)
    status = complete_pair(world, &send->post, other);
  else if (!status)
    append(hub, receiver, &send->post);
  pthread_mutex_unlock(&hub->lock);
  if (other || status)
    free(send);
  return status;
}

tessera_status local_receive(tr_world *world, const tr_group *group, const tessera_site *site,
                             int32_t peer, const tr_view *view) {
  hub *hub = world->state;
  event event = {.rank = world->rank};
  post own = {.direction = TR_RECEIVE,
              .channel = CHANNEL_SEND,
              .group = group_number(group),
              .source = peer < 0 ? ANY_PEER : group->members[peer],
              .rank = world->rank,
              .event = &event,
              .site = site,
              .view = view,
              .data = view->data};
  begin_on_device(world, TR_BLOCKING, NULL, &event);
  pthread_mutex_lock(&hub->lock);
  tessera_status status = hub->failed ? peer_failure(hub) : TESSERA_OK;
  if (!status)
    status = enter_post(world, world->rank, &own);
  if (!status) {
    linger(hub, &event);
    status = await(hub, site, &event);
  }
  if (status)
    withdraw(hub, &event, &own, 1);
  follow_copies(world, &event);
  pthread_mutex_unlock(&hub->lock);
  return status;
}

/* Drops this rank's sends among those of one list, and finds the oldest. */
static void drop_sends(hub *hub, post_list *list, int32_t sender, post **oldest) {
  for (post *post = list->first, *next; post; post = next) {
    next = post->next;
    if (post->event || post->source != sender)
      continue;
    unlink_post(hub, post);
    struct post *newer = *oldest && (*oldest)->sequence < post->sequence ? post : *oldest;
    *oldest = newer == post ? *oldest : post;
    free(newer);
  }
}

tessera_status drop_unreceived(tr_world *world) {
  hub *hub = world->state;
  post *oldest = NULL;
  int32_t receiver = -1;
  pthread_mutex_lock(&hub->lock);
  for (int32_t i = 0; hub->kept > 0 && i < hub->ranks; i++) {
    post *before = oldest;
    drop_sends(hub, list_of(hub, i, CHANNEL_SEND, world->rank), world->rank, &oldest);
    receiver = oldest != before ? i : receiver;
  }
  pthread_mutex_unlock(&hub->lock);
  if (!oldest)
    return TESSERA_OK;
  char site[256];
  describe_site(oldest->site, site, sizeof(site));
  tr_fail(TESSERA_ERROR_MISMATCH, "%s: rank %d never received the %zu bytes that rank %d sent",
          site, receiver, tr_view_bytes(oldest->view), world->rank);
  free(oldest);
  return TESSERA_ERROR_MISMATCH;
}

/* Only buffered sends outlive their call. */
void free_posts(post_list *list) {
  for (post *post = list->first, *next; post; post = next) {
    next = post->next;
    free(post);
  }
}
