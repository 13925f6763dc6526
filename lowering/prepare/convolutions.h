/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Convolutions among linalg ops: those that the runtime computes. It knows maps and bodies; it must
 * not know memory. */
#ifndef TESSERA_LOWERING_PREPARE_CONVOLUTIONS_H
#define TESSERA_LOWERING_PREPARE_CONVOLUTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

enum { TS_MAX_WINDOW = 8, TS_NO_LOOP = -1 };

/* What a loop is for; those of the window apart. */
typedef enum ts_conv_role {
  TS_CONV_BATCH,
  TS_CONV_GROUP,
  TS_CONV_INPUTS, /* channels */
  TS_CONV_OUTPUTS,
  TS_NUM_CONV_ROLES
} ts_conv_role;

/* A dimension of the window: the input is read at place * step + tap * dilation. */
typedef struct ts_window_dim {
  int input_dim;  /* of the input */
  int place, tap; /* loops; TS_NO_LOOP: there is one */
  int64_t step, dilation;
} ts_window_dim;

typedef struct ts_convolution {
  int loops[TS_NUM_CONV_ROLES]; /* TS_NO_LOOP: there is one */
  int window;
  ts_window_dim dims[TS_MAX_WINDOW];
} ts_convolution;

/* Reads `op`, on tensors or memrefs: input, filter, output. False if it is no convolution that the
 * runtime computes, or too small to gain by it. */
bool ts_convolution_read(MlirOperation op, ts_convolution *convolution);

/* On tensors, before fusion: hides `op` from it, if it is a convolution. True if `op` is gone. */
bool ts_convolution_hide(MlirOperation op);
/* After fusion: makes it of what hides it. True if `op` was that, and is gone. */
bool ts_convolution_restore(MlirOperation op);

#endif /* TESSERA_LOWERING_PREPARE_CONVOLUTIONS_H */
