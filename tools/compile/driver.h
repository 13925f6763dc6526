/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The steps of one compilation, shared by the files of the driver. Knows files and stages, not what
 * passes do. */
#ifndef TESSERA_COMPILE_DRIVER_H
#define TESSERA_COMPILE_DRIVER_H

#include <stdbool.h>
#include <stdio.h>

#include "mlir-c/IR.h"
#include "output.h"
#include "tessera/compile.h"

typedef enum ts_emit_stage {
  TS_EMIT_PROPAGATED,
  TS_EMIT_PARTITIONED,
  TS_EMIT_LOWERED,
  TS_EMIT_LLVM,
  TS_EMIT_OBJ,
  TS_EMIT_SO,
  TS_NUM_STAGES
} ts_emit_stage;

/* The name of the tool in messages; NULL: tesserac. */
void ts_driver_set_tool(const char *tool);

/* Prints "tesserac: error: ..." or, with a file, "file: error: ..." to stderr. Returns false. */
bool ts_driver_error(const char *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* source.c: the file as a module that names it in locations; null after diagnostics. */
MlirModule ts_source_parse(MlirContext context, const char *path);

/* source.c: gives grids other shapes ("2x4", "@g=2x4"); false after diagnostics. */
bool ts_source_set_grids(MlirOperation module, const char *path, const char *grids);

/* source.c: whether there is a function to call; false after a message. */
bool ts_source_has_entry(MlirOperation module, const char *path);

/* source.c: drops every annotation and grid, for the unpartitioned program. False after a
 * diagnostic at a collective or query, which has no meaning there. */
bool ts_source_strip(MlirOperation module);

/* stages.c: what turns a source in the mesh dialect into one in the shard dialect. */
extern const char ts_pipeline_import[];

/* stages.c: the passes of one stage as a pipeline text, owned by the caller; NULL where the stage
 * has none. */
char *ts_stages_pipeline(const tessera_compile_options *options, ts_emit_stage stage);

/* stages.c: whether an option of a pass ("tessera-lower.reassociate=false") is for one of the
 * stages; false after a message. */
bool ts_stages_check_option(const char *option);

/* codegen.c: LLVM IR, optimised and compiled to an object file, or as text. False after a
 * diagnostic; failures to write are left in `output`. */
bool ts_codegen_text(MlirOperation module, const tessera_compile_options *options,
                     tr_output *output);
bool ts_codegen_object(MlirOperation module, const tessera_compile_options *options,
                       tr_output *output);

/* link.c: a shared object out of one object file, written to `file`; messages call it `output`.
 * False after a message. */
bool ts_link_shared(const char *object, const char *file, const char *output);

#endif /* TESSERA_COMPILE_DRIVER_H */
