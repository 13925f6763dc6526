/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What upstream's passes do in the lowering, as pipeline texts that mlir-opt takes too. Knows pass
 * names, nothing of our own stages. */
#ifndef TESSERA_LOWERING_PIPELINES_H
#define TESSERA_LOWERING_PIPELINES_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* Each is a comma-separated list of passes on a builtin.module. */
extern const char ts_pipeline_blocks[];  /* branches between blocks as scf, which deallocates */
extern const char ts_pipeline_tosa[];    /* tosa to linalg, tensor, arith and scf */
extern const char ts_pipeline_tensors[]; /* elementwise ops as linalg, tidied up */
extern const char ts_pipeline_fuse[];    /* elementwise chains as one loop nest */
extern const char ts_pipeline_small_floats[]; /* arithmetic on 8-bit floats as arithmetic on f32 */
extern const char ts_pipeline_empty[];        /* results computed where they are inserted */
extern const char ts_pipeline_bufferize[];    /* tensors to memrefs */
extern const char ts_pipeline_deallocate[];   /* memrefs tidied up, and freed */
extern const char ts_pipeline_llvm[];         /* memrefs and loops to the LLVM dialect */

/* Runs such a list on the module; false after diagnostics. */
bool ts_pipeline_run(MlirOperation module, const char *passes);

#endif /* TESSERA_LOWERING_PIPELINES_H */
