/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Kernels that move elements: strided copies, fills, conversions.
 * It must not know reductions or products. */
#include "element.h"
#include "parameters.h"

typedef uint32_t unit_16 __attribute__((vector_size(16)));

#define COPY_KERNEL(name, unit)                                                                    \
  KERNEL name(copy_parameters p) {                                                                 \
    for (int64_t i = first_index(); i < p.count; i += index_step()) {                              \
      int64_t rest = i, from = 0, to = 0;                                                          \
      for (int64_t dim = p.rank - 1; dim >= 0; dim--) {                                            \
        int64_t index = rest % p.sizes[dim];                                                       \
        rest /= p.sizes[dim];                                                                      \
        from += index * p.from_steps[dim];                                                         \
        to += index * p.to_steps[dim];                                                             \
      }                                                                                            \
      *(unit *)(p.to + to) = *(const unit *)(p.from + from);                                       \
    }                                                                                              \
  }

COPY_KERNEL(tessera_copy_1, uint8_t)
COPY_KERNEL(tessera_copy_2, uint16_t)
COPY_KERNEL(tessera_copy_4, uint32_t)
COPY_KERNEL(tessera_copy_8, uint64_t)
COPY_KERNEL(tessera_copy_16, unit_16)

#define FILL_KERNEL(name, unit)                                                                    \
  KERNEL name(fill_parameters p) {                                                                 \
    unit value = (unit)p.element[0];                                                               \
    for (int64_t i = first_index(); i < p.count; i += index_step())                                \
      ((unit *)p.to)[i] = value;                                                                   \
  }

FILL_KERNEL(tessera_fill_1, uint8_t)
FILL_KERNEL(tessera_fill_2, uint16_t)
FILL_KERNEL(tessera_fill_4, uint32_t)
FILL_KERNEL(tessera_fill_8, uint64_t)

KERNEL tessera_fill_16(fill_parameters p) {
  uint64_t low = p.element[0], high = p.element[1];
  for (int64_t i = first_index(); i < p.count; i += index_step()) {
    ((uint64_t *)p.to)[2 * i] = low;
    ((uint64_t *)p.to)[2 * i + 1] = high;
  }
}

KERNEL tessera_convert(convert_parameters p) {
  int64_t from_size = size_of(p.from_type), to_size = size_of(p.to_type);
  for (int64_t i = first_index(); i < p.count; i += index_step()) {
    number value = load_number(p.from_type, p.from + i * from_size);
    store_number(p.to_type, as_number_of(value, p.from_type, p.to_type), p.to + i * to_size);
  }
}
