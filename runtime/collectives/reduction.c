/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Types of reductions: what is added up, and what has a meaning.
 * It must not know kernels, views, groups or ranks. */
#include "collectives/reduction.h"

#include "support/error.h"
#include "tensors/dtype.h"
#include "tessera/reductions.h"

static bool reads_unsigned(tessera_reduction reduction) {
  return reduction == TESSERA_UMAX || reduction == TESSERA_UMIN;
}

/* 16-bit floats add up in f32; the sum of an integer average in 64 bits, where it cannot wrap. */
static tessera_dtype accumulator_type(tessera_dtype output, tessera_reduction reduction) {
  if (output == TESSERA_F16 || output == TESSERA_BF16)
    return TESSERA_F32;
  if (reduction == TESSERA_AVERAGE && output != TESSERA_I1 && tr_is_integer(output))
    return tr_unsigned_of(output) == output ? TESSERA_U64 : TESSERA_I64;
  return output;
}

tessera_status tr_reduction_find(const tessera_site *site, tr_combination *found) {
  tessera_dtype input = (tessera_dtype)site->input_type, output = (tessera_dtype)site->output_type;
  tessera_reduction reduction = (tessera_reduction)site->reduction;
  bool is_unsigned = reads_unsigned(reduction);
  *found = (tr_combination){.input = is_unsigned ? tr_unsigned_of(input) : input,
                            .output = is_unsigned ? tr_unsigned_of(output) : output,
                            .reduction = reduction};
  found->accumulator = accumulator_type(found->output, reduction);
  if (!tr_can_convert(found->input, found->output))
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "no reduction from %s to %s", tr_dtype_name(input),
                   tr_dtype_name(output));
  if (tr_can_reduce(found->accumulator, reduction))
    return TESSERA_OK;
  const char *name = tessera_reduction_name(site->reduction);
  return tr_fail(TESSERA_ERROR_UNSUPPORTED, "the reduction '%s' has no meaning for %s",
                 name && reduction != TESSERA_REDUCTION_NONE ? name : "unknown",
                 tr_dtype_name(output));
}
