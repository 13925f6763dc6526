/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A kernel: loop nests that go through the same outer loops together, each step of which does its
 * part of every nest. What forming knows and a target turns into code. It must not know any target.
 */
#ifndef TESSERA_LOWERING_KERNELS_KERNEL_H
#define TESSERA_LOWERING_KERNELS_KERNEL_H

#include "lowering/kernels/steps.h"

/* Memory as a kernel sees it: a pointer that it is given, or memory of its own for one step of the
 * outer loops. */
typedef struct ts_pointer {
  const ts_buffer *memory; /* one that begins there */
  MlirType element;
  bool is_written;
  bool is_apart;    /* no other pointer of the kernel leads to what this one writes or reads */
  int64_t elements; /* of its own memory; 0: it is given */
} ts_pointer;

typedef struct ts_kernel {
  const struct ts_kernel_target *target;
  ts_buffers *memories;
  int num_nests, max_nests;
  ts_nest **nests;
  int num_shared; /* the first loops of every nest, of equal extents */
  int num_pointers;
  ts_pointer *pointers;
  int **pointer_of; /* by nest and access; -1: no memory */
  int num_symbols;  /* that extents, offsets and strides need */
  int *symbols;
  /* What bodies use of the code around: values of all types but memory, and memory that they
   * look up in. Both passed as they are. */
  int num_captured, max_captured;
  MlirValue *captured;
} ts_kernel;

/* A target's code for a kernel. Arguments of the function that it builds, in this order: a pointer
 * to the first element for each pointer that is given, an index value for each symbol, then the
 * captured values. */
typedef struct ts_kernel_target {
  const char *name;
  ts_nest_order order; /* of the nests that it is given */
  /* What one step of the outer loops may touch of memory, and how that is counted: what lies
   * between the first and the last of it, or elements alone. */
  int64_t most_step_bytes;
  ts_steps_count *count;
  int64_t most_private_bytes; /* of all buffers that a kernel keeps for itself */
  bool picks_steps;           /* it has code for loops of which data picks a step */
  /* Fills in the body of `function`, whose entry block has the arguments. */
  void (*emit)(const ts_kernel *kernel, MlirOperation function);
} ts_kernel_target;

/* Makes kernels of the linalg ops on memory in all functions of `module`, and calls of them. Equal
 * kernels are one function. Ops that are no loop nests stay. */
void ts_kernels_form(MlirOperation module, const ts_kernel_target *target);

#endif /* TESSERA_LOWERING_KERNELS_KERNEL_H */
