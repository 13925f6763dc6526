/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages between threads: a rank posts its sends and receives; whoever comes second copies,
 * straight from one strided view to the other. It must not know grids, collectives or MLIR. */
#include "backends/local/posts.h"

#include <stdio.h>
#include <stdlib.h>

#include "planes/call_account.h"
#include "support/error.h"

/* ---- matching -------------------------------------------------------------------------------- */

static void describe(const post *post, tr_account *account) {
  char extents[64];
  tr_account_of_site(post->site, post->rank, account);
  account->program_call = post->program_call;
  snprintf(account->shape, sizeof(account->shape), "%s (%d-byte elements)",
           tr_view_text(post->view, extents, sizeof(extents)), post->view->element);
}

/* Two calls met that do not belong together. */
static tessera_status report_mismatch(const post *first, const post *second) {
  tr_account accounts[2];
  char text[MESSAGE_CAPACITY];
  describe(first, &accounts[0]);
  describe(second, &accounts[1]);
  accounts[1].site =
      first->channel == CHANNEL_TRANSFER && !same_collective(first->site, second->site);
  tr_account_difference(&accounts[0], &accounts[1], text, sizeof(text));
  return tr_fail(TESSERA_ERROR_MISMATCH, "%s", text);
}

static bool belongs_together(const post *a, const post *b) {
  if (a->channel == CHANNEL_TRANSFER &&
      (a->program_call != b->program_call || !same_collective(a->site, b->site)))
    return false;
  return tr_view_same_shape(a->view, b->view);
}

/* Lists by source keep the search for a counterpart short when many ranks talk to one. */
post_list *list_of(hub *hub, int32_t receiver, channel channel, int32_t source) {
  seat *seat = &hub->seats[receiver];
  return source == ANY_PEER ? &seat->from_any
                            : &seat->posts[channel * hub->buckets + source % hub->buckets];
}

static bool has_post(const post_list *list, const event *event, tr_direction direction,
                     int32_t source) {
  for (const post *post = list->first; post; post = post->next)
    if (post->event == event && post->direction == direction && post->source == source)
      return true;
  return false;
}

bool awaits_post(const hub *hub, const event *event, int32_t rank) {
  if (rank == event->rank)
    return false;
  const seat *own = &hub->seats[event->rank], *other = &hub->seats[rank];
  for (int32_t channel = 0; channel < NUM_CHANNELS; channel++) {
    const post_list *from = &own->posts[channel * hub->buckets + rank % hub->buckets];
    const post_list *to = &other->posts[channel * hub->buckets + event->rank % hub->buckets];
    if (has_post(from, event, TR_RECEIVE, rank) || has_post(to, event, TR_SEND, event->rank))
      return true;
  }
  return has_post(&own->from_any, event, TR_RECEIVE, ANY_PEER);
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

void unlink_post(hub *hub, post *post) {
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

void begin_on_device(const tr_world *world, tr_manner manner, tessera_stream *stream,
                     event *event) {
  event->base = stream;
  event->stream = manner == TR_PENDING ? tr_device_stream(world->device, TR_STREAM_ASIDE) : stream;
  event->ready = world->device->record(world->device, stream);
}

void end_start_on_device(const tr_world *world, event *event) {
  if (event->stream != event->base && event->has_copied)
    event->copied = world->device->record(world->device, event->stream);
}

static void follow_once(const tr_world *world, tessera_stream *stream, tr_event *event) {
  tr_device_follow(world->device, stream, event);
  tr_device_forget(world->device, event);
}

void follow_copies(const tr_world *world, event *event) {
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

tessera_status enter_post(const tr_world *world, int32_t receiver, post *own) {
  hub *hub = world->state;
  post *other = take_counterpart(hub, receiver, own);
  if (other)
    return complete_pair(world, own, other);
  if (own->event)
    own->event->pending++;
  append(hub, receiver, own);
  return TESSERA_OK;
}

void withdraw(hub *hub, event *event, post *posts, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (posts[i].list) {
      unlink_post(hub, &posts[i]);
      event->pending--;
    }
  while (event->pending > 0)
    pthread_cond_wait(&hub->seats[event->rank].wake, &hub->lock);
}

/* Only buffered sends outlive their call. */
void free_posts(post_list *list) {
  for (post *post = list->first, *next; post; post = next) {
    next = post->next;
    free(post);
  }
}
