/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Errors, located and formatted as printf does. It must not know what is reported; other severities
 * are ts_diagnose's (capi.h). */
#ifndef TESSERA_PLUGIN_SUPPORT_DIAGNOSTICS_H
#define TESSERA_PLUGIN_SUPPORT_DIAGNOSTICS_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* All return false. */
bool ts_error(MlirOperation op, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool ts_error_at(MlirLocation location, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* With a note at `where`. */
bool ts_error_with_note(MlirOperation op, MlirOperation where, const char *note, const char *format,
                        ...) __attribute__((format(printf, 4, 5)));

#endif /* TESSERA_PLUGIN_SUPPORT_DIAGNOSTICS_H */
