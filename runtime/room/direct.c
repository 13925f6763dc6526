/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions of processes directly from memory to memory, chunk by chunk: what was read from the
 * others is reduced, and the result written to them, while it is in the caches. It must not know
 * how a member sleeps, nor how failures are told. */
#include "room/direct.h"

#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* ---- doors ----------------------------------------------------------------------------------- */

typedef ssize_t move(pid_t process, const struct iovec *own, unsigned long num_own,
                     const struct iovec *theirs, unsigned long num_theirs, unsigned long flags);

/* Moves all of it, or says false. */
static bool reach(move *move, const tr_door *door, const void *own, const void *theirs,
                  size_t bytes) {
  struct iovec here = {(void *)own, bytes}, there = {(void *)theirs, bytes};
  return move(door->process, &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

void tr_open_door(tr_door *door, uint64_t *word) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *word = (uint64_t)now.tv_sec * 1000000007u ^ (uint64_t)now.tv_nsec << 32 ^ (uint64_t)getpid() ^
          (uint64_t)(uintptr_t)word;
  *door = (tr_door){getpid(), *word, word};
}

bool tr_goes_through(const tr_door *door) {
  uint64_t found = 0;
  return reach(process_vm_readv, door, &found, door->place, sizeof(found)) && found == door->word &&
         reach(process_vm_writev, door, &found, door->place, sizeof(found));
}

/* ---- reducing -------------------------------------------------------------------------------- */

/* Bytes of one piece, and of all. The kernel takes a while for each call and each page, so that
 * large pieces cost less, as long as all of them stay in a cache with what is reduced from them:
 * for 2 to 4 processes 1 MiB in all takes .9 of the time of 256 KiB (bench/collectives.sh). */
enum { CHUNK = 1 << 19, LEAST_CHUNK = 1 << 14, CHUNKS = 1 << 20 };

static size_t chunk_bytes(int32_t members) {
  size_t bytes = CHUNKS / (size_t)members / TR_ROOM_LINE * TR_ROOM_LINE;
  return bytes > CHUNK ? CHUNK : bytes < LEAST_CHUNK ? LEAST_CHUNK : bytes;
}

size_t tr_direct_bytes(int32_t members) {
  return chunk_bytes(members) * (size_t)members;
}

/* From this member's own place on, so that not all are at one member at once. */
static int32_t member_at(const tr_room *room, int32_t i) {
  return (room->self + i) % room->members;
}

static int32_t reduce_chunk(const tr_room *room, const tr_room_sum *sum, const tr_door *doors,
                            const tr_room_part *part, int64_t done, int64_t count, char *memory) {
  char *pieces[TR_ROOM_MEMBERS];
  tr_combination what = sum->what;
  size_t in_bytes = (size_t)count * sum->in_size, out_bytes = (size_t)count * sum->out_size;
  size_t out_offset = (size_t)done * sum->out_size;
  what.count = count;
  for (int32_t i = 0; i < room->members; i++) {
    int32_t member = member_at(room, i);
    char *theirs = part->ins[member] + (size_t)done * sum->in_size;
    pieces[member] = i == 0 ? theirs : memory + chunk_bytes(room->members) * (size_t)member;
    if (i > 0 && !reach(process_vm_readv, &doors[member], pieces[member], theirs, in_bytes))
      return member;
  }
  char *result = part->outs[0] + out_offset;
  sum->device->combine(sum->device, NULL, &what, pieces, result);
  for (int32_t i = 1; i < part->num_outs; i++) {
    int32_t member = member_at(room, i);
    if (!reach(process_vm_writev, &doors[member], result, part->outs[i] + out_offset, out_bytes))
      return member;
  }
  return -1;
}

int32_t tr_direct_reduce(const tr_room *room, const tr_room_sum *sum, const tr_door *doors,
                         char *memory) {
  size_t widest = sum->in_size > sum->out_size ? sum->in_size : sum->out_size;
  int64_t step = (int64_t)(chunk_bytes(room->members) / widest);
  int32_t unreached = -1;
  tr_room_part part;
  tr_room_sum_find_part(room, sum, &part);
  for (int64_t done = 0; unreached < 0 && done < part.count; done += step) {
    int64_t count = part.count - done < step ? part.count - done : step;
    unreached = reduce_chunk(room, sum, doors, &part, done, count, memory);
  }
  return unreached;
}
