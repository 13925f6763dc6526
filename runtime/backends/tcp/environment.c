/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Who this rank is and where the others meet, as launchers say it in the environment.
 * It must not know what becomes of it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/tcp/tcp.h"
#include "support/error.h"

static bool read_number(const char *variable, long least, long most, long *number) {
  const char *text = getenv(variable);
  char *end = NULL;
  *number = text ? strtol(text, &end, 10) : -1;
  return text && end != text && *end == '\0' && *number >= least && *number <= most;
}

/* "host:port" */
static tessera_status read_store(const char *text, tr_tcp_place *place) {
  const char *colon = strrchr(text, ':');
  size_t length = colon ? (size_t)(colon - text) : 0;
  long port = colon ? strtol(colon + 1, NULL, 10) : 0;
  if (length == 0 || length >= sizeof(place->host) || port < 1 || port > 65535)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "TESSERA_STORE is '%s'; expected HOST:PORT of rank 0", text);
  memcpy(place->host, text, length);
  place->host[length] = '\0';
  place->port = (int)port;
  return TESSERA_OK;
}

/* ---- torchrun -------------------------------------------------------------------------------- */

/* The port itself is torchrun's own store's. */
static bool ask_torchrun(tr_tcp_place *place) {
  enum { MOST = 1 << 20 };
  long rank, size, port;
  const char *host = getenv("MASTER_ADDR");
  if (!host || !host[0] || !read_number("MASTER_PORT", 1, 65534, &port) ||
      !read_number("WORLD_SIZE", 1, MOST, &size) || !read_number("RANK", 0, size - 1, &rank))
    return false;
  place->rank = (int32_t)rank;
  place->size = (int32_t)size;
  place->port = (int)port + 1;
  snprintf(place->host, sizeof(place->host), "%s", host);
  return true;
}

/* ---- Slurm ----------------------------------------------------------------------------------- */

/* "gpu[03-05,9],other": gpu03. */
static void first_host(const char *list, char *host, size_t capacity) {
  size_t used = 0;
  const char *at = list;
  for (; *at && *at != ',' && *at != '[' && used + 1 < capacity; at++)
    host[used++] = *at;
  if (*at == '[')
    for (at++; isdigit((unsigned char)*at) && used + 1 < capacity; at++)
      host[used++] = *at;
  host[used] = '\0';
}

/* A port that follows from the step: jobs that share a host have different ones. */
static int port_of_step(void) {
  enum { FIRST = 23000, PORTS = 8192, STEPS = 64 };
  long job = 0, step = 0;
  read_number("SLURM_JOB_ID", 0, 1L << 40, &job);
  read_number("SLURM_STEP_ID", 0, 1L << 40, &step);
  return FIRST + (int)((job * STEPS + step) % PORTS);
}

static bool ask_slurm(tr_tcp_place *place) {
  enum { MOST = 1 << 20 };
  long rank, size;
  const char *list = getenv("SLURM_STEP_NODELIST");
  list = list ? list : getenv("SLURM_JOB_NODELIST");
  if (!list ||
      (!read_number("SLURM_STEP_NUM_TASKS", 1, MOST, &size) &&
       !read_number("SLURM_NTASKS", 1, MOST, &size)) ||
      !read_number("SLURM_PROCID", 0, size - 1, &rank))
    return false;
  place->rank = (int32_t)rank;
  place->size = (int32_t)size;
  place->port = port_of_step();
  first_host(list, place->host, sizeof(place->host));
  return place->host[0] != '\0';
}

tessera_status tr_tcp_find(bool is_asked, tr_tcp_place *place, bool *is_there) {
  const char *store = getenv("TESSERA_STORE");
  *is_there =
      (ask_torchrun(place) || (is_asked && ask_slurm(place))) && (is_asked || place->size > 1);
  return *is_there && store && store[0] ? read_store(store, place) : TESSERA_OK;
}
