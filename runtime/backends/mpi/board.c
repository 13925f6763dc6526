/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory that ranks of one host share: it has no name, and is gone with its last user. The board is
 * in such memory. It must not know what is written there. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/mpi/state.h"
#include "watch/board.h"

/* The others open the memory by the process that made it and its descriptor. */
typedef struct address {
  int64_t pid, descriptor; /* -1: there is none */
  uint64_t device, inode;  /* of the file: processes of another namespace have the same numbers */
} address;

static int create_memory(size_t bytes) {
  int descriptor = memfd_create("tessera", MFD_CLOEXEC);
  if (descriptor >= 0 && ftruncate(descriptor, (off_t)bytes) != 0) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

static int open_memory(const address *address) {
  char path[64];
  if (address->descriptor < 0)
    return -1;
  snprintf(path, sizeof(path), "/proc/%lld/fd/%lld", (long long)address->pid,
           (long long)address->descriptor);
  int descriptor = open(path, O_RDWR | O_CLOEXEC);
  struct stat found;
  if (descriptor >= 0 && (fstat(descriptor, &found) != 0 || found.st_dev != address->device ||
                          found.st_ino != address->inode)) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

static void *map_memory(int descriptor, size_t bytes) {
  void *memory = descriptor < 0
                     ? MAP_FAILED
                     : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

int share_memory(MPI_Comm comm, size_t bytes, void **memory, int *kept) {
  int self = 0, have_all = 0;
  MPI_Comm_rank(comm, &self);
  int descriptor = self == 0 ? create_memory(bytes) : -1;
  struct stat made = {0};
  if (descriptor >= 0)
    fstat(descriptor, &made);
  address address = {getpid(), descriptor, made.st_dev, made.st_ino};
  *memory = NULL;
  int code = MPI_Bcast(&address, sizeof(address), MPI_BYTE, 0, comm);
  if (code == MPI_SUCCESS && self != 0)
    descriptor = open_memory(&address);
  if (code == MPI_SUCCESS)
    *memory = map_memory(descriptor, bytes);
  int has = *memory != NULL;
  if (code == MPI_SUCCESS)
    code = MPI_Allreduce(&has, &have_all, 1, MPI_INT, MPI_MIN, comm);
  bool is_kept = kept && *memory;
  if (descriptor >= 0 && !is_kept)
    close(descriptor);
  if (kept)
    *kept = is_kept ? descriptor : -1;
  if (*memory && (code != MPI_SUCCESS || !have_all)) {
    munmap(*memory, bytes);
    *memory = NULL;
  }
  return code;
}

int share_board(MPI_Comm host, tr_world *world, int *descriptor) {
  int self = 0, count = 0;
  void *memory;
  MPI_Comm_rank(host, &self);
  MPI_Comm_size(host, &count);
  int32_t remotes = count < world->size ? world->size : 0;
  int code = share_memory(host, tr_board_bytes(count, remotes), &memory, descriptor);
  tr_board *board = memory;
  if (board && self == 0) {
    board->num_seats = count;
    board->ranks = world->size;
    board->num_remotes = remotes;
  }
  if (code == MPI_SUCCESS)
    code = MPI_Barrier(host);
  world->board = board;
  world->seat = self;
  return code;
}
