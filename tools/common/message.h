/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A message under construction; tools print it behind their name.
 * It must not know what messages are about, nor libtessera. */
#ifndef TESSERA_TOOLS_COMMON_MESSAGE_H
#define TESSERA_TOOLS_COMMON_MESSAGE_H

#include <stdbool.h>

typedef struct message {
  char text[2048];
} message;

/* Formats the message; returns false, so that callers can `return fail(...)`. */
bool fail(message *message, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif /* TESSERA_TOOLS_COMMON_MESSAGE_H */
