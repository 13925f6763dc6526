/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The local backend: a rank posts its sends and receives; whoever comes second copies, straight
 * from one strided view to the other. It must not know grids, collectives or MLIR. */
#include "backends/local/local.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/local/users.h"
#include "cores.h"
#include "devices/host/host.h"
#include "error.h"

enum { MESSAGE_CAPACITY = 1024, ANY_PEER = -1, MOST_BUCKETS = 256 };

/* Transfers of collectives and sends of the program never match each other. */
typedef enum channel { CHANNEL_TRANSFER, CHANNEL_SEND, NUM_CHANNELS } channel;

typedef enum post_state { POST_WAITING, POST_COPYING, POST_DONE } post_state;

typedef struct post_list post_list;

/* A send or receive whose counterpart has not come yet. It lies in a list of the receiver. */
typedef struct post {
  struct post *previous, *next;
  post_list *list;   /* while it waits */
  uint64_t sequence; /* age: older ones have smaller numbers */
  tr_direction direction;
  channel channel;
  post_state state;
  int32_t group;
  int32_t source;        /* world ranks; ANY_PEER in a receive */
  int32_t owner;         /* whose call it belongs to; -1: a buffered send, which owns itself */
  uint64_t program_call; /* that the rank was in; a send may be received in a later one */
  const tessera_site *site;
  tr_view view;
} post;

struct post_list {
  post *first, *last;
};

/* What one rank waits for. */
typedef struct seat {
  pthread_cond_t wake;
  post_list *posts;   /* that this rank is to receive, from both sides, by channel and source */
  post_list from_any; /* receives that take any source */
  int64_t pending;    /* own posts that are not done */
  bool waiting;
  bool is_closed;           /* its world: it will do nothing more */
  _Atomic(tr_user *) user;  /* the thread that used it last; NULL: none yet. Written under lock */
  const tessera_site *site; /* while waiting */
  post *call_posts;         /* memory for the posts of one transfer, kept between calls */
  int64_t call_capacity;
} seat;

typedef struct known_group {
  int32_t size;
  int32_t *members;
} known_group;

/* What the ranks share. Everything is guarded by `lock`, except views while they are copied. */
typedef struct hub {
  pthread_mutex_t lock;
  int32_t ranks;
  int32_t buckets; /* of sources, in each channel of a seat */
  uint64_t posted; /* so far */
  int64_t kept;    /* buffered sends that are posted */
  int32_t open;    /* worlds not yet closed */
  int32_t waiting; /* ranks that wait */
  double deserted; /* since when all others have ended, in seconds; 0: they have not */
  bool failed;
  char message[MESSAGE_CAPACITY]; /* why */
  known_group *groups;
  int32_t num_groups;
  int32_t group_capacity;
  seat seats[];
} hub;

/* ---- groups -----------------------------------------------------------------------------------
 */

/* A group is the number of its list of members, the same for all ranks; handles are that plus one.
 */
static int32_t group_number(const tr_group *group) {
  return (int32_t)(intptr_t)group->handle - 1;
}

static int32_t find_group(const hub *hub, const tr_group *group) {
  for (int32_t i = 0; i < hub->num_groups; i++)
    if (hub->groups[i].size == group->size &&
        memcmp(hub->groups[i].members, group->members, sizeof(int32_t) * (size_t)group->size) == 0)
      return i;
  return -1;
}

static int32_t add_group(hub *hub, const tr_group *group) {
  if (hub->num_groups == hub->group_capacity) {
    int32_t capacity = hub->group_capacity ? 2 * hub->group_capacity : 8;
    known_group *groups = realloc(hub->groups, sizeof(*groups) * (size_t)capacity);
    if (!groups)
      return -1;
    hub->groups = groups;
    hub->group_capacity = capacity;
  }
  size_t bytes = sizeof(int32_t) * (size_t)group->size;
  int32_t *members = malloc(bytes);
  if (!members)
    return -1;
  memcpy(members, group->members, bytes);
  hub->groups[hub->num_groups] = (known_group){group->size, members};
  return hub->num_groups++;
}

static tessera_status local_create_group(tr_world *world, tr_group *group) {
  hub *hub = world->state;
  pthread_mutex_lock(&hub->lock);
  int32_t number = find_group(hub, group);
  if (number < 0)
    number = add_group(hub, group);
  pthread_mutex_unlock(&hub->lock);
  if (number < 0)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a group");
  group->handle = (void *)(intptr_t)(number + 1);
  return TESSERA_OK;
}

static void local_destroy_group(tr_world *world, tr_group *group) {
  (void)world;
  group->handle = NULL;
}

/* ---- failure ----------------------------------------------------------------------------------
 */

/* With the lock held: every waiting rank returns, and so does every later call. */
static void fail_hub(hub *hub, const char *message) {
  if (hub->failed)
    return;
  hub->failed = true;
  snprintf(hub->message, sizeof(hub->message), "%s", message);
  for (int32_t i = 0; i < hub->ranks; i++)
    pthread_cond_broadcast(&hub->seats[i].wake);
}

static tessera_status peer_failure(const hub *hub) {
  return tr_fail(TESSERA_ERROR_PEER, "another rank failed: %s", hub->message);
}

static void local_fail(tr_world *world, const char *message) {
  hub *hub = world->state;
  pthread_mutex_lock(&hub->lock);
  fail_hub(hub, message);
  pthread_mutex_unlock(&hub->lock);
}

static void describe_site(const tessera_site *site, char *text, size_t capacity) {
  snprintf(text, capacity, "'%s'%s%s", site->name, site->location[0] ? " at " : "", site->location);
}

/* Nobody is left to wake a rank that waits. */
static tessera_status report_deadlock(hub *hub) {
  char message[MESSAGE_CAPACITY], site[256];
  bool all_wait = hub->waiting == hub->ranks;
  size_t used = (size_t)snprintf(message, sizeof(message), "%s",
                                 all_wait ? "all ranks wait for each other:"
                                          : "ranks wait for others whose threads have ended:");
  for (int32_t i = 0; i < hub->ranks && used < sizeof(message); i++) {
    const char *comma = i + 1 < hub->ranks ? "," : "";
    if (hub->seats[i].waiting) {
      describe_site(hub->seats[i].site, site, sizeof(site));
      used += (size_t)snprintf(message + used, sizeof(message) - used, " rank %d in %s%s", i, site,
                               comma);
    } else {
      used += (size_t)snprintf(message + used, sizeof(message) - used, " rank %d has ended%s", i,
                               comma);
    }
  }
  fail_hub(hub, message);
  return tr_fail(TESSERA_ERROR_MISMATCH, "%s", message);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool has_ended(const seat *seat) {
  return seat->is_closed ||
         tr_user_has_ended(atomic_load_explicit(&seat->user, memory_order_relaxed));
}

/* Every rank waits or has ended. */
static bool is_deserted(const hub *hub) {
  for (int32_t i = 0; i < hub->ranks; i++)
    if (!hub->seats[i].waiting && !has_ended(&hub->seats[i]))
      return false;
  return true;
}

/* A rank whose thread has ended may go on in another thread, which gets some time to begin. */
static tessera_status find_deserted(hub *hub) {
  static const double patience = 2; /* seconds */
  if (!is_deserted(hub)) {
    hub->deserted = 0;
    return TESSERA_OK;
  }
  double now = seconds();
  if (hub->deserted == 0)
    hub->deserted = now;
  return now - hub->deserted > patience ? report_deadlock(hub) : TESSERA_OK;
}

/* ---- matching ---------------------------------------------------------------------------------
 */

static bool same_text(const char *a, const char *b) {
  return a == b || strcmp(a, b) == 0;
}

static bool same_collective(const tessera_site *a, const tessera_site *b) {
  return a == b ||
         (a->kind == b->kind && a->input_type == b->input_type &&
          a->output_type == b->output_type && a->reduction == b->reduction && a->axis == b->axis &&
          a->concat_axis == b->concat_axis && a->offset == b->offset && a->flags == b->flags &&
          same_text(a->name, b->name) && same_text(a->location, b->location));
}

/* Two calls met that do not belong together. */
static tessera_status report_mismatch(const post *first, int32_t first_rank, const post *second,
                                      int32_t second_rank) {
  char sites[2][256], shapes[2][128];
  const post *posts[2] = {first, second};
  for (int i = 0; i < 2; i++) {
    describe_site(posts[i]->site, sites[i], sizeof(sites[i]));
    tr_view_text(&posts[i]->view, shapes[i], sizeof(shapes[i]));
  }
  if (!same_collective(first->site, second->site))
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "ranks call different collectives: rank %d is in %s, rank %d in %s", first_rank,
                   sites[0], second_rank, sites[1]);
  if (first->program_call != second->program_call)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "ranks make different numbers of collectives in a call of the program: rank %d "
                   "is in %s of its call number %llu, rank %d in %s of its call number %llu",
                   first_rank, sites[0], (unsigned long long)first->program_call, second_rank,
                   sites[1], (unsigned long long)second->program_call);
  return tr_fail(
      TESSERA_ERROR_MISMATCH,
      "pieces do not fit: rank %d has one of %s (%d-byte elements) in %s, rank %d one of "
      "%s (%d-byte elements) in %s",
      first_rank, shapes[0], first->view.element, sites[0], second_rank, shapes[1],
      second->view.element, sites[1]);
}

static bool belongs_together(const post *a, const post *b) {
  if (a->channel == CHANNEL_TRANSFER &&
      (a->program_call != b->program_call || !same_collective(a->site, b->site)))
    return false;
  return tr_view_same_shape(&a->view, &b->view);
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
  hub->kept += post->owner < 0;
}

static void unlink_post(hub *hub, post *post) {
  post_list *list = post->list;
  *(post->previous ? &post->previous->next : &list->first) = post->next;
  *(post->next ? &post->next->previous : &list->last) = post->previous;
  post->list = NULL;
  hub->kept -= post->owner < 0;
}

/* The oldest post of the list that is the other side of `wanted`. */
static post *find_counterpart(const post_list *list, const post *wanted) {
  post *post = list->first;
  while (post && (post->direction == wanted->direction || post->channel != wanted->channel ||
                  post->group != wanted->group ||
                  (post->source != wanted->source && post->source != ANY_PEER &&
                   wanted->source != ANY_PEER)))
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

/* The copy itself happens without the lock; both posts stay where they are until it is done. */
static tessera_status complete_pair(hub *hub, int32_t rank, const post *own, post *other) {
  if (!belongs_together(own, other)) {
    int32_t other_rank = other->owner < 0 ? other->source : other->owner;
    tessera_status status = report_mismatch(own, rank, other, other_rank);
    fail_hub(hub, tessera_last_error());
    other->state = POST_DONE;
    if (other->owner < 0)
      free(other);
    return status;
  }
  other->state = POST_COPYING;
  pthread_mutex_unlock(&hub->lock);
  if (own->direction == TR_SEND)
    tr_device_copy_view(&tr_host_device, NULL, &own->view, &other->view);
  else
    tr_device_copy_view(&tr_host_device, NULL, &other->view, &own->view);
  pthread_mutex_lock(&hub->lock);
  other->state = POST_DONE;
  if (other->owner < 0) {
    free(other);
    return TESSERA_OK;
  }
  seat *seat = &hub->seats[other->owner];
  if (--seat->pending == 0 && seat->waiting) {
    seat->waiting = false;
    hub->waiting--;
  }
  /* After a failure the owner waits for each copy, not only for the last. */
  if (seat->pending == 0 || hub->failed)
    pthread_cond_broadcast(&seat->wake);
  return TESSERA_OK;
}

/* ---- waiting ----------------------------------------------------------------------------------
 */

/* Takes this rank's posts back; a copy that is under way ends first. */
static void withdraw_all(hub *hub, int32_t rank, post *posts, int64_t count) {
  seat *seat = &hub->seats[rank];
  for (int64_t i = 0; i < count; i++)
    if (posts[i].list)
      unlink_post(hub, &posts[i]);
  for (int64_t i = 0; i < count; i++)
    while (posts[i].state == POST_COPYING)
      pthread_cond_wait(&seat->wake, &hub->lock);
  seat->pending = 0;
}

/* A while: then others may have ended. */
static void wait_on(hub *hub, seat *seat) {
  enum { WHILE = 500000000, SECOND = 1000000000 }; /* nanoseconds */
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += (until.tv_nsec + WHILE) / SECOND;
  until.tv_nsec = (until.tv_nsec + WHILE) % SECOND;
  pthread_cond_timedwait(&seat->wake, &hub->lock, &until);
}

static tessera_status wait_for_posts(hub *hub, int32_t rank, const tessera_site *site, post *posts,
                                     int64_t count) {
  seat *seat = &hub->seats[rank];
  tessera_status status = TESSERA_OK;
  seat->site = site;
  while (seat->pending > 0 && !hub->failed && !status) {
    if (!seat->waiting) {
      seat->waiting = true;
      if (++hub->waiting == hub->ranks)
        status = report_deadlock(hub);
    } else {
      status = find_deserted(hub);
    }
    if (!status)
      wait_on(hub, seat);
  }
  if (seat->waiting) {
    seat->waiting = false;
    hub->waiting--;
  }
  if (!status && seat->pending > 0)
    status = peer_failure(hub);
  if (status)
    withdraw_all(hub, rank, posts, count);
  return status;
}

/* ---- the table's functions --------------------------------------------------------------------
 */

/* Matches the post at once or leaves it for its counterpart. */
static tessera_status enter_post(hub *hub, int32_t rank, int32_t receiver, post *own) {
  post *other = take_counterpart(hub, receiver, own);
  if (other) {
    tessera_status status = complete_pair(hub, rank, own, other);
    own->state = POST_DONE;
    return status;
  }
  own->state = POST_WAITING;
  hub->seats[rank].pending++;
  append(hub, receiver, own);
  return TESSERA_OK;
}

static bool reserve_posts(seat *seat, int64_t count) {
  if (count <= seat->call_capacity)
    return true;
  post *posts = realloc(seat->call_posts, sizeof(post) * (size_t)count);
  if (!posts)
    return false;
  seat->call_posts = posts;
  seat->call_capacity = count;
  return true;
}

static tessera_status local_transfer(tr_world *world, const tr_group *group,
                                     const tessera_site *site, const tr_message *messages,
                                     int64_t count) {
  hub *hub = world->state;
  seat *seat = &hub->seats[world->rank];
  if (!reserve_posts(seat, count))
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %lld messages", (long long)count);
  pthread_mutex_lock(&hub->lock);
  tessera_status status = hub->failed ? peer_failure(hub) : TESSERA_OK;
  int64_t entered = 0;
  for (; !status && entered < count; entered++) {
    const tr_message *message = &messages[entered];
    int32_t peer = group->members[message->peer];
    bool is_send = message->direction == TR_SEND;
    post *own = &seat->call_posts[entered];
    *own = (post){.direction = message->direction,
                  .channel = CHANNEL_TRANSFER,
                  .group = group_number(group),
                  .source = is_send ? world->rank : peer,
                  .owner = world->rank,
                  .program_call = world->program_calls,
                  .site = site,
                  .view = message->view};
    status = enter_post(hub, world->rank, is_send ? peer : world->rank, own);
  }
  if (status)
    withdraw_all(hub, world->rank, seat->call_posts, entered);
  else
    status = wait_for_posts(hub, world->rank, site, seat->call_posts, count);
  pthread_mutex_unlock(&hub->lock);
  return status;
}

static tessera_status local_send(tr_world *world, const tr_group *group, const tessera_site *site,
                                 int32_t peer, const tr_view *view) {
  hub *hub = world->state;
  post *own = malloc(sizeof(*own) + tr_view_bytes(view));
  if (!own)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a message of %zu bytes",
                   tr_view_bytes(view));
  int32_t receiver = group->members[peer];
  *own = (post){.direction = TR_SEND,
                .channel = CHANNEL_SEND,
                .group = group_number(group),
                .source = world->rank,
                .owner = -1,
                .site = site};
  tr_view_dense(own + 1, view, &own->view);
  tr_device_copy_view(&tr_host_device, NULL, view, &own->view);
  pthread_mutex_lock(&hub->lock);
  tessera_status status = hub->failed ? peer_failure(hub) : TESSERA_OK;
  post *other = status ? NULL : take_counterpart(hub, receiver, own);
  if (other)
    status = complete_pair(hub, world->rank, own, other);
  else if (!status)
    append(hub, receiver, own);
  pthread_mutex_unlock(&hub->lock);
  if (other || status)
    free(own);
  return status;
}

static tessera_status local_receive(tr_world *world, const tr_group *group,
                                    const tessera_site *site, int32_t peer, const tr_view *view) {
  hub *hub = world->state;
  post own = {.direction = TR_RECEIVE,
              .channel = CHANNEL_SEND,
              .group = group_number(group),
              .source = peer < 0 ? ANY_PEER : group->members[peer],
              .owner = world->rank,
              .site = site,
              .view = *view};
  pthread_mutex_lock(&hub->lock);
  tessera_status status = hub->failed ? peer_failure(hub) : TESSERA_OK;
  if (!status)
    status = enter_post(hub, world->rank, world->rank, &own);
  if (!status)
    status = wait_for_posts(hub, world->rank, site, &own, 1);
  pthread_mutex_unlock(&hub->lock);
  return status;
}

/* Drops this rank's sends among those of one list, and finds the oldest. */
static void drop_sends(hub *hub, post_list *list, int32_t receiver, int32_t sender, post *oldest,
                       int32_t *oldest_receiver) {
  for (post *post = list->first, *next; post; post = next) {
    next = post->next;
    if (post->owner >= 0 || post->source != sender)
      continue;
    if (*oldest_receiver < 0 || post->sequence < oldest->sequence) {
      *oldest = *post;
      *oldest_receiver = receiver;
    }
    unlink_post(hub, post);
    free(post);
  }
}

static tessera_status local_settle(tr_world *world) {
  hub *hub = world->state;
  post oldest;
  int32_t receiver = -1;
  pthread_mutex_lock(&hub->lock);
  for (int32_t i = 0; hub->kept > 0 && i < hub->ranks; i++)
    drop_sends(hub, list_of(hub, i, CHANNEL_SEND, world->rank), i, world->rank, &oldest, &receiver);
  pthread_mutex_unlock(&hub->lock);
  if (receiver < 0)
    return TESSERA_OK;
  char site[256];
  describe_site(oldest.site, site, sizeof(site));
  return tr_fail(TESSERA_ERROR_MISMATCH,
                 "%s: rank %d never received the %zu bytes that rank %d sent", site, receiver,
                 tr_view_bytes(&oldest.view), world->rank);
}

/* ---- open and close ---------------------------------------------------------------------------
 */

/* Only buffered sends outlive their call. */
static void free_posts(post_list *list) {
  for (post *post = list->first, *next; post; post = next) {
    next = post->next;
    free(post);
  }
}

static void free_hub(hub *hub) {
  for (int32_t i = 0; i < hub->ranks; i++) {
    seat *seat = &hub->seats[i];
    for (int32_t k = 0; seat->posts && k < NUM_CHANNELS * hub->buckets; k++)
      free_posts(&seat->posts[k]);
    pthread_cond_destroy(&seat->wake);
    tr_user_release(seat->user);
    free(seat->posts);
    free(seat->call_posts);
  }
  for (int32_t i = 0; i < hub->num_groups; i++)
    free(hub->groups[i].members);
  free(hub->groups);
  pthread_mutex_destroy(&hub->lock);
  free(hub);
}

static void local_close(tr_world *world) {
  hub *hub = world->state;
  pthread_mutex_lock(&hub->lock);
  hub->seats[world->rank].is_closed = true;
  bool is_last = --hub->open == 0;
  pthread_mutex_unlock(&hub->lock);
  if (is_last)
    free_hub(hub);
  world->backend = NULL;
}

static void local_attend(tr_world *world) {
  hub *hub = world->state;
  seat *seat = &hub->seats[world->rank];
  tr_user *self = tr_user_self();
  if (atomic_load_explicit(&seat->user, memory_order_relaxed) == self)
    return;
  pthread_mutex_lock(&hub->lock);
  tr_user *before = seat->user;
  seat->user = tr_user_refer(self);
  hub->deserted = 0;
  pthread_mutex_unlock(&hub->lock);
  tr_user_release(before);
}

static const tr_backend local_backend = {
    .version = TR_BACKEND_VERSION,
    .name = "local",
    .create_group = local_create_group,
    .destroy_group = local_destroy_group,
    .transfer = local_transfer,
    .send = local_send,
    .receive = local_receive,
    .settle = local_settle,
    .attend = local_attend,
    .fail = local_fail,
    .abort = local_fail,
    .close = local_close,
};

static hub *create_hub(int32_t ranks) {
  hub *hub = calloc(1, sizeof(*hub) + sizeof(seat) * (size_t)ranks);
  if (!hub)
    return NULL;
  pthread_condattr_t monotonic;
  pthread_mutex_init(&hub->lock, NULL);
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  hub->ranks = hub->open = ranks;
  hub->buckets = ranks < MOST_BUCKETS ? ranks : MOST_BUCKETS;
  bool is_complete = true;
  for (int32_t i = 0; i < ranks; i++) {
    seat *seat = &hub->seats[i];
    pthread_cond_init(&seat->wake, &monotonic);
    seat->posts = calloc((size_t)(NUM_CHANNELS * hub->buckets), sizeof(post_list));
    is_complete = is_complete && seat->posts;
  }
  pthread_condattr_destroy(&monotonic);
  if (is_complete)
    return hub;
  free_hub(hub);
  return NULL;
}

tessera_status tr_local_open(int32_t ranks, tr_world *worlds) {
  hub *hub = create_hub(ranks);
  if (!hub)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %d ranks", ranks);
  for (int32_t i = 0; i < ranks; i++)
    worlds[i] = (tr_world){.backend = &local_backend,
                           .state = hub,
                           .rank = i,
                           .size = ranks,
                           .host_ranks = ranks,
                           .host_cores = tr_available_cores()};
  return TESSERA_OK;
}
