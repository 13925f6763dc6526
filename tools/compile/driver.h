/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The steps of one compilation, shared by the files of the driver. It knows files and stages; it
 * must not know what passes do. */
#ifndef TESSERA_COMPILE_DRIVER_H
#define TESSERA_COMPILE_DRIVER_H

#include <stdbool.h>
#include <stdio.h>

#include "cache/cache.h"
#include "lowering/targets/target.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "support/output.h"
#include "tessera/compile.h"

typedef enum ts_emit_stage {
  TS_EMIT_PROPAGATED,
  TS_EMIT_PARTITIONED,
  TS_EMIT_LOWERED,
  TS_EMIT_LLVM,
  TS_EMIT_KERNELS,
  TS_EMIT_OBJ,
  TS_EMIT_SO,
  TS_NUM_STAGES
} ts_emit_stage;

/* options.c: what --emit calls each. */
extern const char *const ts_emit_names[TS_NUM_STAGES];

/* A pass, or a stage inside of one. */
typedef enum ts_stage_kind { TS_PASS, TS_STAGE, TS_NUM_STAGE_KINDS } ts_stage_kind;

typedef struct ts_named_stage {
  const char *name;
  const char *emit; /* the text that it is part of making */
  const char *what; /* one line */
  ts_stage_kind kind;
} ts_named_stage;

typedef struct ts_compilation {
  const tessera_compile_options *options;
  const ts_target *target;
  ts_emit_stage last;
  MlirContext context;
  MlirModule module;
  ts_bytes source; /* the input */
  ts_bytes object; /* the code, once there is some */
  ts_cache cache;
  FILE *record; /* of the messages, for the cache; NULL: none is kept */
  int errors;
  double begun[TS_NUM_STAGE_KINDS]; /* when what runs now of each kind began, in seconds */
} ts_compilation;

/* ---- options.c ------------------------------------------------------------------------------- */

/* A copy that has all members of this version, whichever the caller was built with. */
bool ts_options_copy(const tessera_compile_options *given, tessera_compile_options *options);
/* The last stage that they ask for; false after a message. */
bool ts_options_check(const tessera_compile_options *options, ts_emit_stage *stage);
/* The target that they name, which ts_options_check knows to be there. */
const ts_target *ts_options_target(const tessera_compile_options *options);

/* ---- diagnostics.c --------------------------------------------------------------------------- */

/* The name of the tool in messages; NULL: tesserac. */
void ts_driver_set_tool(const char *tool);

/* Prints "tesserac: error: ..." or, with a file, "file: error: ..." to stderr. Returns false. */
bool ts_driver_error(const char *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A message that was printed, or would have been with --verbose: its kind is its first byte where
 * it is recorded. */
typedef enum ts_message_kind { TS_SAID = 's', TS_SAID_IF_VERBOSE = 'v' } ts_message_kind;

/* Prints the messages of a record, each of which is a kind and a text that ends with a 0. */
void ts_repeat_messages(ts_compilation *c, const ts_bytes *record);

/* Handles a diagnostic of MLIR's; `user` is the compilation. */
MlirLogicalResult ts_handle_diagnostic(MlirDiagnostic diagnostic, void *user);
/* A printer's callback: writes to `user`, a FILE. */
void ts_print_part(MlirStringRef text, void *user);

/* ---- watch.c --------------------------------------------------------------------------------- */

/* Seconds of a clock that only goes forward. */
double ts_now(void);
/* With --verbose on a terminal: a bar of the stages that are done, and what runs now, until
 * something else is printed; before which ts_watch_clear takes it away. */
void ts_watch_show(ts_compilation *c, const char *what);
/* The bar of code, `done` of whose `total` parts are made: `progress` of ts_code_options, whose
 * user is the compilation. */
void ts_watch_code(void *user, int done, int total);
/* The bar of the last thing that is done. */
void ts_watch_show_last(const ts_compilation *c, const char *what);
void ts_watch_clear(void);
/* With --verbose: a line of how this compilation runs. */
void ts_report(ts_compilation *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* With --verbose: how long `what` took. */
void ts_report_time(ts_compilation *c, const char *what, double since);
/* The callbacks of a ts_pass_watcher whose `user` is the compilation: times and --print-after. */
void ts_watch_begin(void *user, const char *name);
void ts_watch_end(void *user, const char *name, MlirOperation op);

/* ---- source.c, grids.c ----------------------------------------------------------------------- */

/* The bytes of the file, owned by the caller; false after a message. */
bool ts_source_read(const char *path, ts_bytes *source);

/* These as a module that names the file in locations; null after diagnostics. */
MlirModule ts_source_parse(MlirContext context, const char *path, const ts_bytes *source);

/* Gives grids other shapes ("2x4", "@g=2x4"); false after diagnostics. */
bool ts_source_set_grids(MlirOperation module, const char *path, const char *grids);

/* Whether there is a function to call; false after a message. */
bool ts_source_has_entry(MlirOperation module, const char *path);

/* Drops every annotation and grid, for the unpartitioned program. False after a
 * diagnostic at a collective or query, which has no meaning there. */
bool ts_source_strip(MlirOperation module);

/* ---- stages.c -------------------------------------------------------------------------------- */

/* What turns a source in the mesh dialect into one in the shard dialect. */
extern const char ts_pipeline_import[];

/* The passes of one stage as a pipeline text, owned by the caller; NULL where the stage has none.
 */
char *ts_stages_pipeline(const tessera_compile_options *options, const ts_target *target,
                         ts_emit_stage stage);

/* Whether an option of a pass ("tessera-lower.reassociate=false") is for one of the
 * stages; false after a message. */
bool ts_stages_check_option(const char *option);

/* How many stages of a whole compilation come before the one called `name`, all of them if none is
 * called so; and how many there are. */
int ts_stages_before(const ts_target *target, const char *name, int *total);

/* The stage called `name`; false if there is none. */
bool ts_stages_find(const ts_target *target, const char *name, ts_named_stage *stage);

/* Whether each of the comma-separated `names` is a stage; false after a message. */
bool ts_stages_check_names(const ts_target *target, const char *names);

/* ---- cache/cache.c --------------------------------------------------------------------------- */

/* Looks for the object of this compilation in the cache on disk. If it is there: takes it, and
 * repeats the messages. If not, begins to record them. False after a message: the settings are
 * wrong. Never touches the cache where it is off, or where other things than objects are made. */
bool ts_cache_begin(ts_compilation *c);

/* Keeps the object that was made, with the messages; where it cannot, --verbose says so. */
void ts_cache_keep(ts_compilation *c);

/* Frees what these hold. */
void ts_cache_end(ts_compilation *c);

/* ---- write.c, link.c ------------------------------------------------------------------------- */

/* Makes c->object of the module: where a shared object is asked for, it may be an archive. False
 * after a message. */
bool ts_make_object(ts_compilation *c);
bool ts_is_archive(const ts_bytes *object);

/* Writes what the options ask for; false after a message. */
bool ts_write_output(ts_compilation *c);

/* A shared object out of one object file or an archive of them, written to `file`; messages call it
 * `output`. False after a message. */
bool ts_link_shared(const char *object, const char *file, const char *output);

#endif /* TESSERA_COMPILE_DRIVER_H */
