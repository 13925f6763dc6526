/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Status names and the thread's last error message.
 * It must not know what failed. */
#include "support/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_CAPACITY = 4096 };

static _Thread_local char last_message[MESSAGE_CAPACITY];

static const char *const status_names[] = {
    [TESSERA_OK] = "ok",
    [TESSERA_ERROR_INVALID_ARGUMENT] = "invalid argument",
    [TESSERA_ERROR_MISMATCH] = "mismatch",
    [TESSERA_ERROR_OUT_OF_MEMORY] = "out of memory",
    [TESSERA_ERROR_NOT_FOUND] = "not found",
    [TESSERA_ERROR_UNSUPPORTED] = "unsupported",
    [TESSERA_ERROR_BACKEND] = "backend failure",
    [TESSERA_ERROR_PEER] = "another rank failed",
    [TESSERA_ERROR_TIMEOUT] = "timeout",
    [TESSERA_ERROR_CHECK] = "failed assertion",
};

const char *tessera_status_name(tessera_status status) {
  if ((size_t)status >= sizeof(status_names) / sizeof(status_names[0]))
    return "unknown status";
  return status_names[status];
}

const char *tessera_last_error(void) {
  return last_message;
}

tessera_status tr_fail(tessera_status status, const char *format, ...) {
  char message[MESSAGE_CAPACITY];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof(message), format, arguments);
  va_end(arguments);
  memcpy(last_message, message, sizeof(message));
  return status;
}
