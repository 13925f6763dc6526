/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How hosts tell each other that a rank of theirs went first, when no rank is left that could: a
 * datagram. It must not know who sends one, nor why. */
#ifndef TESSERA_RUNTIME_WATCH_BEACON_H
#define TESSERA_RUNTIME_WATCH_BEACON_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

enum { TR_BEACON_ADDRESSES = 4 };

/* Where a host hears, as bytes that travel. */
typedef struct tr_beacon {
  uint64_t job; /* of the one of the first rank, which all datagrams of the job have */
  uint16_t port;
  uint16_t num_addresses; /* 0: it does not hear */
  uint32_t reserved;
  struct in6_addr addresses[TR_BEACON_ADDRESSES];
} tr_beacon;

/* A socket that is bound, and where it can be reached; -1: there is none, and the beacon is empty.
 */
int tr_beacon_open(tr_beacon *beacon);

/* Of all ranks, of which the first one of each host may have a beacon: tells those that `self` is
 * not, without waiting. */
void tr_beacon_tell(int socket, const tr_beacon *beacons, int32_t ranks, int32_t self);
/* Takes one datagram. False: it is none of this job, or there is none. */
bool tr_beacon_hear(int socket, uint64_t job, int32_t *from);

#endif /* TESSERA_RUNTIME_WATCH_BEACON_H */
