/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The compiler as a function: from annotated MLIR to a shared object, in this process. tesserac
 * and tessera-check are made of it. It knows files and options; it must not know MLIR. */
#ifndef TESSERA_COMPILE_H
#define TESSERA_COMPILE_H

#include <stdint.h>

#include "tessera/status.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Zero-initialise, set struct_size, input, output and opt_level; everything else may stay 0. Later
 * versions add members at the end; struct_size tells which the caller has. */
typedef struct tessera_compile_options {
  uint32_t struct_size;
  const char *input;  /* MLIR source file, "-": standard input */
  const char *output; /* file to write, "-": standard output (texts only) */
  /* What to write: "propagated", "partitioned", "lowered", "llvm", "kernels" (texts;
   * the last is PTX, of target "cuda"), "obj", "so" (NULL). */
  const char *emit;
  const char *entry; /* entry functions, comma-separated; NULL: every public one */
  /* "2x4" or "@name=2x4", several with commas: another shape for a shard.grid of the source.
   * Trailing extents of 1 are added; "?" comes from the launch. NULL: as the source says. */
  const char *grid;
  int oracle;               /* not 0: the unpartitioned program; annotations are dropped */
  int opt_level;            /* 0 to 3, as compilers count */
  const char *march;        /* CPU to compile for; NULL or "native": this one */
  int verbose;              /* not 0: remarks and the time of each stage on stderr */
  const char *const *extra; /* options of passes, "tessera-lower.reassociate=false" */
  int num_extra;
  const char *tool; /* the name in front of messages that are about no file; NULL: "tesserac" */
  /* Stages, comma-separated, after each of which the module is printed to stderr; NULL: none. */
  const char *print_after;
  /* Not 0: neither takes code from the cache on disk nor keeps it there, as TESSERA_CACHE=none. */
  int no_cache;
  const char *target; /* what to make code for; NULL or "cpu": processors of this machine's kind,
                         "cuda": NVIDIA's GPUs */
  const char *chip;   /* the GPU to compile for, "sm_90"; NULL: what the target takes by default */
} tessera_compile_options;

/* Compiles. 0, or 1 after diagnostics were printed to stderr as "file:line:column: error: ...".
 * One thread at a time. */
TESSERA_API int tessera_compile(const tessera_compile_options *options);

/* Prints the mlir-opt, mlir-translate and clang command line that does what tessera_compile does
 * with these options; grid and oracle must not be set, because they change the source before any
 * pass. 0, or 1 after a message on stderr. */
TESSERA_API int tessera_compile_print_pipeline(const tessera_compile_options *options);

/* Prints the stages that print_after may name, in order: which text each is part of making, its
 * name, and what it does. 0, or 1 if standard output cannot be written. */
TESSERA_API int tessera_compile_list_stages(void);

#if defined(__cplusplus)
}
#endif
#endif /* TESSERA_COMPILE_H */
