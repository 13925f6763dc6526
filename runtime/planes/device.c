/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What can be said in terms of a device's table.
 * It must not know which device it is. */
#include "planes/device.h"

void tr_device_clear(const tr_device *device, tessera_stream *stream, char *to, size_t bytes) {
  static const char zero;
  if (bytes > 0)
    device->fill(device, stream, &zero, 1, (int64_t)bytes, to);
}
