/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Walks over layout words.
 * It must not know contexts or messages. */
#include "layout.h"

#include "error.h"

/* Behind one factor. */
static const int64_t *skip_factor(const int64_t *words) {
  return words + 2 + words[1];
}

/* Behind one dimension. */
static const int64_t *skip_dimension(const int64_t *words) {
  int64_t factors = words[1];
  words += 2;
  for (int64_t i = 0; i < factors; i++)
    words = skip_factor(words);
  words += 1 + words[0];       /* halos */
  return words + 1 + words[0]; /* offsets */
}

int64_t tessera_layout_words(const int64_t *layout) {
  const int64_t *words = layout + 1;
  for (int64_t i = 0; i < layout[0]; i++)
    words = skip_dimension(words);
  return words + 1 + 2 * words[0] - layout;
}

void tr_layout_split_axes(const int64_t *layout, int32_t grid_rank, bool *marks) {
  const int64_t *words = layout + 1;
  for (int64_t i = 0; i < layout[0]; i++) {
    const int64_t *factor = words + 2;
    for (int64_t k = 0; k < words[1]; k++, factor = skip_factor(factor))
      for (int64_t a = 0; a < factor[1]; a++)
        if (factor[2 + a] >= 0 && factor[2 + a] < grid_rank)
          marks[factor[2 + a]] = true;
    words = skip_dimension(words);
  }
}

tessera_status tr_layout_extents(const int64_t *from, const int64_t *to, const int64_t *sizes,
                                 int32_t rank, int64_t *extents) {
  if (from[0] != rank || to[0] != rank)
    return tr_fail(TESSERA_ERROR_MISMATCH, "layouts of ranks %lld and %lld for a tensor of rank %d",
                   (long long)from[0], (long long)to[0], rank);
  const int64_t *source = from + 1, *target = to + 1;
  for (int32_t i = 0; i < rank; i++) {
    extents[i] = source[0] >= 0 ? source[0] : target[0];
    if (source[0] < 0 || target[0] < 0) {
      if (!sizes)
        return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "the extent of dimension %d is not given",
                       i);
      extents[i] = *sizes++;
    }
    source = skip_dimension(source);
    target = skip_dimension(target);
  }
  return TESSERA_OK;
}
