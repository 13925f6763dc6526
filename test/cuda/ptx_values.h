/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What instructions of PTX compute from values, which are bits.
 * It must not know memory, threads or registers. */
#ifndef TESSERA_TEST_CUDA_PTX_VALUES_H
#define TESSERA_TEST_CUDA_PTX_VALUES_H

#include "ptx.h"

static inline uint64_t ptx_cut(uint64_t value, int bits) {
  return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static inline int64_t ptx_signed(uint64_t value, int bits) {
  return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* results[0] from values[1], ...; false where the form is not known. */
bool ptx_compute(const ptx_instruction *at, const uint64_t *values, uint64_t *results);
/* What an atomic operation leaves behind. */
bool ptx_atomic(const ptx_instruction *at, uint64_t before, uint64_t value, uint64_t *after);

#endif /* TESSERA_TEST_CUDA_PTX_VALUES_H */
