/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors of DLPack as tensors of tessera/program.h and back, without a copy: what DLPack's own
 * header has is needed, which is included where it is <dlpack/dlpack.h>, else before this one.
 * It knows both descriptions of memory; it must not know programs. */
#ifndef TESSERA_DLPACK_H
#define TESSERA_DLPACK_H

#include <stdbool.h>

#include "tessera/program.h"

#if !defined(DLPACK_MAJOR_VERSION) && !defined(DLPACK_VERSION) && defined(__has_include)
#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#endif
#endif

#if defined(DLPACK_MAJOR_VERSION) || defined(DLPACK_VERSION)

#if defined(__cplusplus)
extern "C" {
#endif

/* What both have: dense or strided memory on the host (kDLCPU) or on an NVIDIA GPU (kDLCUDA, whose
 * device_id is tessera_device_ordinal), strides in elements, elements of one lane:
 *
 *   kDLBool 8             TESSERA_I1
 *   kDLInt 8 to 64        TESSERA_I8 to TESSERA_I64 (TESSERA_INDEX becomes kDLInt 64)
 *   kDLUInt 8 to 64       TESSERA_U8 to TESSERA_U64
 *   kDLFloat 16, 32, 64   TESSERA_F16, TESSERA_F32, TESSERA_F64
 *   kDLBfloat 16          TESSERA_BF16
 *   kDLComplex 64, 128    TESSERA_C64, TESSERA_C128
 *
 * Memory and extents stay whose they are: a converted tensor is valid as long as the one that it
 * was made of, and is not destroyed. Nothing waits: who gives a tensor to a call sees to it that it
 * is complete, and what a call gave is complete for other streams after tessera_synchronize. A
 * DLManagedTensor is its dl_tensor; its deleter is called after tessera_synchronize. */

typedef struct tessera_dlpack_type {
  tessera_dtype dtype;
  int code, bits;
} tessera_dlpack_type;

static inline const tessera_dlpack_type *tessera_dlpack_types(int *count) {
  static const tessera_dlpack_type types[] = {
      {TESSERA_I1, kDLBool, 8},       {TESSERA_I8, kDLInt, 8},     {TESSERA_I16, kDLInt, 16},
      {TESSERA_I32, kDLInt, 32},      {TESSERA_I64, kDLInt, 64},   {TESSERA_INDEX, kDLInt, 64},
      {TESSERA_U8, kDLUInt, 8},       {TESSERA_U16, kDLUInt, 16},  {TESSERA_U32, kDLUInt, 32},
      {TESSERA_U64, kDLUInt, 64},     {TESSERA_F16, kDLFloat, 16}, {TESSERA_BF16, kDLBfloat, 16},
      {TESSERA_F32, kDLFloat, 32},    {TESSERA_F64, kDLFloat, 64}, {TESSERA_C64, kDLComplex, 64},
      {TESSERA_C128, kDLComplex, 128}};
  *count = (int)(sizeof(types) / sizeof(types[0]));
  return types;
}

/* A DLTensor as an argument of a call in `context`. False where the two have no such tensor in
 * common, or it lies on another device than the context's or the host. */
static inline bool tessera_from_dlpack(const tessera_context *context, const DLTensor *from,
                                       tessera_tensor *to) {
  int count;
  const tessera_dlpack_type *types = tessera_dlpack_types(&count);
  const tessera_device *device = tessera_context_device(context);
  bool is_here = from->device.device_type == kDLCPU ||
                 (from->device.device_type == kDLCUDA && device &&
                  tessera_device_ordinal(device) == from->device.device_id);
  for (int i = 0; is_here && from->dtype.lanes == 1 && i < count; i++) {
    if (types[i].code != (int)from->dtype.code || types[i].bits != (int)from->dtype.bits)
      continue;
    to->dtype = types[i].dtype;
    to->rank = from->ndim;
    to->shape = from->shape;
    to->strides = from->strides;
    to->data = (char *)from->data + from->byte_offset;
    to->device = from->device.device_type == kDLCPU ? NULL : device;
    return true;
  }
  return false;
}

/* What a call gave, or the host has, as a DLTensor. False for types that DLPack lacks. */
static inline bool tessera_to_dlpack(const tessera_tensor *from, DLTensor *to) {
  int count;
  const tessera_dlpack_type *types = tessera_dlpack_types(&count);
  for (int i = 0; i < count; i++) {
    if (types[i].dtype != from->dtype)
      continue;
    to->data = from->data;
    to->device.device_type = from->device ? kDLCUDA : kDLCPU;
    to->device.device_id = from->device ? tessera_device_ordinal(from->device) : 0;
    to->ndim = from->rank;
    to->dtype.code = (uint8_t)types[i].code;
    to->dtype.bits = (uint8_t)types[i].bits;
    to->dtype.lanes = 1;
    to->shape = from->shape;
    to->strides = from->strides;
    to->byte_offset = 0;
    return true;
  }
  return false;
}

#if defined(__cplusplus)
}
#endif

#endif /* DLPack is there */
#endif /* TESSERA_DLPACK_H */
