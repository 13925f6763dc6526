/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Numbers of a program that follow from which device it runs on. It knows index arithmetic and
 * questions about the grid; it must not know what the numbers are for. */
#ifndef TESSERA_LOWERING_PREPARE_DEVICES_H
#define TESSERA_LOWERING_PREPARE_DEVICES_H

#include "ir/build.h"

enum { TS_MOST_DEVICES = 64 };

typedef struct ts_devices {
  MlirOperation module;
  int num; /* 1 where no grid says it, or more devices than TS_MOST_DEVICES: nothing is known */
} ts_devices;

ts_devices ts_devices_of(MlirOperation module);

/* The index value `value` on device `device`, by its number in row-major order of its coordinates;
 * false if something else decides it. */
bool ts_devices_number(const ts_devices *devices, int device, MlirValue value, int64_t *number);

#endif /* TESSERA_LOWERING_PREPARE_DEVICES_H */
