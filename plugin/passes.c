/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The table of passes and the pipeline made of them, for mlir-opt and for compilers that link them.
 * It knows names and order; it must not know what a pass does. */
#include "passes.h"

#include <string.h>

#include "tessera/passes.h"

#include "mesh/import.h"
#include "mesh/mesh.h"
#include "propagate/tosa.h"
#include "structured/structured.h"
#include "support/arena.h"

enum pass_index {
  PASS_IMPORT_MESH,
  PASS_PROPAGATE,
  PASS_PARTITION,
  PASS_OPTIMIZE,
  PASS_LOWER,
  NUM_PASSES
};

/* What passes read and write. Loaded by each, so that a pass may create any of it. */
static void register_dialects(MlirDialectRegistry registry) {
  ts_register_mesh_dialect(registry);
  ts_register_tessera_dialect(registry);
  ts_lower_register_dialects(registry);
}

static void register_dialects_to_propagate(MlirDialectRegistry registry) {
  register_dialects(registry);
  ts_tosa_insert_dialects(registry);
  ts_structure_insert_dialects(registry);
}

static void register_dialects_to_lower(MlirDialectRegistry registry) {
  register_dialects(registry);
  ts_lower_register_stages(registry);
}

static ts_pass_spec pass_specs[NUM_PASSES] = {
    [PASS_IMPORT_MESH] =
        {
            .argument = "tessera-import-mesh",
            .description = "Turn programs in the `mesh` dialect into programs in `shard`",
            .anchor = "builtin.module",
            .run = ts_import_mesh_run,
            .register_dialects = register_dialects,
        },
    [PASS_PROPAGATE] =
        {
            .argument = "tessera-propagate",
            .description = "Give every tensor a sharding that follows from the annotated ones",
            .anchor = "builtin.module",
            .options = ts_propagate_options,
            .run_nesting = ts_propagate_run,
            .register_dialects = register_dialects_to_propagate,
        },
    [PASS_PARTITION] =
        {
            .argument = "tessera-partition",
            .description = "Rewrite annotated functions to the program of one device",
            .anchor = "builtin.module",
            .options = ts_partition_options,
            .run = ts_partition_run,
            .register_dialects = register_dialects,
        },
    [PASS_OPTIMIZE] =
        {
            .argument = "tessera-optimize",
            .description = "Let the program of one device communicate less, in fewer messages",
            .anchor = "builtin.module",
            .options = ts_optimize_options,
            .run = ts_optimize_run,
            .register_dialects = register_dialects,
        },
    [PASS_LOWER] =
        {
            .argument = "tessera-lower",
            .description = "Lower partitioned functions to memrefs and calls into libtessera",
            .anchor = "builtin.module",
            .options = ts_lower_options,
            .run_nesting = ts_lower_run,
            .register_dialects = register_dialects_to_lower,
        },
};

/* The number of options is known to the linker only, so it is filled in on first use. Writing the
 * same values twice is harmless. */
static const ts_pass_spec *pass_spec(enum pass_index index) {
  pass_specs[PASS_PROPAGATE].num_options = ts_propagate_num_options;
  pass_specs[PASS_PARTITION].num_options = ts_partition_num_options;
  pass_specs[PASS_OPTIMIZE].num_options = ts_optimize_num_options;
  pass_specs[PASS_LOWER].num_options = ts_lower_num_options;
  return &pass_specs[index];
}

static MlirPass create(enum pass_index index, MlirStringRef options) {
  return ts_create_pass(pass_spec(index), options);
}

/* ---- the pipeline ---------------------------------------------------------------------------- */

static ts_pipeline_spec pipeline_spec = {
    .argument = "tessera-pipeline",
    .description = "From annotated functions to calls into libtessera: import-mesh, propagate, "
                   "partition, optimize, lower",
};

/* The pipeline's option called `name`, or -1. */
static int find_option(const char *name) {
  for (int i = 0; i < pipeline_spec.num_options; i++)
    if (strcmp(pipeline_spec.options[i].name, name) == 0)
      return i;
  return -1;
}

/* "name={value} ..." as a pass reads it; braces keep blanks and commas in a value together. */
static const char *options_text(ts_arena *arena, const ts_pass_spec *spec,
                                const ts_option_value *values) {
  const char *text = "";
  for (int i = 0; i < spec->num_options; i++) {
    const char *name = spec->options[i].name;
    const ts_option_value *value = &values[find_option(name)];
    if (spec->options[i].kind == TS_OPTION_BOOL)
      text = ts_arena_format(arena, "%s %s=%s", text, name, value->boolean ? "true" : "false");
    else if (spec->options[i].kind == TS_OPTION_INT)
      text = ts_arena_format(arena, "%s %s=%lld", text, name, (long long)value->integer);
    else if (value->string[0])
      text = ts_arena_format(arena, "%s %s={%s}", text, name, value->string);
  }
  return text;
}

static bool build_pipeline(MlirOpPassManager manager, const ts_option_value *values) {
  ts_arena arena = {0};
  bool good = true;
  for (int i = 0; i < NUM_PASSES && good; i++) {
    const ts_pass_spec *spec = pass_spec((enum pass_index)i);
    const char *text = options_text(&arena, spec, values);
    MlirPass pass = ts_create_pass(spec, mlirStringRefCreateFromCString(text));
    good = pass.ptr;
    if (good)
      mlirOpPassManagerAddOwnedPass(manager, pass);
  }
  ts_arena_free(&arena);
  return good;
}

/* The pipeline takes the options of all its passes; one name is one option, for each pass that has
 * it. Like the passes' own tables, this one lives as long as the process. */
static void fill_pipeline_spec(void) {
  static ts_arena arena;
  int num = 0;
  for (int i = 0; i < NUM_PASSES; i++)
    num += pass_spec((enum pass_index)i)->num_options;
  ts_option_spec *options = TS_NEW(&arena, ts_option_spec, num);
  pipeline_spec.options = options;
  pipeline_spec.num_options = 0;
  pipeline_spec.build = build_pipeline;
  for (int i = 0; i < NUM_PASSES; i++) {
    const ts_pass_spec *pass = pass_spec((enum pass_index)i);
    for (int j = 0; j < pass->num_options; j++)
      if (find_option(pass->options[j].name) < 0)
        options[pipeline_spec.num_options++] = pass->options[j];
  }
}

void tesseraRegisterPasses(void) {
  for (int i = 0; i < NUM_PASSES; i++)
    ts_register_pass(pass_spec((enum pass_index)i));
  fill_pipeline_spec();
  ts_register_pipeline(&pipeline_spec);
}

void tesseraRegisterDialects(MlirDialectRegistry registry) {
  register_dialects(registry);
}

MlirPass tesseraCreateImportMeshPass(MlirStringRef options) {
  return create(PASS_IMPORT_MESH, options);
}

MlirPass tesseraCreatePropagatePass(MlirStringRef options) {
  return create(PASS_PROPAGATE, options);
}

MlirPass tesseraCreatePartitionPass(MlirStringRef options) {
  return create(PASS_PARTITION, options);
}

MlirPass tesseraCreateOptimizePass(MlirStringRef options) {
  return create(PASS_OPTIMIZE, options);
}

MlirPass tesseraCreateLowerPass(MlirStringRef options) {
  return create(PASS_LOWER, options);
}
