/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What tells addresses of the tagged device from the host's.
 * It must not know what lies there. */
#ifndef TESSERA_TEST_RUNTIME_TAG_H
#define TESSERA_TEST_RUNTIME_TAG_H

#include <stdint.h>

/* No address of the host has this bit: whoever follows a tagged one faults. */
static const uintptr_t DEVICE_TAG = (uintptr_t)1 << 62;

#endif /* TESSERA_TEST_RUNTIME_TAG_H */
