/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera_compile: reads the source, runs the stages in order, writes what was asked for. It knows
 * what follows what. */
#include <pthread.h>
#include <stdlib.h>

#include "capi/capi.h"
#include "driver.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"
#include "model/causes.h"
#include "tessera/passes.h"

static pthread_once_t register_once = PTHREAD_ONCE_INIT;

static void register_passes(void) {
  mlirRegisterAllPasses();
  tesseraRegisterPasses();
}

static MlirContext create_context(void) {
  pthread_once(&register_once, register_passes);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  tesseraRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, true);
  mlirDialectRegistryDestroy(registry);
  mlirRegisterAllLLVMTranslations(context);
  return context;
}

/* MLIR tells a mistake in a pipeline piece by piece, some of them line ends. */
static void print_on_one_line(MlirStringRef text, void *user) {
  for (size_t i = 0; i < text.length; i++)
    fputc(text.data[i] == '\n' ? ' ' : text.data[i], user);
}

static MlirLogicalResult add_pipeline(MlirPassManager manager, const char *passes) {
  char *message = NULL;
  size_t size;
  FILE *stream = open_memstream(&message, &size);
  if (!stream)
    return mlirLogicalResultFailure();
  MlirLogicalResult result = mlirOpPassManagerAddPipeline(
      mlirPassManagerGetAsOpPassManager(manager), mlirStringRefCreateFromCString(passes),
      print_on_one_line, stream);
  fclose(stream);
  if (mlirLogicalResultIsFailure(result))
    ts_driver_error(NULL, "%s", message);
  free(message);
  return result;
}

static bool run_passes(ts_compilation *c, const char *passes) {
  MlirPassManager manager = mlirPassManagerCreateOnOperation(
      c->context, mlirStringRefCreateFromCString("builtin.module"));
  const ts_pass_watcher watcher = {ts_watch_begin, ts_watch_end, c};
  ts_watch_passes(manager, &watcher);
  MlirLogicalResult result = add_pipeline(manager, passes);
  int before = c->errors;
  if (mlirLogicalResultIsSuccess(result)) {
    result = mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(c->module));
    if (mlirLogicalResultIsFailure(result) && c->errors == before)
      ts_driver_error(c->options->input, "a pass failed without saying why: %s", passes);
  }
  mlirPassManagerDestroy(manager);
  return mlirLogicalResultIsSuccess(result);
}

/* The target's stages, which are no part of a pass, are watched here. */
static bool run_to_llvm(ts_compilation *c) {
  const ts_stage *stage;
  for (int i = 0; (stage = ts_target_llvm_stage(c->target, i)); i++) {
    ts_watch_begin(c, stage->name);
    if (!run_passes(c, stage->passes))
      return false;
    ts_watch_end(c, stage->name, mlirModuleGetOperation(c->module));
  }
  return true;
}

static bool run_stage(ts_compilation *c, ts_emit_stage stage) {
  double start = ts_now();
  char *passes = ts_stages_pipeline(c->options, c->target, stage);
  if (!passes)
    return true;
  bool good = stage == TS_EMIT_LLVM ? run_to_llvm(c) : run_passes(c, passes);
  free(passes);
  ts_report_time(c, ts_emit_names[stage], start);
  if (good && stage == TS_EMIT_PARTITIONED && (c->options->verbose || c->record))
    ts_tell_causes(mlirModuleGetOperation(c->module));
  return good;
}

static bool read_module(ts_compilation *c) {
  double start = ts_now();
  const tessera_compile_options *options = c->options;
  c->module = ts_source_parse(c->context, options->input, &c->source);
  if (mlirModuleIsNull(c->module))
    return false;
  MlirOperation module = mlirModuleGetOperation(c->module);
  /* Before the grids are looked at: the mesh dialect has its own. */
  if (!run_passes(c, ts_pipeline_import) ||
      (c->last >= TS_EMIT_OBJ && !ts_source_has_entry(module, options->input)))
    return false;
  if (!ts_source_set_grids(module, options->input, options->grid) ||
      (options->oracle && !ts_source_strip(module)))
    return false;
  ts_report_time(c, "read", start);
  return true;
}

static bool run_stages(ts_compilation *c) {
  if (!read_module(c))
    return false;
  for (ts_emit_stage stage = TS_EMIT_PROPAGATED; stage <= c->last; stage++)
    if (!run_stage(c, stage))
      return false;
  return true;
}

static bool make_output(ts_compilation *c) {
  if (!run_stages(c))
    return false;
  if (c->last < TS_EMIT_OBJ)
    return ts_write_output(c);
  if (!ts_make_object(c))
    return false;
  ts_cache_keep(c);
  return ts_write_output(c);
}

static bool compile(ts_compilation *c) {
  c->context = create_context();
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(c->context, ts_handle_diagnostic, c, NULL);
  bool good = make_output(c);
  if (!mlirModuleIsNull(c->module))
    mlirModuleDestroy(c->module);
  mlirContextDetachDiagnosticHandler(c->context, handler);
  mlirContextDestroy(c->context);
  return good;
}

int tessera_compile(const tessera_compile_options *given) {
  tessera_compile_options options;
  ts_compilation c = {.options = &options};
  if (!ts_options_copy(given, &options) || !ts_options_check(&options, &c.last))
    return 1;
  c.target = ts_options_target(&options);
  bool good = ts_source_read(options.input, &c.source) && ts_cache_begin(&c) &&
              (c.object.data ? ts_write_output(&c) : compile(&c));
  ts_cache_end(&c);
  free(c.source.data);
  free(c.object.data);
  return good ? 0 : 1;
}
