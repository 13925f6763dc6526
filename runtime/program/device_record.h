/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Whether a program's record of its device code is one, before anything follows its pointers.
 * It must not know contexts or devices. */
#ifndef TESSERA_RUNTIME_PROGRAM_DEVICE_RECORD_H
#define TESSERA_RUNTIME_PROGRAM_DEVICE_RECORD_H

#include <stddef.h>

#include "tessera/device.h"

/* NULL: the program's code is the host's. */
static inline const tessera_device_code *
tr_record_device_code(const tessera_program_record *record) {
  size_t needed =
      offsetof(tessera_program_record, device_code) + sizeof(const tessera_device_code *);
  return record->struct_size >= needed ? record->device_code : NULL;
}

/* As tr_record_check; NULL is sound. */
tessera_status tr_device_code_check(const tessera_device_code *code, const char *name);

#endif /* TESSERA_RUNTIME_PROGRAM_DEVICE_RECORD_H */
