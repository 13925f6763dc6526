/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What ranks and the store say to each other over TCP, and how bytes wait on their way.
 * It must not know tensors. */
#ifndef TESSERA_RUNTIME_BACKENDS_TCP_FRAMES_H
#define TESSERA_RUNTIME_BACKENDS_TCP_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum frame_kind {
  FRAME_HELLO = 0x54540001, /* of a rank that has connected */
  FRAME_MEET,               /* bytes of a member; then those of all, in group order */
  FRAME_MESSAGE,            /* to a rank */
  FRAME_FAIL,               /* this rank has failed: a text; then to all others */
  FRAME_BYE
} frame_kind;

/* Before so many bytes. All ranks have one byte order. */
typedef struct frame {
  uint32_t kind;
  int32_t from; /* a rank; of FRAME_MEET a position in the group */
  int32_t to;
  uint32_t count;  /* members that meet */
  uint64_t group;  /* a hash of its members */
  uint64_t number; /* of the meeting; what a message is for */
  uint64_t bytes;
} frame;

/* Bytes behind each other. */
typedef struct bytes {
  char *data;
  size_t first, used, capacity; /* those that are there begin at `first` and end at `used` */
} bytes;

/* Room for so many more at the end, which is returned; NULL: there is no memory. */
char *tr_bytes_reserve(bytes *bytes, size_t more);
bool tr_bytes_append(bytes *bytes, const void *data, size_t count);
/* The first whole frame, and its bytes, which stay where they are until it is dropped; false: there
 * is none yet. */
bool tr_bytes_frame(const bytes *bytes, frame *found, const char **data);
void tr_bytes_drop(bytes *bytes, size_t count);
void tr_bytes_free(bytes *bytes);

/* ---- store.c: the ranks' meeting place, a thread of rank 0's --------------------------------- */

typedef struct tr_store tr_store;

/* Listens on a port (0: any; then *port is it). Returns a message, or NULL. */
const char *tr_store_open(int *port, tr_store **store);
/* For rank 0, when it has left: returns when all that had come have gone, or after so many seconds;
 * 0: whenever that is. */
void tr_store_close(tr_store *store, int seconds);

#endif /* TESSERA_RUNTIME_BACKENDS_TCP_FRAMES_H */
