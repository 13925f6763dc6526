/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Slices and insertions of unit strides whose numbers the run may tell. It must not know what they
 * are for. */
#ifndef TESSERA_PLUGIN_STRUCTURED_SLICES_H
#define TESSERA_PLUGIN_STRUCTURED_SLICES_H

#include "ir/build.h"

/* An offset, a size, or a width of padding. */
typedef struct ts_told {
  int64_t known;     /* the dynamic size where only the run knows */
  MlirValue at_last; /* then this index */
} ts_told;

bool ts_told_is_known(ts_told number);
ts_told ts_told_known(int64_t number);
ts_told ts_told_by(MlirValue index);

/* Numbers as the attribute of a list; the indices of those that the run tells go to the end of
 * `operands`. */
MlirAttribute ts_told_list(MlirContext context, intptr_t num, const ts_told *numbers,
                           intptr_t *num_operands, MlirValue *operands);

/* `rank` is that of the tensors, which slices have too. */
MlirValue ts_make_extract_slice(const ts_maker *build, MlirValue tensor, intptr_t rank,
                                const ts_told *offsets, const ts_told *sizes);
MlirValue ts_make_insert_slice(const ts_maker *build, MlirValue slice, MlirValue into,
                               intptr_t rank, const ts_told *offsets, const ts_told *sizes);

/* Drops the slice, insertion or join that made `value` if nobody uses it, and then what made its
 * parts alike. */
void ts_drop_unused_parts(MlirValue value);

#endif /* TESSERA_PLUGIN_STRUCTURED_SLICES_H */
