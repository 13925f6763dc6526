/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* MPI's errors as statuses, and the end of a job because of one.
 * It must not know what has failed. */
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/mpi/state.h"
#include "watch/board.h"

tessera_status check(const mpi_state *state, int code, const char *what) {
  if (code == MPI_SUCCESS)
    return TESSERA_OK;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0, class = MPI_SUCCESS;
  MPI_Error_string(code, text, &length);
  for (char *line = text; (line = strchr(line, '\n'));) /* MPICH's has its calls */
    *line = ' ';
  MPI_Error_class(code, &class);
  const char *advice = class == MPI_ERR_TRUNCATE
                           ? "pieces do not fit: ranks call with different sizes, which "
                             "TESSERA_CHECK=1 tells before a call begins: "
                           : "";
  return state->host->fail(TESSERA_ERROR_BACKEND, "%s%s failed: %s", advice, what, text);
}

tessera_status no_memory(const mpi_state *state, size_t bytes) {
  return state->host->fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for messages of %zu bytes",
                           bytes);
}

/* Launchers read a rank's stdout and stderr through pipes, and MPICH's throws away what it has not
 * yet read when a rank aborts: the message would be lost. Waits until both are read, then for the
 * launcher's own way to the terminal; a second at most. */
static void await_readers(void) {
  enum { STEP = 2000, STEPS = 500, FORWARD = 50000 }; /* microseconds */
  for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
    struct stat status;
    int unread = 0;
    if (fstat(fd, &status) != 0 || !S_ISFIFO(status.st_mode))
      continue;
    for (int step = 0; step < STEPS && ioctl(fd, FIONREAD, &unread) == 0 && unread > 0; step++)
      usleep(STEP);
  }
  usleep(FORWARD);
}

void mpi_abort(tr_world *world, const char *message) {
  (void)message;
  if (world->board)
    atomic_store(&world->board->spoken, 1);
  await_readers();
  MPI_Abort(MPI_COMM_WORLD, 1); /* of a copy of it, MPICH lets the other ranks go on */
}
