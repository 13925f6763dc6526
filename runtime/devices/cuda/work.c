/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Work on a GPU by the device's own kernels: copies, fills, conversions, combinations.
 * It must not know what it is part of. */
#include <string.h>

#include "devices/cuda/cuda.h"

/* ---- copies ---------------------------------------------------------------------------------- */

/* The largest unit, up to 16 bytes, of which everything is a multiple. */
static int64_t unit_of(const tr_copy *copy, const char *from, const char *to) {
  enum { LARGEST = 16 };
  uint64_t all = (uint64_t)copy->run | (uintptr_t)from | (uintptr_t)to | LARGEST;
  for (int32_t i = 0; i < copy->rank; i++)
    all |= (uint64_t)copy->dims[i].from_step | (uint64_t)copy->dims[i].to_step;
  return (int64_t)(all & (~all + 1));
}

static tr_cuda_kernel copy_kernel(int64_t unit) {
  tr_cuda_kernel kernel = TR_CUDA_copy_1;
  for (; unit > 1; unit /= 2)
    kernel++;
  return kernel;
}

static void copy_strided(tr_cuda *cuda, cuda_stream stream, const tr_copy *copy, const char *from,
                         char *to) {
  int64_t unit = unit_of(copy, from, to);
  copy_parameters parameters;
  parameters.from = from;
  parameters.to = to;
  parameters.rank = copy->rank;
  parameters.count = 1;
  for (int32_t i = 0; i < copy->rank; i++) {
    parameters.sizes[i] = copy->dims[i].size;
    parameters.from_steps[i] = copy->dims[i].from_step;
    parameters.to_steps[i] = copy->dims[i].to_step;
    parameters.count *= copy->dims[i].size;
  }
  if (copy->run > unit) {
    parameters.sizes[parameters.rank] = copy->run / unit;
    parameters.from_steps[parameters.rank] = parameters.to_steps[parameters.rank] = unit;
    parameters.count *= copy->run / unit;
    parameters.rank++;
  }
  tr_cuda_run(cuda, stream, copy_kernel(unit), parameters.count, &parameters);
}

void tr_cuda_copy(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                  const char *from, char *to) {
  tr_cuda *cuda = tr_cuda_of(device);
  cuda_stream on = tr_cuda_stream(cuda, stream);
  if (copy->run == 0 || !tr_cuda_enter(cuda))
    return;
  if (copy->rank > 0)
    copy_strided(cuda, on, copy, from, to);
  else
    tr_cuda_ok(cuda, cuda->driver->copy((uintptr_t)to, (uintptr_t)from, (size_t)copy->run, on),
               "cuMemcpyAsync");
}

/* ---- fills and conversions ------------------------------------------------------------------- */

void tr_cuda_fill(const tr_device *device, tessera_stream *stream, const void *element, size_t size,
                  int64_t count, char *to) {
  tr_cuda *cuda = tr_cuda_of(device);
  cuda_stream on = tr_cuda_stream(cuda, stream);
  fill_parameters parameters = {.to = to, .count = count};
  if (count == 0 || !tr_cuda_enter(cuda))
    return;
  memcpy(parameters.element, element, size);
  if (size == 1)
    tr_cuda_ok(
        cuda,
        cuda->driver->set_bytes((uintptr_t)to, *(const unsigned char *)element, (size_t)count, on),
        "cuMemsetD8Async");
  else
    tr_cuda_run(cuda, on, TR_CUDA_fill_1 + (copy_kernel((int64_t)size) - TR_CUDA_copy_1), count,
                &parameters);
}

void tr_cuda_convert(const tr_device *device, tessera_stream *stream, tessera_dtype from_type,
                     const char *from, tessera_dtype to_type, char *to, int64_t count) {
  tr_cuda *cuda = tr_cuda_of(device);
  cuda_stream on = tr_cuda_stream(cuda, stream);
  convert_parameters parameters = {from, to, count, from_type, to_type};
  if (count == 0 || !tr_cuda_enter(cuda))
    return;
  if (from_type != to_type)
    tr_cuda_run(cuda, on, TR_CUDA_convert, count, &parameters);
  else
    tr_cuda_ok(cuda,
               cuda->driver->copy((uintptr_t)to, (uintptr_t)from,
                                  (size_t)count * tessera_dtype_size(from_type), on),
               "cuMemcpyAsync");
}

/* ---- combinations ---------------------------------------------------------------------------- */

static tr_cuda_kernel combine_kernel(tessera_dtype accumulator) {
  switch (accumulator) {
  case TESSERA_F32:
    return TR_CUDA_combine_f32;
  case TESSERA_F64:
    return TR_CUDA_combine_f64;
  case TESSERA_C64:
    return TR_CUDA_combine_c64;
  case TESSERA_C128:
    return TR_CUDA_combine_c128;
  default:
    return TR_CUDA_combine_integers;
  }
}

/* The larger of two signed booleans, 0 and -1, is the one that both are. */
static int32_t reduction_of(const tr_combination *what) {
  if (what->accumulator != TESSERA_I1)
    return what->reduction;
  return what->reduction == TESSERA_MAX   ? TESSERA_AND
         : what->reduction == TESSERA_MIN ? TESSERA_OR
                                          : (int32_t)what->reduction;
}

/* Addresses of more pieces than parameters hold go to the device; the host's are read at once. */
static const char *const *upload_pieces(tr_cuda *cuda, cuda_stream on, char *const *pieces,
                                        int32_t members) {
  size_t bytes = sizeof(*pieces) * (size_t)members;
  char *table = tr_cuda_borrow(cuda, on, bytes);
  if (table && tr_cuda_ok(cuda, cuda->driver->upload((uintptr_t)table, pieces, bytes, on),
                          "cuMemcpyHtoDAsync"))
    tr_cuda_ok(cuda, cuda->driver->synchronize(on), "cuStreamSynchronize");
  return (const char *const *)table;
}

void tr_cuda_combine(const tr_device *device, tessera_stream *stream, const tr_combination *what,
                     char *const *pieces, char *output) {
  tr_cuda *cuda = tr_cuda_of(device);
  cuda_stream on = tr_cuda_stream(cuda, stream);
  combine_parameters parameters = {.output = output,
                                   .count = what->count,
                                   .divisor = what->divisor,
                                   .input = what->input,
                                   .accumulator = what->accumulator,
                                   .kind = what->output,
                                   .reduction = reduction_of(what),
                                   .members = what->members};
  if (what->count == 0 || !tr_cuda_enter(cuda))
    return;
  if (what->members > KERNEL_PIECES)
    parameters.table = upload_pieces(cuda, on, pieces, what->members);
  else
    memcpy(parameters.inlined, pieces, sizeof(*pieces) * (size_t)what->members);
  if (what->members > KERNEL_PIECES && !parameters.table)
    return;
  tr_cuda_run(cuda, on, combine_kernel(what->accumulator), what->count, &parameters);
  if (parameters.table)
    tr_cuda_return(cuda, on, (char *)parameters.table);
}
