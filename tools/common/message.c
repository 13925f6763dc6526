/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A message under construction.
 * It must not know what messages are about, nor libtessera. */
#include "common/message.h"

#include <stdarg.h>
#include <stdio.h>

bool fail(message *message, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message->text, sizeof(message->text), format, arguments);
  va_end(arguments);
  return false;
}
