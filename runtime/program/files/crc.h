/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The checksum of ZIP archives: CRC-32, reflected, polynomial 0xedb88320.
 * It must not know archives. */
#ifndef TESSERA_RUNTIME_PROGRAM_FILES_CRC_H
#define TESSERA_RUNTIME_PROGRAM_FILES_CRC_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of what `crc` is that of, followed by `length` bytes; 0 is that of nothing. */
uint32_t tr_crc(uint32_t crc, const void *bytes, size_t length);

#endif /* TESSERA_RUNTIME_PROGRAM_FILES_CRC_H */
