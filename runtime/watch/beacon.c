/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Datagrams between hosts. It must not know who sends one, nor use memory of malloc's when it does.
 */
#include "watch/beacon.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct word {
  uint64_t job;
  int32_t from, reserved;
} word;

/* One socket serves both kinds of addresses: those of IPv4 are mapped. */
static bool read_address(const struct sockaddr *address, struct in6_addr *found) {
  if (address->sa_family == AF_INET6) {
    *found = ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
    return !IN6_IS_ADDR_LINKLOCAL(found);
  }
  if (address->sa_family != AF_INET)
    return false;
  memset(found, 0, sizeof(*found));
  found->s6_addr[10] = found->s6_addr[11] = 0xff;
  memcpy(&found->s6_addr[12], &((const struct sockaddr_in *)(const void *)address)->sin_addr, 4);
  return true;
}

static void list_addresses(tr_beacon *beacon) {
  struct ifaddrs *all;
  if (getifaddrs(&all) != 0)
    return;
  for (const struct ifaddrs *one = all; one; one = one->ifa_next)
    if (one->ifa_addr && (one->ifa_flags & (IFF_UP | IFF_LOOPBACK)) == IFF_UP &&
        beacon->num_addresses < TR_BEACON_ADDRESSES &&
        read_address(one->ifa_addr, &beacon->addresses[beacon->num_addresses]))
      beacon->num_addresses++;
  freeifaddrs(all);
}

static bool bind_to_any(int socket, uint16_t *port) {
  int no = 0;
  struct sockaddr_in6 own = {.sin6_family = AF_INET6, .sin6_addr = in6addr_any};
  socklen_t length = sizeof(own);
  if (setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no)) != 0 ||
      bind(socket, (const struct sockaddr *)(const void *)&own, sizeof(own)) != 0 ||
      getsockname(socket, (struct sockaddr *)(void *)&own, &length) != 0)
    return false;
  *port = own.sin6_port;
  return true;
}

int tr_beacon_open(tr_beacon *beacon) {
  memset(beacon, 0, sizeof(*beacon));
  int made = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made >= 0 && bind_to_any(made, &beacon->port) &&
      getrandom(&beacon->job, sizeof(beacon->job), GRND_NONBLOCK) == sizeof(beacon->job))
    list_addresses(beacon);
  if (beacon->num_addresses > 0)
    return made;
  if (made >= 0)
    close(made);
  return -1;
}

void tr_beacon_tell(int socket, const tr_beacon *beacons, int32_t ranks, int32_t self) {
  word word = {.job = beacons[0].job, .from = self};
  for (int32_t rank = 0; rank < ranks; rank++)
    for (int32_t i = 0; rank != self && i < beacons[rank].num_addresses; i++) {
      struct sockaddr_in6 to = {.sin6_family = AF_INET6,
                                .sin6_port = beacons[rank].port,
                                .sin6_addr = beacons[rank].addresses[i]};
      /* One that does not leave is one that is not heard. */
      sendto(socket, &word, sizeof(word), MSG_DONTWAIT | MSG_NOSIGNAL,
             (const struct sockaddr *)(const void *)&to, sizeof(to));
    }
}

bool tr_beacon_hear(int socket, uint64_t job, int32_t *from) {
  word word;
  if (recv(socket, &word, sizeof(word), MSG_DONTWAIT) != sizeof(word) || word.job != job)
    return false;
  *from = word.from;
  return true;
}
