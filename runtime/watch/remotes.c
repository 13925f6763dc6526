/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The version of what is known of a rank is odd while it is written. It must not know who asks. */
#include "watch/remotes.h"

#include <sched.h>
#include <string.h>

static _Atomic uint32_t *version_of(tr_board *board, int32_t rank) {
  return &tr_board_hosts(board)[rank].version;
}

/* Of two that come at once the second is dropped: both have just been told. */
void tr_remote_write(tr_board *board, int32_t rank, const tr_remote *told) {
  _Atomic uint32_t *version = version_of(board, rank);
  uint32_t before = atomic_load(version);
  if (before % 2 != 0 || !atomic_compare_exchange_strong(version, &before, before + 1))
    return;
  atomic_thread_fence(memory_order_release);
  tr_board_remotes(board)[rank] = *told;
  atomic_store_explicit(version, before + 2, memory_order_release);
}

/* Who writes is soon done, unless it is killed or stopped in the middle. */
bool tr_remote_read(tr_board *board, int32_t rank, tr_remote *copy) {
  enum { TRIES = 1000 };
  for (int i = 0; i < TRIES; i++) {
    uint32_t before = atomic_load_explicit(version_of(board, rank), memory_order_acquire);
    if (before == 0)
      return false;
    memcpy(copy, &tr_board_remotes(board)[rank], sizeof(*copy));
    atomic_thread_fence(memory_order_acquire);
    if (before % 2 == 0 &&
        atomic_load_explicit(version_of(board, rank), memory_order_relaxed) == before)
      return true;
    sched_yield();
  }
  return false;
}

uint32_t tr_remote_version(tr_board *board, int32_t rank) {
  return atomic_load(version_of(board, rank)) & ~(uint32_t)1;
}
