/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera_compile: the stages of one compilation in order, with their times and diagnostics. Knows
 * what follows what. */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capi/capi.h"
#include "driver.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"
#include "tessera/passes.h"

static const char *const stage_names[TS_NUM_STAGES] = {"propagated", "partitioned", "lowered",
                                                       "llvm",       "obj",         "so"};

typedef struct compilation {
  const tessera_compile_options *options;
  ts_emit_stage stage;
  MlirContext context;
  MlirModule module;
  int errors;
} compilation;

/* ---- diagnostics ------------------------------------------------------------------------------
 */

static void print_part(MlirStringRef text, void *user) {
  fwrite(text.data, 1, text.length, user);
}

/* The diagnostic's text, owned by the caller; NULL without memory. */
static char *diagnostic_text(MlirDiagnostic diagnostic) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (!stream)
    return NULL;
  mlirDiagnosticPrint(diagnostic, print_part, stream);
  fclose(stream);
  return text;
}

static void print_diagnostic(const compilation *c, MlirDiagnostic diagnostic) {
  static const char *const severities[] = {
      [MlirDiagnosticError] = "error",
      [MlirDiagnosticWarning] = "warning",
      [MlirDiagnosticNote] = "note",
      [MlirDiagnosticRemark] = "remark",
  };
  /* MLIR adds the op as it is by now, with all that is inside: pages, for a function. */
  static const char current[] = "see current operation";
  char *text = diagnostic_text(diagnostic);
  char place[1024];
  ts_location_text(mlirDiagnosticGetLocation(diagnostic), place, sizeof place);
  if (!text || strncmp(text, current, strlen(current)) != 0 || c->options->verbose)
    fprintf(stderr, "%s: %s: %s\n", *place ? place : c->options->input,
            severities[mlirDiagnosticGetSeverity(diagnostic)], text ? text : "");
  free(text);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); i++)
    print_diagnostic(c, mlirDiagnosticGetNote(diagnostic, i));
}

static MlirLogicalResult handle_diagnostic(MlirDiagnostic diagnostic, void *user) {
  compilation *c = user;
  MlirDiagnosticSeverity severity = mlirDiagnosticGetSeverity(diagnostic);
  c->errors += severity == MlirDiagnosticError;
  if (severity != MlirDiagnosticRemark || c->options->verbose)
    print_diagnostic(c, diagnostic);
  return mlirLogicalResultSuccess();
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void report_time(const compilation *c, const char *what, double since) {
  if (c->options->verbose)
    fprintf(stderr, "tesserac: %-11s %8.1f ms\n", what, 1e3 * (now() - since));
}

/* ---- set-up -----------------------------------------------------------------------------------
 */

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

/* ---- stages -----------------------------------------------------------------------------------
 */

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

static bool run_passes(compilation *c, const char *passes) {
  MlirPassManager manager = mlirPassManagerCreateOnOperation(
      c->context, mlirStringRefCreateFromCString("builtin.module"));
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

static bool run_stage(compilation *c, ts_emit_stage stage) {
  double start = now();
  char *passes = ts_stages_pipeline(c->options, stage);
  bool good = !passes || run_passes(c, passes);
  free(passes);
  report_time(c, stage_names[stage], start);
  return good;
}

static bool read_source(compilation *c) {
  double start = now();
  const tessera_compile_options *options = c->options;
  c->module = ts_source_parse(c->context, options->input);
  if (mlirModuleIsNull(c->module))
    return false;
  MlirOperation module = mlirModuleGetOperation(c->module);
  /* Before the grids are looked at: the mesh dialect has its own. */
  if (!run_passes(c, ts_pipeline_import) ||
      (c->stage >= TS_EMIT_OBJ && !ts_source_has_entry(module, options->input)))
    return false;
  if (!ts_source_set_grids(module, options->input, options->grid) ||
      (options->oracle && !ts_source_strip(module)))
    return false;
  report_time(c, "read", start);
  return true;
}

/* ---- output -----------------------------------------------------------------------------------
 */

static void print_output(MlirStringRef text, void *user) {
  tr_output_write(user, text.data, text.length);
}

static bool write_stage(compilation *c, tr_output *output) {
  MlirOperation module = mlirModuleGetOperation(c->module);
  if (c->stage == TS_EMIT_OBJ)
    return ts_codegen_object(module, c->options, output);
  if (c->stage == TS_EMIT_LLVM)
    return ts_codegen_text(module, c->options, output);
  mlirOperationPrint(module, print_output, output);
  return true;
}

static bool cannot_write(const char *path, int error) {
  return ts_driver_error(NULL, "%s cannot be written: %s", path, strerror(error));
}

static bool write_file(compilation *c) {
  const char *path = c->options->output;
  tr_output output;
  int error = 0;
  if (strcmp(path, "-") == 0)
    tr_output_on(stdout, &output);
  else
    error = tr_output_open(path, &output);
  if (error)
    return cannot_write(path, error);
  if (!write_stage(c, &output)) {
    tr_output_drop(&output);
    return false;
  }
  error = tr_output_close(&output);
  return !error || cannot_write(path, error);
}

/* Writes the code to a new temporary file, named in `path`. */
static bool write_temporary_object(compilation *c, char *path, size_t capacity) {
  const char *folder = getenv("TMPDIR");
  snprintf(path, capacity, "%s/tesseraXXXXXX.o", folder && *folder ? folder : "/tmp");
  int file = mkstemps(path, 2);
  FILE *stream = file < 0 ? NULL : fdopen(file, "wb");
  if (!stream)
    return cannot_write(path, errno);
  tr_output output;
  tr_output_on(stream, &output);
  bool good = ts_codegen_object(mlirModuleGetOperation(c->module), c->options, &output);
  int error = tr_output_close(&output);
  if (fclose(stream) != 0 && !error)
    error = errno;
  return good && (!error || cannot_write(path, error));
}

static bool link_output(compilation *c, const char *object) {
  const char *path = c->options->output;
  tr_output output;
  int error = tr_output_reserve(path, &output);
  if (error)
    return cannot_write(path, error);
  if (!ts_link_shared(object, output.name, path)) {
    tr_output_drop(&output);
    return false;
  }
  error = tr_output_close(&output);
  return !error || cannot_write(path, error);
}

static bool write_shared_object(compilation *c) {
  char object[4096];
  double start = now();
  bool good = write_temporary_object(c, object, sizeof object);
  report_time(c, "code", start);
  start = now();
  good = good && link_output(c, object);
  report_time(c, "link", start);
  unlink(object);
  return good;
}

static bool write_output(compilation *c) {
  return c->stage == TS_EMIT_SO ? write_shared_object(c) : write_file(c);
}

static bool compile(compilation *c) {
  if (!read_source(c))
    return false;
  for (ts_emit_stage stage = TS_EMIT_PROPAGATED; stage <= c->stage; stage++)
    if (!run_stage(c, stage))
      return false;
  return write_output(c);
}

/* ---- the public functions ---------------------------------------------------------------------
 */

/* Would writing `output` destroy `input`? */
static bool is_same_file(const char *input, const char *output) {
  struct stat in, out;
  return stat(input, &in) == 0 && stat(output, &out) == 0 && S_ISREG(in.st_mode) &&
         in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

/* A copy that has all members of this version, whichever the caller was built with. */
static bool copy_options(const tessera_compile_options *given, tessera_compile_options *options) {
  const size_t first_version = offsetof(tessera_compile_options, tool);
  size_t size = given ? given->struct_size : 0;
  memset(options, 0, sizeof *options);
  if (size < first_version)
    return ts_driver_error(NULL, "tessera_compile: struct_size is %zu: expected at least %zu", size,
                           first_version);
  memcpy(options, given, size < sizeof *options ? size : sizeof *options);
  ts_driver_set_tool(options->tool);
  return true;
}

static bool check_options(const tessera_compile_options *options, ts_emit_stage *stage) {
  if (!options->input || !options->output)
    return ts_driver_error(NULL, "tessera_compile: input and output must be set");
  if (options->opt_level < 0 || options->opt_level > 3)
    return ts_driver_error(NULL, "optimisation level %d: expected 0 to 3", options->opt_level);
  if (is_same_file(options->input, options->output))
    return ts_driver_error(NULL, "%s is the input: it would be overwritten", options->output);
  for (int i = 0; i < options->num_extra; i++)
    if (!ts_stages_check_option(options->extra[i]))
      return false;
  const char *emit = options->emit ? options->emit : "so";
  for (int s = 0; s < TS_NUM_STAGES; s++)
    if (strcmp(emit, stage_names[s]) == 0) {
      *stage = (ts_emit_stage)s;
      return *stage < TS_EMIT_OBJ || strcmp(options->output, "-") != 0 ||
             ts_driver_error(NULL, "--emit=%s cannot be written to standard output", emit);
    }
  return ts_driver_error(NULL,
                         "--emit=%s: expected propagated, partitioned, lowered, llvm, obj or "
                         "so",
                         emit);
}

int tessera_compile(const tessera_compile_options *given) {
  tessera_compile_options options;
  compilation c = {.options = &options};
  if (!copy_options(given, &options) || !check_options(&options, &c.stage))
    return 1;
  c.context = create_context();
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(c.context, handle_diagnostic, &c, NULL);
  bool good = compile(&c);
  if (!mlirModuleIsNull(c.module))
    mlirModuleDestroy(c.module);
  mlirContextDetachDiagnosticHandler(c.context, handler);
  mlirContextDestroy(c.context);
  return good ? 0 : 1;
}

/* One word of a shell's command line. */
static void print_word(const char *text) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./=,";
  if (*text && text[strspn(text, plain)] == '\0') {
    fputs(text, stdout);
    return;
  }
  putchar('\'');
  for (; *text; text++)
    if (*text == '\'')
      fputs("'\\''", stdout);
    else
      putchar(*text);
  putchar('\'');
}

/* The passes of all stages up to `last`, owned by the caller; NULL without memory. */
static char *whole_pipeline(const tessera_compile_options *options, ts_emit_stage last) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (!stream)
    return NULL;
  fprintf(stream, "builtin.module(%s", ts_pipeline_import);
  for (ts_emit_stage stage = TS_EMIT_PROPAGATED; stage <= last; stage++) {
    char *passes = ts_stages_pipeline(options, stage);
    if (passes)
      fprintf(stream, ",%s", passes);
    free(passes);
  }
  fputc(')', stream);
  fclose(stream);
  return text;
}

static void print_pipeline(const tessera_compile_options *options, ts_emit_stage last,
                           const char *pipeline) {
  printf("mlir-opt-22 --load-pass-plugin=TesseraPlugin.so --load-dialect-plugin=TesseraPlugin.so ");
  print_word(options->input);
  printf(" --pass-pipeline=");
  print_word(pipeline);
  if (last >= TS_EMIT_LLVM)
    printf(" | mlir-translate-22 --mlir-to-llvmir");
  if (last >= TS_EMIT_OBJ) {
    printf(" | clang-22 -x ir - -O%d -march=", options->opt_level);
    print_word(options->march ? options->march : "native");
    printf(" -fPIC %s", last == TS_EMIT_OBJ ? "-c" : "-shared");
  }
  printf(" -o ");
  print_word(options->output);
  putchar('\n');
}

int tessera_compile_print_pipeline(const tessera_compile_options *given) {
  tessera_compile_options options;
  ts_emit_stage last;
  if (!copy_options(given, &options) || !check_options(&options, &last))
    return 1;
  if (options.grid || options.oracle) {
    ts_driver_error(NULL,
                    "--print-pipeline: --%s changes the source before any pass: write it into the "
                    "source, and print the pipeline without",
                    options.grid ? "grid" : "oracle");
    return 1;
  }
  char *pipeline = whole_pipeline(&options, last);
  if (!pipeline)
    ts_driver_error(NULL, "no memory for the pipeline");
  else
    print_pipeline(&options, last, pipeline);
  int status = pipeline ? 0 : 1;
  free(pipeline);
  return status;
}
