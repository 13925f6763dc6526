/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loaded before the C library: Tessera reaches the memory of other processes so often
 * (UNREACHABLE_AFTER), and then no more. With 0 it is as in a container that forbids it. MPI's own
 * calls are let through: MPICH ends a job where it was allowed once and is no more. With
 * UNREACHABLE_SIGNAL rank 1 gets that signal at that call, in the middle of a reduction, and all
 * others go on. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

ssize_t process_vm_readv(pid_t process, const struct iovec *own, unsigned long num_own,
                         const struct iovec *theirs, unsigned long num_theirs, unsigned long flags);
ssize_t process_vm_writev(pid_t process, const struct iovec *own, unsigned long num_own,
                          const struct iovec *theirs, unsigned long num_theirs,
                          unsigned long flags);

static int is_rank_1(void) {
  const char *open_mpi = getenv("OMPI_COMM_WORLD_RANK"), *mpich = getenv("PMI_RANK");
  const char *rank = open_mpi ? open_mpi : mpich;
  return rank && strcmp(rank, "1") == 0;
}

static int is_of_tessera(const void *caller) {
  Dl_info from;
  if (!dladdr(caller, &from))
    return 0;
  const char *name = strrchr(from.dli_fname, '/');
  return strstr(name ? name : from.dli_fname, "tessera") != NULL;
}

/* A word is what members try when they meet first. */
static int may_reach(const void *caller, size_t bytes) {
  static int calls = 0;
  const char *wish = getenv("UNREACHABLE_AFTER"), *number = getenv("UNREACHABLE_SIGNAL");
  int most = wish ? atoi(wish) : 0;
  if (!is_of_tessera(caller))
    return 1;
  if (bytes <= 8 ? most > 0 : calls++ < most)
    return 1;
  if (number && is_rank_1())
    raise(atoi(number));
  return number != NULL;
}

static ssize_t move(const void *caller, long number, pid_t process, const struct iovec *own,
                    unsigned long num_own, const struct iovec *theirs, unsigned long num_theirs,
                    unsigned long flags) {
  if (may_reach(caller, own->iov_len))
    return syscall(number, process, own, num_own, theirs, num_theirs, flags);
  errno = EPERM;
  return -1;
}

ssize_t process_vm_readv(pid_t process, const struct iovec *own, unsigned long num_own,
                         const struct iovec *theirs, unsigned long num_theirs,
                         unsigned long flags) {
  return move(__builtin_return_address(0), SYS_process_vm_readv, process, own, num_own, theirs,
              num_theirs, flags);
}

ssize_t process_vm_writev(pid_t process, const struct iovec *own, unsigned long num_own,
                          const struct iovec *theirs, unsigned long num_theirs,
                          unsigned long flags) {
  return move(__builtin_return_address(0), SYS_process_vm_writev, process, own, num_own, theirs,
              num_theirs, flags);
}
