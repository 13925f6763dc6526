/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The message of the last failure on this thread.
 * It must not know what failed. */
#ifndef TESSERA_RUNTIME_SUPPORT_ERROR_H
#define TESSERA_RUNTIME_SUPPORT_ERROR_H

#include "tessera/status.h"

/* Records a formatted message for tessera_last_error() and returns `status`. The arguments may
 * point into the current message. */
tessera_status tr_fail(tessera_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif /* TESSERA_RUNTIME_SUPPORT_ERROR_H */
