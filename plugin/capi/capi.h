/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The shim: what MLIR's C API lacks, for C. It knows upstream's classes; it must not know what for.
 * Every function is as thread-safe as the upstream call that it forwards to. */
#ifndef TESSERA_PLUGIN_CAPI_H
#define TESSERA_PLUGIN_CAPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mlir-c/AffineMap.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mlir-c/Support.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* ---- passes and pipelines -------------------------------------------------------------------- */

typedef enum ts_option_kind { TS_OPTION_BOOL, TS_OPTION_INT, TS_OPTION_STRING } ts_option_kind;

/* One option of a pass or pipeline, as `mlir-opt --help` shows it. */
typedef struct ts_option_spec {
  const char *name;
  const char *description;
  ts_option_kind kind;
  const char *initial; /* default value as text: "true", "4", "" */
} ts_option_spec;

/* The values of a pass instance, in the order of its specs. */
typedef struct ts_option_value {
  bool boolean;
  int64_t integer;
  const char *string; /* lives as long as the pass runs */
} ts_option_value;

/* Runs a pass on `op`; false after diagnostics were emitted. */
typedef bool (*ts_pass_run)(MlirOperation op, const ts_option_value *options);

/* A pass while it runs. What it runs through this shows in MLIR's dumps and timing. */
typedef struct ts_active_pass ts_active_pass;

/* Calls `run` as a pass of its own inside `pass`, on the op that `pass` is run on. `name` says in
 * dumps and timing which, and lives as long as the process. False if `run` says so. */
bool ts_run_step(ts_active_pass *pass, const char *name,
                 bool (*run)(ts_active_pass *step, void *user), void *user);
/* Runs registered passes, given as a pipeline text, on that op; false after diagnostics. Their
 * dialects must have been inserted before `pass` ran: ts_insert_pipeline_dialects. */
bool ts_run_pipeline(ts_active_pass *pass, const char *passes);
/* Inserts what the passes of a pipeline on builtin.module need; nothing if they are not registered.
 */
void ts_insert_pipeline_dialects(const char *passes, MlirDialectRegistry registry);

typedef struct ts_pass_spec {
  const char *argument;    /* "tessera-propagate" */
  const char *description; /* one line */
  const char *anchor;      /* op name that the pass is for, "builtin.module" */
  const ts_option_spec *options;
  int num_options;
  ts_pass_run run;
  /* Instead of `run`, for a pass that runs others inside. */
  bool (*run_nesting)(ts_active_pass *pass, MlirOperation op, const ts_option_value *options);
  /* Called with the registry before the pass runs, to insert dialects and external models. */
  void (*register_dialects)(MlirDialectRegistry registry);
} ts_pass_spec;

/* Registers the pass globally under its argument. `spec` must live as long as the process. */
void ts_register_pass(const ts_pass_spec *spec);
/* A new instance; `options` is "name=value name=value" or "". Null pass after an error on stderr.
 */
MlirPass ts_create_pass(const ts_pass_spec *spec, MlirStringRef options);

typedef struct ts_pipeline_spec {
  const char *argument;
  const char *description;
  const ts_option_spec *options;
  int num_options;
  /* Adds the pipeline's passes to `manager`; false on an option value that makes no sense. */
  bool (*build)(MlirOpPassManager manager, const ts_option_value *options);
} ts_pipeline_spec;

void ts_register_pipeline(const ts_pipeline_spec *spec);

/* Is told of the passes that are run on the top-level op: those of the table, the steps in them,
 * and upstream's. `name` is the argument of a pass of ours, the name of a step. */
typedef struct ts_pass_watcher {
  void (*begin)(void *user, const char *name);
  /* `op` is null after a failure. */
  void (*end)(void *user, const char *name, MlirOperation op);
  void *user;
} ts_pass_watcher;

/* Lets `watcher`, which must outlive `manager`, watch its runs. */
void ts_watch_passes(MlirPassManager manager, const ts_pass_watcher *watcher);

/* ---- parsing --------------------------------------------------------------------------------- */

/* The text or bytecode in `source`, which a 0 follows, as a module of which nothing is verified but
 * its syntax; locations call it `name`. Null after diagnostics. */
MlirModule ts_parse_unverified(MlirContext context, MlirStringRef source, const char *name);

/* ---- hashing --------------------------------------------------------------------------------- */

enum { TS_SHA256_SIZE = 32 };

/* SHA-256 of `size` bytes. */
void ts_sha256(const void *data, size_t size, unsigned char digest[TS_SHA256_SIZE]);

/* ---- diagnostics ----------------------------------------------------------------------------- */

typedef enum ts_severity { TS_ERROR, TS_WARNING, TS_REMARK, TS_NOTE } ts_severity;

/* Emits a diagnostic at `location`; `note` (with `note_location`) may be NULL. Thread-safe as
 * MLIR's diagnostic engine is. */
void ts_diagnose(MlirLocation location, ts_severity severity, const char *message,
                 MlirLocation note_location, const char *note);

/* "file:line:column" of the first file location inside `location`, or "" in buffer. Returns the
 * length that the full text has. */
size_t ts_location_text(MlirLocation location, char *buffer, size_t size);

/* Keys of notes: why an annotation's tensor is split over each axis; why there is a collective. */
#define TS_ORIGINS "tessera.origins"
#define TS_CAUSE "tessera.cause"

/* Notes travel with an op in the names of its location, which passes keep and by which they do not
 * tell ops apart. `location` with a note; the outermost note `key` of it, empty if it has none. */
MlirLocation ts_location_with_note(MlirLocation location, const char *key, const char *text);
MlirStringRef ts_location_note(MlirLocation location, const char *key);

/* ---- `shard` dialect attributes and types ---------------------------------------------------- */

bool ts_attr_is_axis_array(MlirAttribute attribute); /* #shard<axisarray...> */
intptr_t ts_axis_array_size(MlirAttribute attribute);
/* The i-th list: its length, and its axes through `axes`, which stays valid with the context. */
intptr_t ts_axis_array_get(MlirAttribute attribute, intptr_t i, const int16_t **axes);
MlirAttribute ts_axis_array_create(MlirContext context, intptr_t num, const intptr_t *sizes,
                                   const int16_t *const *axes);
bool ts_attr_is_partial(MlirAttribute attribute); /* #shard<partial...> */
int32_t ts_partial_get(MlirAttribute attribute);  /* shard::ReductionKind */
MlirAttribute ts_partial_create(MlirContext context, int32_t kind);
MlirType ts_sharding_type(MlirContext context); /* !shard.sharding */
/* Dense arrays the C API cannot make: array<i16: ...>. */
MlirAttribute ts_dense_i16_create(MlirContext context, intptr_t num, const int16_t *values);

/* ---- interfaces and traits ------------------------------------------------------------------- */

bool ts_op_is_linalg(MlirOperation op); /* implements linalg::LinalgOp */
intptr_t ts_linalg_num_inputs(MlirOperation op);
intptr_t ts_linalg_num_inits(MlirOperation op);
/* iterator_types as an array attribute of #linalg.iterator_type; 0 parallel, 1 reduction, 2 window.
 */
intptr_t ts_linalg_num_loops(MlirOperation op);
int ts_linalg_iterator(MlirOperation op, intptr_t loop);
/* The affine map of operand `i`. */
MlirAffineMap ts_linalg_map(MlirOperation op, intptr_t i);
/* The block of scalar code (argument order: inputs, inits). */
MlirBlock ts_linalg_body(MlirOperation op);

bool ts_op_is_elementwise(MlirOperation op); /* trait Elementwise, or a tosa elementwise operator */
bool ts_op_is_pure(MlirOperation op);        /* isPure: no effects, speculatable */
bool ts_op_is_memory_effect_free(MlirOperation op); /* including its regions */
/* Effects, known or unknown, beside those of the ops in its regions. */
bool ts_op_has_effects_of_its_own(MlirOperation op);
typedef enum ts_effect_kind {
  TS_EFFECT_ALLOCATE,
  TS_EFFECT_FREE,
  TS_EFFECT_READ,
  TS_EFFECT_WRITE
} ts_effect_kind;

/* Calls `visit` for each effect of the op itself; `on` is null where it is on no value. False if
 * upstream does not know them. */
bool ts_op_effects(MlirOperation op, void (*visit)(ts_effect_kind kind, MlirValue on, void *user),
                   void *user);
/* The value that a view-like op (memref.subview, llvm.getelementptr) is a view of, or null. */
MlirValue ts_op_view_source(MlirOperation op);
/* Says what one trip of a parallel loop adds to the loop's result (tensor.parallel_insert_slice).
 */
bool ts_op_is_parallel_combining(MlirOperation op);
bool ts_op_is_terminator(MlirOperation op);
bool ts_op_is_constant_like(MlirOperation op);
/* The operand that the branch `op` passes as argument `argument` of its successor `successor`; -1
 * if it is no such op, or makes the argument itself. */
intptr_t ts_successor_operand(MlirOperation op, intptr_t successor, intptr_t argument);
/* A memref, a pointer, or a type that has one in it. */
bool ts_type_has_pointer(MlirType type);

/* Calls `visit` for every op that the loaded dialect `dialect` registers, with the names of the
 * `num` attributes that the op knows of itself. */
void ts_dialect_ops(MlirContext context, const char *dialect,
                    void (*visit)(const char *op, intptr_t num, const MlirIdentifier *attributes,
                                  void *user),
                    void *user);

/* The same op on the same operands, with equal attributes, types and regions. */
bool ts_ops_are_equal(MlirOperation a, MlirOperation b);
/* Equal for equal ops; its regions do not count. */
size_t ts_op_content_hash(MlirOperation op);

/* ---- bufferization of collectives ------------------------------------------------------------ */

/* Whether bufferization has a model for `op`. */
bool ts_op_is_bufferizable(MlirOperation op);

/* Callbacks that make an op bufferize as "allocate results of these shapes, then call". The op
 * reads its tensor operands and writes none of them but those that `may_alias`. */
typedef struct ts_bufferize_model {
  /* Emits the memref form before `op`: `buffers` has one memref for each tensor operand, in order.
   * `alloc(user, type, num_sizes, sizes)` allocates a result through the bufferization options.
   * Stores one memref for each result in `results`. False after a diagnostic. */
  bool (*bufferize)(MlirOperation op, MlirValue *buffers,
                    MlirValue (*alloc)(void *user, MlirType memref, intptr_t num_sizes,
                                       const MlirValue *sizes),
                    void *user, MlirValue *results);
  /* True if operand `i`'s buffer may be reused for the result (in-place, the op then also writes
   * it). */
  bool (*may_alias)(MlirOperation op, intptr_t operand);
  /* Where such an operand lives on, it is copied first. If this says so of the op (of one tensor),
   * it gets the unit attribute tessera.fresh instead: may_alias must then say false, and
   * `bufferize` allocate. */
  bool (*is_fresh_where_live)(MlirOperation op);
} ts_bufferize_model;

/* Adds to `registry` an extension that attaches a BufferizableOpInterface model to the ops called
 * `op_name`, "shard.all_gather". Name and model must live as long as the process. */
void ts_attach_bufferize_model(MlirDialectRegistry registry, const char *op_name,
                               const ts_bufferize_model *model);

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* Replaces those of the `num` named scalar functions ("math.exp", ...) inside `op` that are on f32
 * or narrower floats by upstream's polynomial approximations. False if the rewriting does not end.
 */
bool ts_apply_math_approximations(MlirOperation op, intptr_t num, const char *const *names);

/* Takes ops inside `op` apart that consist of structured ones (linalg.softmax, attention,
 * winograd). False after a diagnostic. */
bool ts_decompose_aggregates(MlirOperation op);
/* The same for one such op. False, without a diagnostic, if it cannot be taken apart and stays. */
bool ts_decompose_aggregate(MlirOperation op);
/* The dialects of ops that it makes. */
void ts_decompose_register_dialects(MlirDialectRegistry registry);
/* Takes ops inside `op` out that have no effects and that nobody uses, and results that nobody uses
 * out of the structured ops that have several and cannot fail, and what only they need. What is of
 * the shard dialect, or holds something of it, stays. */
void ts_erase_unused_results(MlirOperation op);

/* ---- targets --------------------------------------------------------------------------------- */

/* Whether the target of `triple`, which must have been initialised, has a processor of this name.
 */
bool ts_target_has_cpu(const char *triple, const char *cpu);

/* ---- the `tessera` dialect ------------------------------------------------------------------- */

/* Inserts the tessera dialect (and those its ops build on) into the registry. */
void ts_register_tessera_dialect(MlirDialectRegistry registry);

#if defined(__cplusplus)
}
#endif
#endif /* TESSERA_PLUGIN_CAPI_H */
