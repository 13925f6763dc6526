/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory of a GPU in the order of a stream, and which blocks of it are whose.
 * It must not know what the memory is for. */
#include <stdlib.h>

#include "devices/cuda/cuda.h"

/* The GPU's memory cannot hold a header: blocks are found by address. */
struct tr_cuda_block {
  tr_cuda_block *next; /* of the same bucket */
  char *memory;
  tr_blocks ring;
};

/* ---- the table of blocks --------------------------------------------------------------------- */

static size_t bucket_of(const tr_cuda *cuda, const char *memory) {
  return ((uintptr_t)memory >> 8) * 0x9e3779b97f4a7c15u >> 20 & (cuda->num_buckets - 1);
}

static bool make_room(tr_cuda *cuda) {
  enum { FIRST = 256 };
  if (cuda->num_blocks < cuda->num_buckets)
    return true;
  size_t before = cuda->num_buckets, buckets = before ? 2 * before : FIRST;
  tr_cuda_block **grown = calloc(buckets, sizeof(*grown)), **old = cuda->blocks;
  if (!grown)
    return false;
  cuda->blocks = grown;
  cuda->num_buckets = buckets;
  for (size_t i = 0; i < before; i++)
    for (tr_cuda_block *block = old[i], *next; block; block = next) {
      tr_cuda_block **bucket = &grown[bucket_of(cuda, block->memory)];
      next = block->next;
      block->next = *bucket;
      *bucket = block;
    }
  free(old);
  return true;
}

static bool enter_block(tr_cuda *cuda, tr_cuda_block *block) {
  pthread_mutex_lock(&cuda->lock);
  bool has_room = make_room(cuda);
  if (has_room) {
    tr_cuda_block **bucket = &cuda->blocks[bucket_of(cuda, block->memory)];
    block->next = *bucket;
    *bucket = block;
    cuda->num_blocks++;
  }
  pthread_mutex_unlock(&cuda->lock);
  return has_room;
}

/* NULL if there is no such block. */
static tr_cuda_block *take_block(tr_cuda *cuda, const char *memory) {
  tr_cuda_block *found = NULL;
  pthread_mutex_lock(&cuda->lock);
  if (cuda->num_buckets > 0)
    for (tr_cuda_block **link = &cuda->blocks[bucket_of(cuda, memory)]; *link;
         link = &(*link)->next)
      if ((*link)->memory == memory) {
        found = *link;
        *link = found->next;
        cuda->num_blocks--;
        break;
      }
  pthread_mutex_unlock(&cuda->lock);
  return found;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Memory is exhausted only if it is without what waits to be used again too. That no memory is left
 * is no failure of the device. */
static char *take_memory(tr_cuda *cuda, cuda_stream stream, size_t bytes) {
  cuda_address memory = 0;
  if (!tr_cuda_enter(cuda))
    return NULL;
  cuda_result result = cuda->driver->allocate(&memory, bytes, stream);
  if (result == CUDA_NO_MEMORY) {
    tr_cuda_synchronize(cuda);
    cuda->driver->trim_pool(cuda->gpu->pool, 0);
    result = cuda->driver->allocate(&memory, bytes, stream);
  }
  if (result == CUDA_NO_MEMORY || !tr_cuda_ok(cuda, result, "cuMemAllocAsync"))
    return NULL;
  return (char *)(uintptr_t)memory;
}

static void give_memory(tr_cuda *cuda, cuda_stream stream, char *memory) {
  if (tr_cuda_enter(cuda))
    tr_cuda_ok(cuda, cuda->driver->release((uintptr_t)memory, stream), "cuMemFreeAsync");
}

void *tr_cuda_allocate(const tr_device *device, size_t bytes, tr_blocks *ring) {
  tr_cuda *cuda = tr_cuda_of(device);
  tr_cuda_block *block = bytes > 0 && bytes <= SIZE_MAX / 4 ? calloc(1, sizeof(*block)) : NULL;
  if (!block)
    return NULL;
  block->memory = take_memory(cuda, cuda->stream, bytes);
  if (!block->memory || !enter_block(cuda, block)) {
    if (block->memory)
      give_memory(cuda, cuda->stream, block->memory);
    free(block);
    return NULL;
  }
  if (ring)
    tr_blocks_enter(ring, &block->ring);
  return block->memory;
}

void tr_cuda_release(const tr_device *device, void *memory) {
  tr_cuda *cuda = tr_cuda_of(device);
  tr_cuda_block *block = memory ? take_block(cuda, memory) : NULL;
  if (!block)
    return;
  tr_blocks_leave(&block->ring);
  free(block);
  give_memory(cuda, cuda->stream, memory);
}

void tr_cuda_release_all(const tr_device *device, tr_blocks *ring) {
  while (tr_blocks_any(ring)) {
    tr_cuda_block *block = (tr_cuda_block *)((char *)ring->next - offsetof(tr_cuda_block, ring));
    tr_cuda_release(device, block->memory);
  }
}

char *tr_cuda_borrow(tr_cuda *cuda, cuda_stream stream, size_t bytes) {
  char *memory = take_memory(cuda, stream, bytes);
  if (!memory)
    tr_cuda_ok(cuda, CUDA_NO_MEMORY, "cuMemAllocAsync");
  return memory;
}

void tr_cuda_return(tr_cuda *cuda, cuda_stream stream, char *memory) {
  give_memory(cuda, stream, memory);
}

/* ---- giving back ----------------------------------------------------------------------------- */

/* The pool keeps what is freed: the next call of a program takes as much. */
void tr_cuda_end_call(const tr_device *device, int32_t window) {
  (void)device;
  (void)window;
}

void tr_cuda_drop(const tr_device *device) {
  tr_cuda *cuda = tr_cuda_of(device);
  if (tr_cuda_synchronize(cuda))
    tr_cuda_ok(cuda, cuda->driver->trim_pool(cuda->gpu->pool, 0), "cuMemPoolTrimTo");
}
