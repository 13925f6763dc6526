/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages of one compilation: MLIR's diagnostics and the driver's own. It knows how they are set.
 */
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
  ts_watch_clear();
  fprintf(stderr, "%s: error: ", file ? file : driver_tool);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return false;
}

/* ---- MLIR's ---------------------------------------------------------------------------------- */

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

/* Prints a message if its kind is wanted, and records it in any case. */
static void say(ts_compilation *c, ts_message_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(ts_compilation *c, ts_message_kind kind, const char *format, ...) {
  va_list arguments;
  if (kind == TS_SAID || c->options->verbose) {
    ts_watch_clear();
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
  }
  if (!c->record)
    return;
  fputc(kind, c->record);
  va_start(arguments, format);
  vfprintf(c->record, format, arguments);
  va_end(arguments);
  fputc(0, c->record);
}

void ts_repeat_messages(ts_compilation *c, const ts_bytes *record) {
  const char *end = record->data + record->size;
  for (const char *at = record->data; at < end; at += strlen(at) + 1)
    if (*at == TS_SAID || c->options->verbose)
      fputs(at + 1, stderr);
}

static void print_diagnostic(ts_compilation *c, ts_message_kind kind, MlirDiagnostic diagnostic) {
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
  ts_location_text(mlirDiagnosticGetLocation(diagnostic), place, sizeof(place));
  bool is_current = text && strncmp(text, current, strlen(current)) == 0;
  say(c, is_current ? TS_SAID_IF_VERBOSE : kind, "%s: %s: %s\n", *place ? place : c->options->input,
      severities[mlirDiagnosticGetSeverity(diagnostic)], text ? text : "");
  free(text);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); i++)
    print_diagnostic(c, kind, mlirDiagnosticGetNote(diagnostic, i));
}

MlirLogicalResult ts_handle_diagnostic(MlirDiagnostic diagnostic, void *user) {
  ts_compilation *c = user;
  MlirDiagnosticSeverity severity = mlirDiagnosticGetSeverity(diagnostic);
  c->errors += severity == MlirDiagnosticError;
  ts_message_kind kind = severity == MlirDiagnosticRemark ? TS_SAID_IF_VERBOSE : TS_SAID;
  if (kind == TS_SAID || c->options->verbose || c->record)
    print_diagnostic(c, kind, diagnostic);
  return mlirLogicalResultSuccess();
}
