/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Located errors. It must not know what is reported. */
#include "support/diagnostics.h"

#include <stdarg.h>
#include <stdio.h>

#include "capi/capi.h"

static void report(MlirLocation location, MlirLocation where, const char *note, const char *format,
                   va_list arguments) {
  char message[1024];
  vsnprintf(message, sizeof(message), format, arguments);
  ts_diagnose(location, TS_ERROR, message, where, note);
}

bool ts_error(MlirOperation op, const char *format, ...) {
  MlirLocation location = mlirOperationGetLocation(op);
  va_list arguments;
  va_start(arguments, format);
  report(location, location, NULL, format, arguments);
  va_end(arguments);
  return false;
}

bool ts_error_at(MlirLocation location, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(location, location, NULL, format, arguments);
  va_end(arguments);
  return false;
}

bool ts_error_with_note(MlirOperation op, MlirOperation where, const char *note, const char *format,
                        ...) {
  va_list arguments;
  va_start(arguments, format);
  report(mlirOperationGetLocation(op), mlirOperationGetLocation(where), note, format, arguments);
  va_end(arguments);
  return false;
}
