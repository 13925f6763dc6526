/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where a tensor's elements come from: a slice, or what is inserted and padded, at places that are
 * known for each device. It knows slices, insertions and paddings; it must not know who reads them.
 */
#ifndef TESSERA_LOWERING_PREPARE_ORIGINS_H
#define TESSERA_LOWERING_PREPARE_ORIGINS_H

#include "lowering/prepare/composition.h"

/* An index that is known, or else a value. */
typedef struct ts_index {
  MlirValue value; /* null: it is known */
  int64_t known;
} ts_index;

/* The device for which numbers are asked. */
typedef struct ts_asking {
  const ts_devices *devices;
  int device;
  bool *varies; /* set: some number was not known without it */
} ts_asking;

/* Where a slice or insertion begins and how large it is; false if elements are left out, or
 * dimensions dropped. */
bool ts_origin_numbers(MlirOperation op, int rank, ts_index *from, ts_index *size);

/* How a value comes from others on one device: a part of `inner`, or `inner` as a part of it, in
 * `outer` or a value that is the same everywhere. */
typedef enum ts_origin_kind { TS_ORIGIN_ITSELF, TS_ORIGIN_SLICE, TS_ORIGIN_JOINED } ts_origin_kind;
typedef struct ts_origin {
  ts_origin_kind kind;
  MlirValue inner, outer; /* outer: a tensor, or the scalar of a padding */
  ts_box part;
} ts_origin;
ts_origin ts_origin_of(const ts_asking *who, MlirValue value);

/* The box in the coordinates of what begins at `origin`, in direction 1 or -1. */
ts_box ts_box_moved(const ts_box *b, const ts_box *origin, int direction);
/* False if the two have no element in common. */
bool ts_box_intersect(const ts_box *a, const ts_box *b, ts_box *common);
bool ts_box_contains(const ts_box *outer, const ts_box *inner);

#endif /* TESSERA_LOWERING_PREPARE_ORIGINS_H */
