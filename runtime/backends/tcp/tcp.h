/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The TCP backend: ranks that find each other by an address, where nothing else tells them of
 * each other. All goes through the store of rank 0, so it is for what is small: the control
 * plane of another backend, or programs that communicate little. It must not know grids,
 * collectives or MLIR. */
#ifndef TESSERA_RUNTIME_BACKENDS_TCP_TCP_H
#define TESSERA_RUNTIME_BACKENDS_TCP_TCP_H

#include "backends/tcp/frames.h"
#include "planes/backend.h"

typedef struct tr_tcp_place {
  int32_t rank, size;
  char host[256]; /* where rank 0's store is */
  int port;
} tr_tcp_place;

/* What torchrun's variables say, or with `is_asked` Slurm's; TESSERA_STORE=HOST:PORT says where the
 * store is. *is_there is false where nothing says anything, or of one rank that did not ask. */
tessera_status tr_tcp_find(bool is_asked, tr_tcp_place *place, bool *is_there);

/* Rank 0 opens the store at place->port, and all connect to it, in so many seconds (0: whenever).
 */
tessera_status tr_tcp_open(const tr_tcp_place *place, double patience, tr_world *world);
/* Rank 0 opens a store at any port, of which the callback tells the others. */
tessera_status tr_tcp_open_by(const tessera_rendezvous *rendezvous, double patience,
                              tr_world *world);

#endif /* TESSERA_RUNTIME_BACKENDS_TCP_TCP_H */
