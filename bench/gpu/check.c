/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera-check for a machine without a compiler: programs are taken from the folder that
 * TESSERA_PACKED names, where pack.sh has put them. It must not know GPUs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "common/trap.h"
#include "tessera/compile.h"

static const char tool[] = "gpu-check";

/* "programs/NAME.so", or NAME.oracle.so, of a model "…/NAME.mlir". */
static void packed_path(const tessera_compile_options *options, char *path, size_t capacity) {
  const char *folder = getenv("TESSERA_PACKED"), *slash = strrchr(options->input, '/');
  const char *name = slash ? slash + 1 : options->input;
  const char *dot = strrchr(name, '.');
  snprintf(path, capacity, "%s/%.*s%s.so", folder ? folder : ".",
           (int)(dot ? dot - name : (long)strlen(name)), name, options->oracle ? ".oracle" : "");
}

/* The compiler of this program. */
int tessera_compile(const tessera_compile_options *options) {
  char path[4096], buffer[1 << 16];
  packed_path(options, path, sizeof(path));
  FILE *from = fopen(path, "rb"), *to = from ? fopen(options->output, "wb") : NULL;
  bool done = to != NULL;
  for (size_t bytes; done && (bytes = fread(buffer, 1, sizeof(buffer), from)) > 0;)
    done = fwrite(buffer, 1, bytes, to) == bytes;
  if (from)
    fclose(from);
  if (to)
    done = fclose(to) == 0 && done;
  if (!done)
    fprintf(stderr, "%s: error: %s is not packed\n", tool, path);
  return !done;
}

int main(int argc, char **argv) {
  check_options options;
  message message;
  int status = 1;
  trap_install(check_remove_files);
  if (!options_parse(argc, argv, &options, &message))
    fprintf(stderr, "%s: error: %s\n", tool, message.text);
  else
    status = options.mode == CHECK_MODEL ? check_model(&options) : 1;
  options_destroy(&options);
  return status;
}
