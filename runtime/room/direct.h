/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions of processes that reach each other's memory through the kernel (process_vm_readv):
 * each reduces its part from everybody's input to everybody's output, as threads do, and the
 * kernel copies what is another's once. It must not know how a member sleeps, nor how failures are
 * told. */
#ifndef TESSERA_RUNTIME_ROOM_DIRECT_H
#define TESSERA_RUNTIME_ROOM_DIRECT_H

#include <sys/types.h>

#include "room/sum.h"

/* Where a process can be reached, if it is the one that wrote this: processes of another namespace
 * have the same numbers. It lies in memory that the members share, and no longer where it is from.
 */
typedef struct tr_door {
  pid_t process;
  uint64_t word;   /* which no other process has there */
  uint64_t *place; /* of the word, in its memory */
} tr_door;

/* Opens this member's door. `word` is its own, and stays for as long as others may look. */
void tr_open_door(tr_door *door, uint64_t *word);
/* This process may read and write the memory of the one behind the door: it reads the word and
 * writes it back. Where the kernel or a container forbids it, or it is on another kernel, it may
 * not. */
bool tr_goes_through(const tr_door *door);

/* Bytes of memory in which a member puts pieces of the others. */
size_t tr_direct_bytes(int32_t members);
/* After a meeting at which all have shown where their memory is (tr_room_sum_show): reduces this
 * member's part. The others use its memory until all have met again. Returns -1, or the member
 * whose memory could not be reached: outputs are unspecified then. */
int32_t tr_direct_reduce(const tr_room *room, const tr_room_sum *sum, const tr_door *doors,
                         char *memory);

#endif /* TESSERA_RUNTIME_ROOM_DIRECT_H */
