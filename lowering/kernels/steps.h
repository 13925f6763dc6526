/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What one step of a nest's outer loops touches of memory. It knows nests; it must not know
 * kernels. */
#ifndef TESSERA_LOWERING_KERNELS_STEPS_H
#define TESSERA_LOWERING_KERNELS_STEPS_H

#include "lowering/kernels/nest.h"

/* Element number i of one is that of the other. */
bool ts_steps_same_base(const ts_buffer *a, const ts_buffer *b);

int64_t ts_steps_element_bytes(const ts_buffer *memory);

/* Elements from the first to the last that loops `first` and on go through; -1 if only the launch
 * knows. */
int64_t ts_steps_span(const ts_nest *nest, const ts_access *access, int first);

/* Elements that loops `first` and on go through; -1 if only the launch knows. */
int64_t ts_steps_elements(const ts_nest *nest, const ts_access *access, int first);
/* One of the two. */
typedef int64_t ts_steps_count(const ts_nest *nest, const ts_access *access, int first);

/* Every step of the first `shared` loops has elements of its own. */
bool ts_steps_are_apart(const ts_nest *nest, const ts_access *access, int shared);
/* One step of the first `shared` loops goes as far in both. */
bool ts_steps_are_same(const ts_access *a, const ts_access *b, int shared);

#endif /* TESSERA_LOWERING_KERNELS_STEPS_H */
