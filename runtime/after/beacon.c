/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Datagrams between hosts. It must not know who sends one. */
#include "after/beacon.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void list_addresses(tr_beacon *beacon) {
  struct ifaddrs *all;
  if (getifaddrs(&all) != 0)
    return;
  for (const struct ifaddrs *one = all; one; one = one->ifa_next) {
    bool is_up = (one->ifa_flags & (IFF_UP | IFF_LOOPBACK)) == IFF_UP;
    if (is_up && one->ifa_addr && one->ifa_addr->sa_family == AF_INET &&
        beacon->num_addresses < TR_BEACON_ADDRESSES)
      beacon->addresses[beacon->num_addresses++] =
          ((const struct sockaddr_in *)(const void *)one->ifa_addr)->sin_addr.s_addr;
  }
  freeifaddrs(all);
}

static bool bind_to_any(int socket, uint16_t *port) {
  struct sockaddr_in own = {.sin_family = AF_INET};
  socklen_t length = sizeof(own);
  if (bind(socket, (const struct sockaddr *)(const void *)&own, sizeof(own)) != 0 ||
      getsockname(socket, (struct sockaddr *)(void *)&own, &length) != 0)
    return false;
  *port = own.sin_port;
  return true;
}

/* Never 0, which those have that are not the first ranks of hosts. */
static uint64_t make_job(void) {
  struct timespec now;
  uint64_t job = 0;
  clock_gettime(CLOCK_REALTIME, &now);
  if (getrandom(&job, sizeof(job), GRND_NONBLOCK) != sizeof(job))
    job = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  return job | 1;
}

int tr_beacon_open(tr_beacon *beacon) {
  *beacon = (tr_beacon){.job = make_job()};
  int made = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made >= 0 && bind_to_any(made, &beacon->port))
    list_addresses(beacon);
  if (beacon->num_addresses > 0)
    return made;
  if (made >= 0)
    close(made);
  return -1;
}

void tr_beacon_tell(int socket, tr_board *board, const tr_beacon_word *word) {
  for (int32_t rank = 0; rank < board->num_remotes; rank++) {
    const tr_beacon *beacon = &tr_board_hosts(board)[rank].beacon;
    for (int32_t i = 0; rank != word->from && i < beacon->num_addresses; i++) {
      struct sockaddr_in to = {
          .sin_family = AF_INET, .sin_port = beacon->port, .sin_addr = {beacon->addresses[i]}};
      /* One that does not leave is one that is not heard. */
      sendto(socket, word, sizeof(*word), MSG_DONTWAIT | MSG_NOSIGNAL,
             (const struct sockaddr *)(const void *)&to, sizeof(to));
    }
  }
}

bool tr_beacon_hear(int socket, uint64_t job, tr_beacon_word *word) {
  return recv(socket, word, sizeof(*word), MSG_DONTWAIT) == sizeof(*word) && word->job == job;
}

bool tr_beacon_outweighs(const tr_beacon_word *word, const tr_beacon_word *other) {
  if (word->weight != other->weight)
    return word->weight > other->weight;
  return word->when != other->when ? word->when < other->when : word->from < other->from;
}
