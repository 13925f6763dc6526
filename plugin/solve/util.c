/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Small questions and diagnostics about operations, shared by the solver and the passes. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "capi/capi.h"
#include "solve/model.h"

static void report(MlirOperation op, ts_severity severity, const char *format, va_list arguments) {
  char message[1024];
  vsnprintf(message, sizeof(message), format, arguments);
  MlirLocation location = mlirOperationGetLocation(op);
  ts_diagnose(location, severity, message, location, NULL);
}

void ts_error(MlirOperation op, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(op, TS_ERROR, format, arguments);
  va_end(arguments);
}

void ts_remark(MlirOperation op, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(op, TS_REMARK, format, arguments);
  va_end(arguments);
}
