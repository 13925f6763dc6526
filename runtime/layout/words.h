/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reading layout words: how many there are, which axes split, which numbers hold at run time.
 * Where a rank's rows lie is layout/pieces.h's business; it must not know contexts or messages. */
#ifndef TESSERA_RUNTIME_LAYOUT_WORDS_H
#define TESSERA_RUNTIME_LAYOUT_WORDS_H

#include <stdbool.h>

#include "tessera/runtime.h"

/* One dimension of a layout, pointing into its words. */
typedef struct tr_dimension {
  int64_t size; /* -1: unknown */
  int64_t num_factors;
  const int64_t *factors; /* num_factors times what tr_read_factor reads */
  int64_t num_halo;       /* 0, or 2 */
  const int64_t *halo;
  int64_t low, high; /* the halo's sizes; 0 where there is none */
  int64_t num_offsets;
  const int64_t *offsets;
} tr_dimension;

typedef struct tr_factor {
  int64_t size;
  int64_t num_axes;
  const int64_t *axes;
} tr_factor;

/* Both return what lies behind. A layout's first dimension begins at its word 1. */
const int64_t *tr_read_dimension(const int64_t *words, tr_dimension *dimension);
static inline const int64_t *tr_read_factor(const int64_t *words, tr_factor *factor) {
  *factor = (tr_factor){words[0], words[1], words + 2};
  return words + 2 + factor->num_axes;
}

/* What lies behind the last dimension: the number of partial axes, then (axis, reduction) each. */
const int64_t *tr_layout_partial(const int64_t *layout);

/* Sets marks[a] for every grid axis a that splits the dimension, or any dimension. */
void tr_dimension_axes(const tr_dimension *dimension, bool *marks);
void tr_layout_split_axes(const int64_t *layout, bool *marks);

/* The global extents of a tensor that both layouts describe: known ones from either, the others
 * from `*sizes`, in dimension order, which is moved behind them. Fails if the ranks differ, or if
 * one is missing. */
tessera_status tr_layout_extents(const int64_t *from, const int64_t *to, const int64_t **sizes,
                                 int32_t rank, int64_t *extents);

/* The halo sizes and offsets that are -1 in the layout (NULL: none): known only at run time. */
int64_t tr_layout_unknowns(const int64_t *layout);

/* Copies the layout to `words` with `numbers`, one for each of those, in place of them. Fails where
 * they cannot be: `extents` are those of the tensor (-1: unknown). */
tessera_status tr_layout_resolve(const int64_t *layout, const int64_t *numbers,
                                 const int64_t *extents, int64_t *words);

#endif /* TESSERA_RUNTIME_LAYOUT_WORDS_H */
