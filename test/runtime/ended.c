/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The host program ends its MPI before the context: the watches of two hosts (TESSERA_MPI_HOST=1)
 * call it no more, and the context's end says what was expected. usage: ended, two ranks */
#include <mpi.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

int main(void) {
  enum { TICKS = 5, TICK = 100000 }; /* microseconds */
  int level;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
  EXPECT(run_here(NULL, NULL) == 2);
  MPI_Finalize();
  usleep(TICKS * TICK);
  EXPECT(tessera_finalize() == TESSERA_ERROR_INVALID_ARGUMENT);
  EXPECT(strstr(tessera_last_error(), "expected tessera_finalize, and then MPI_Finalize"));
  return failed_here() ? 1 : 0;
}
