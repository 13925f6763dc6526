/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reading layout words: how many there are, which axes split, which numbers hold at run time.
 * Where a rank's rows lie is program/pieces.h's business; it must not know contexts or messages. */
#ifndef TESSERA_RUNTIME_LAYOUT_H
#define TESSERA_RUNTIME_LAYOUT_H

#include <stdbool.h>

#include "tessera/runtime.h"

/* Sets marks[a] for every grid axis a below `grid_rank` that splits a dimension. */
void tr_layout_split_axes(const int64_t *layout, int32_t grid_rank, bool *marks);

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

#endif /* TESSERA_RUNTIME_LAYOUT_H */
