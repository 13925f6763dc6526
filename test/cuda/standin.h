/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A CUDA driver without a GPU: memory that the host cannot follow, and streams whose work is done
 * late, in any order that their rules allow, as a seed says. It must not know Tessera. */
#ifndef TESSERA_TEST_CUDA_STANDIN_H
#define TESSERA_TEST_CUDA_STANDIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No address of the host has this bit. */
#define DEVICE_TAG (UINT64_C(1) << 62)

enum {
  LATER = -1, /* of work: others have to come first */
  OK = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NO_DEVICE = 100,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
  INVALID_PTX = 218,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  NOT_READY = 600,
  ILLEGAL_ADDRESS = 700
};

/* ---- memory: all with the lock of the stand-in ------------------------------------------------
 */

/* An address that is no memory before memory_begin, nor after memory_end. 0: there is no room. */
uint64_t memory_reserve(size_t bytes);
void memory_begin(uint64_t address);
/* False: there is no such block. */
bool memory_end(uint64_t address);
/* Memory of the host is the device's too, under an address that the host cannot follow. */
void memory_adopt(void *memory, size_t bytes);
/* Blocks that are there, or will be. */
size_t memory_blocks(void);

/* ---- streams ----------------------------------------------------------------------------------
 */

typedef struct work work;

/* Something that a stream is to do; it frees itself. What fails returns the error; what cannot be
 * done yet LATER, and is asked again. */
struct work {
  work *next;
  int (*run)(work *self);
};

typedef struct stream {
  struct stream *next;
  work *first, *last;
  uint64_t given, done; /* pieces of work */
  bool is_busy;         /* with the first one, which may wait for other streams */
} stream;

/* The first error of any work: there is no way back. */
extern __attribute__((visibility("default"))) int stream_error;
extern char stream_message[1024];

void stream_add(stream *stream);
void stream_give(stream *stream, work *work);
/* Until the stream has done so many pieces; others may do some too. */
void stream_wait(stream *stream, uint64_t done);
/* The same, but false where work has to be asked again. */
bool stream_try(stream *stream, uint64_t done);
/* Some of them do something; or all, some of what they have to do. */
void stream_chance(void);
void stream_progress(void);
/* Other threads have their turn. */
void stream_pause(void);

/* For libraries that give streams work of their own. */
__attribute__((visibility("default"))) void standin_give(void *stream, work *work);
/* For those whose work waits for other processes: nobody else may look after it. */
__attribute__((visibility("default"))) void standin_progress(void);
/* The GPU of the thread's context; -1: it has none. */
__attribute__((visibility("default"))) int standin_gpu(void);

/* A number below `limit`. */
uint32_t chance(uint32_t limit);

#endif /* TESSERA_TEST_CUDA_STANDIN_H */
