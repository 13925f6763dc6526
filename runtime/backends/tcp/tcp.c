/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The TCP backend: its life and its groups.
 * It must not know grids, collectives or MLIR. */
#include "backends/tcp/tcp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/tcp/client.h"
#include "support/error.h"
#include "threads/cores.h"

/* ---- groups ---------------------------------------------------------------------------------- */

static uint64_t hash_members(const tr_group *group) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (int32_t i = 0; i < group->size; i++)
    hash = (hash ^ (uint64_t)group->members[i]) * 0x9e3779b97f4a7c15u + 1;
  return hash;
}

static tessera_status create_group(tr_world *world, tr_group *group) {
  tcp_client *client = client_of(world);
  size_t bytes = sizeof(int32_t) * (size_t)group->size;
  tcp_group *known = client->groups;
  while (known &&
         !(known->size == group->size && memcmp(known->members, group->members, bytes) == 0))
    known = known->next;
  group->handle = known;
  if (known) {
    known->book = known->book ? known->book : group->book;
    return TESSERA_OK;
  }
  known = calloc(1, sizeof(*known) + bytes);
  if (!known)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a group");
  known->hash = hash_members(group);
  known->size = group->size;
  known->self = group->self;
  known->book = group->book;
  memcpy(known->members, group->members, bytes);
  known->next = client->groups;
  client->groups = known;
  group->handle = known;
  return TESSERA_OK;
}

static void destroy_group(tr_world *world, tr_group *group) {
  (void)world;
  group->handle = NULL;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void fail(tr_world *world, const char *message) {
  tcp_client *client = client_of(world);
  frame frame = {.kind = FRAME_FAIL, .from = client->rank, .bytes = strlen(message)};
  if (!atomic_exchange(&client->is_failed, true))
    tcp_send_frame(client, &frame, message);
}

/* A rank's group is told; the launcher ends processes that compute. */
static void abort_job(tr_world *world, const char *message) {
  fail(world, message);
}

/* After a failure ranks that compute are not waited for. */
static void free_client(tcp_client *client) {
  enum { PATIENCE = 5 }; /* seconds */
  bool is_well = !client->is_failed && !client->failure[0] && client->is_open;
  tcp_disconnect(client);
  if (client->store)
    tr_store_close(client->store, is_well ? 0 : PATIENCE);
  for (tcp_group *group = client->groups, *next; group; group = next) {
    next = group->next;
    free(group);
  }
  pthread_mutex_destroy(&client->sending);
  pthread_mutex_destroy(&client->lock);
  free(client);
}

static void close_world(tr_world *world) {
  free_client(client_of(world));
  world->backend = NULL;
}

static const tr_backend tcp_backend = {
    .version = TR_BACKEND_VERSION,
    .name = "tcp",
    .create_group = create_group,
    .destroy_group = destroy_group,
    .plan_transfer = tcp_plan_transfer,
    .send = tcp_send,
    .receive = tcp_receive,
    .fail = fail,
    .abort = abort_job,
    .close = close_world,
};

/* ---- the beginning --------------------------------------------------------------------------- */

/* What ranks of one host have in common, and the cores that each may use: ranks may be pinned to
 * different ones. */
typedef struct host {
  char name[64], boot[64];
  cpu_set_t cores;
} host;

static bool is_same_host(const host *a, const host *b) {
  return memcmp(a->name, b->name, sizeof(a->name)) == 0 &&
         memcmp(a->boot, b->boot, sizeof(a->boot)) == 0;
}

static void describe_host(host *host) {
  memset(host, 0, sizeof(*host));
  tr_cores_ask(&host->cores);
  gethostname(host->name, sizeof(host->name) - 1);
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
  if (file) {
    if (!fgets(host->boot, sizeof(host->boot), file))
      host->boot[0] = '\0';
    fclose(file);
  }
}

static tessera_status count_host(tcp_client *client, tr_world *world) {
  host own, *all = malloc(sizeof(own) * (size_t)world->size);
  if (!all)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %d ranks", world->size);
  describe_host(&own);
  tessera_status status = tcp_meet(client, client->all, &own, sizeof(own), all);
  for (int32_t i = 0; !status && i < world->size; i++) {
    if (!is_same_host(&all[i], &own))
      continue;
    world->host_rank += i < world->rank;
    world->host_ranks++;
    CPU_OR(&own.cores, &own.cores, &all[i].cores);
  }
  world->host_cores = CPU_COUNT(&own.cores);
  free(all);
  return status;
}

static tessera_status make_all(tcp_client *client, tr_world *world) {
  tr_group all = {.size = world->size, .self = world->rank};
  all.members = malloc(sizeof(int32_t) * (size_t)world->size);
  if (!all.members)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %d ranks", world->size);
  for (int32_t i = 0; i < world->size; i++)
    all.members[i] = i;
  tessera_status status = create_group(world, &all);
  client->all = all.handle;
  free(all.members);
  return status;
}

/* The store is there already on rank 0. */
static tessera_status open_world(const tr_tcp_place *place, double patience, tr_store *store,
                                 tr_world *world) {
  tcp_client *client = calloc(1, sizeof(*client));
  if (!client)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a connection");
  client->socket = -1;
  client->rank = place->rank;
  client->size = place->size;
  client->patience = patience;
  client->end = &client->first;
  client->store = store;
  pthread_mutex_init(&client->lock, NULL);
  pthread_mutex_init(&client->sending, NULL);
  *world = (tr_world){.backend = &tcp_backend,
                      .control = &tr_tcp_control,
                      .state = client,
                      .rank = place->rank,
                      .size = place->size};
  tessera_status status = tcp_connect(client, place);
  if (!status)
    status = make_all(client, world);
  if (!status)
    status = count_host(client, world);
  client->is_open = !status;
  return status;
}

/* That of a world which is there is closed with it. */
static void close_unused(tr_store *store, const tr_world *world) {
  if (store && !world->backend)
    tr_store_close(store, 0);
}

tessera_status tr_tcp_open(const tr_tcp_place *place, double patience, tr_world *world) {
  int port = place->port;
  tr_store *store = NULL;
  const char *message = place->rank == 0 ? tr_store_open(&port, &store) : NULL;
  if (message)
    return tr_fail(
        TESSERA_ERROR_BACKEND,
        "rank 0 cannot wait for the others at port %d: %s; TESSERA_STORE=HOST:PORT names "
        "another one, the same on all ranks",
        port, message);
  tessera_status status = open_world(place, patience, store, world);
  close_unused(store, world);
  return status;
}

/* ---- by a callback --------------------------------------------------------------------------- */

/* Where the store is; a port of -1: there is none. */
typedef struct address {
  char host[256];
  int64_t port;
} address;

tessera_status tr_tcp_open_by(const tessera_rendezvous *rendezvous, double patience,
                              tr_world *world) {
  tr_tcp_place place = {.rank = rendezvous->rank, .size = rendezvous->size};
  address own = {.port = -1}, *all = malloc(sizeof(own) * (size_t)place.size);
  tr_store *store = NULL;
  const char *message = all ? NULL : "there is no memory";
  if (!message && place.rank == 0)
    message = tr_store_open(&place.port, &store);
  if (!message && gethostname(own.host, sizeof(own.host) - 1) == 0)
    own.port = place.port;
  tessera_status status =
      all ? rendezvous->gather(rendezvous->data, &own, all, sizeof(own)) : TESSERA_OK;
  if (!status && (message || all[0].port < 0))
    status = tr_fail(TESSERA_ERROR_BACKEND, "rank 0 cannot wait for the others: %s",
                     message ? message : "it says why");
  if (!status) {
    snprintf(place.host, sizeof(place.host), "%s", place.rank == 0 ? "127.0.0.1" : all[0].host);
    place.port = (int)all[0].port;
    status = open_world(&place, patience, store, world);
  }
  close_unused(store, world);
  free(all);
  return status;
}
