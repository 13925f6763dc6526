/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages of one compilation: MLIR's diagnostics and the driver's own. Knows how they are set. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "capi/capi.h"
#include "driver.h"
#include "mlir-c/Diagnostics.h"

static const char *driver_tool = "tesserac";

void ts_driver_set_tool(const char *tool) {
  driver_tool = tool ? tool : "tesserac";
}

bool ts_driver_error(const char *file, const char *format, ...) {
  fprintf(stderr, "%s: error: ", file ? file : driver_tool);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return false;
}

/* ---- MLIR's -----------------------------------------------------------------------------------
 */

void ts_print_part(MlirStringRef text, void *user) {
  fwrite(text.data, 1, text.length, user);
}

/* The diagnostic's text, owned by the caller; NULL without memory. */
static char *diagnostic_text(MlirDiagnostic diagnostic) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (!stream)
    return NULL;
  mlirDiagnosticPrint(diagnostic, ts_print_part, stream);
  fclose(stream);
  return text;
}

static void print_diagnostic(const ts_compilation *c, MlirDiagnostic diagnostic) {
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

MlirLogicalResult ts_handle_diagnostic(MlirDiagnostic diagnostic, void *user) {
  ts_compilation *c = user;
  MlirDiagnosticSeverity severity = mlirDiagnosticGetSeverity(diagnostic);
  c->errors += severity == MlirDiagnosticError;
  if (severity != MlirDiagnosticRemark || c->options->verbose)
    print_diagnostic(c, diagnostic);
  return mlirLogicalResultSuccess();
}
