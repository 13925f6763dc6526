/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Machine code of a chip from PTX, by CUDA's ptxas where it is installed. It knows a command line;
 * it must not know records. */
#include "lowering/targets/cuda/assemble.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <llvm-c/Core.h>

extern char **environ;

enum { LONGEST = 4096 };

/* ---- where it is ----------------------------------------------------------------------------- */

static bool find_in(const char *folder, int length, char *path) {
  int used = snprintf(path, LONGEST, "%.*s/ptxas", length, folder);
  return used < LONGEST && access(path, X_OK) == 0;
}

char *ts_cuda_find_ptxas(void) {
  static const char usual[] = "/usr/local/cuda/bin";
  char path[LONGEST];
  const char *folders = getenv("PATH");
  for (const char *at = folders ? folders : "", *end; *at; at = *end ? end + 1 : end) {
    end = at + strcspn(at, ":");
    if (end > at && find_in(at, (int)(end - at), path))
      return strdup(path);
  }
  return find_in(usual, (int)strlen(usual), path) ? strdup(path) : NULL;
}

/* ---- running it ------------------------------------------------------------------------------ */

static bool write_file(const char *path, LLVMMemoryBufferRef text) {
  FILE *file = fopen(path, "wb");
  size_t size = LLVMGetBufferSize(text);
  bool done = file && fwrite(LLVMGetBufferStart(text), 1, size, file) == size;
  return file && fclose(file) == 0 && done;
}

/* True if the command ended well. What it says goes to where our own messages go. */
static bool run(const char *const *command) {
  pid_t child;
  int status = 1;
  if (posix_spawn(&child, command[0], NULL, NULL, (char *const *)(uintptr_t)command, environ))
    return false;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static LLVMMemoryBufferRef assemble_in(const char *folder, const char *ptxas,
                                       LLVMMemoryBufferRef ptx, const char *chip, int opt_level) {
  char from[LONGEST], to[LONGEST], arch[64], level[16];
  LLVMMemoryBufferRef cubin = NULL;
  char *message = NULL;
  snprintf(from, sizeof(from), "%s/kernels.ptx", folder);
  snprintf(to, sizeof(to), "%s/kernels.cubin", folder);
  snprintf(arch, sizeof(arch), "-arch=%s", chip);
  snprintf(level, sizeof(level), "-O%d", opt_level);
  const char *command[] = {ptxas, arch, level, from, "-o", to, NULL};
  if (write_file(from, ptx) && run(command) &&
      LLVMCreateMemoryBufferWithContentsOfFile(to, &cubin, &message) != 0) {
    LLVMDisposeMessage(message);
    cubin = NULL;
  }
  unlink(from);
  unlink(to);
  return cubin;
}

LLVMMemoryBufferRef ts_cuda_assemble(const char *ptxas, LLVMMemoryBufferRef ptx, const char *chip,
                                     int opt_level, ts_code_error *error) {
  const char *given = getenv("TMPDIR");
  char folder[LONGEST - 64];
  LLVMMemoryBufferRef cubin = NULL;
  int used =
      snprintf(folder, sizeof(folder), "%s/tessera.XXXXXX", given && given[0] ? given : "/tmp");
  if (used < (int)sizeof(folder) && mkdtemp(folder)) {
    cubin = assemble_in(folder, ptxas, ptx, chip, opt_level);
    rmdir(folder);
  }
  if (!cubin)
    snprintf(error->text, sizeof(error->text),
             "--chip=%s: %s has made no machine code of the kernels; without --chip there is PTX "
             "alone, which the driver compiles",
             chip, ptxas);
  return cubin;
}
