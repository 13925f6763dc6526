/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Walks over layout words.
 * It must not know contexts or messages. */
#include "layout/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/error.h"

const int64_t *tr_read_dimension(const int64_t *words, tr_dimension *dimension) {
  dimension->size = *words++;
  dimension->num_factors = *words++;
  dimension->factors = words;
  tr_factor factor;
  for (int64_t i = 0; i < dimension->num_factors; i++)
    words = tr_read_factor(words, &factor);
  dimension->num_halo = *words++;
  dimension->halo = words;
  dimension->low = dimension->num_halo ? words[0] : 0;
  dimension->high = dimension->num_halo ? words[1] : 0;
  words += dimension->num_halo;
  dimension->num_offsets = *words++;
  dimension->offsets = words;
  return words + dimension->num_offsets;
}

const int64_t *tr_layout_partial(const int64_t *layout) {
  const int64_t *words = layout + 1;
  tr_dimension dimension;
  for (int64_t i = 0; i < layout[0]; i++)
    words = tr_read_dimension(words, &dimension);
  return words;
}

int64_t tessera_layout_words(const int64_t *layout) {
  const int64_t *partial = tr_layout_partial(layout);
  return partial + 1 + 2 * partial[0] - layout;
}

void tr_dimension_axes(const tr_dimension *dimension, bool *marks) {
  const int64_t *words = dimension->factors;
  for (int64_t i = 0; i < dimension->num_factors; i++) {
    tr_factor factor;
    words = tr_read_factor(words, &factor);
    for (int64_t k = 0; k < factor.num_axes; k++)
      marks[factor.axes[k]] = true;
  }
}

void tr_layout_split_axes(const int64_t *layout, bool *marks) {
  const int64_t *words = layout + 1;
  for (int64_t i = 0; i < layout[0]; i++) {
    tr_dimension dimension;
    words = tr_read_dimension(words, &dimension);
    tr_dimension_axes(&dimension, marks);
  }
}

tessera_status tr_layout_extents(const int64_t *from, const int64_t *to, const int64_t **sizes,
                                 int32_t rank, int64_t *extents) {
  if (from[0] != rank || to[0] != rank)
    return tr_fail(TESSERA_ERROR_MISMATCH, "layouts of ranks %lld and %lld for a tensor of rank %d",
                   (long long)from[0], (long long)to[0], rank);
  const int64_t *source_words = from + 1, *target_words = to + 1;
  for (int32_t i = 0; i < rank; i++) {
    tr_dimension source, target;
    source_words = tr_read_dimension(source_words, &source);
    target_words = tr_read_dimension(target_words, &target);
    extents[i] = source.size >= 0 ? source.size : target.size;
    if (source.size >= 0 && target.size >= 0)
      continue;
    if (!*sizes)
      return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "the extent of dimension %d is not given", i);
    extents[i] = *(*sizes)++;
  }
  return TESSERA_OK;
}

/* ---- numbers known at run time --------------------------------------------------------------- */

static int64_t count_unknown(const int64_t *words, int64_t count) {
  int64_t unknown = 0;
  for (int64_t i = 0; i < count; i++)
    unknown += words[i] < 0;
  return unknown;
}

int64_t tr_layout_unknowns(const int64_t *layout) {
  int64_t unknown = 0;
  const int64_t *words = layout ? layout + 1 : NULL;
  for (int64_t d = 0; layout && d < layout[0]; d++) {
    tr_dimension dimension;
    words = tr_read_dimension(words, &dimension);
    unknown += count_unknown(dimension.halo, dimension.num_halo) +
               count_unknown(dimension.offsets, dimension.num_offsets);
  }
  return unknown;
}

/* Fills in what is unknown; returns the numbers behind those that were used. */
static const int64_t *fill_in(int64_t *words, int64_t count, const int64_t *numbers) {
  for (int64_t i = 0; i < count; i++)
    if (words[i] < 0)
      words[i] = *numbers++;
  return numbers;
}

static tessera_status check_halo(int64_t d, const int64_t *halo) {
  const int64_t most = INT64_MAX / 4; /* so that a piece with its halo has a size */
  for (int side = 0; side < 2; side++)
    if (halo[side] < 0 || halo[side] > most)
      return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                     "the halo of dimension %" PRId64 " is %" PRId64 " rows %s each shard, "
                     "expected at least 0%s",
                     d, halo[side], side ? "after" : "before",
                     halo[side] < 0 ? "" : " and less than memory has");
  return TESSERA_OK;
}

/* Some are of what may be a part. */
static bool may_be_part(const int64_t *offsets, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (offsets[i] == -2)
      return true;
  return false;
}

/* `extent` is -1 where it is not known. */
static tessera_status check_offsets(int64_t d, int64_t extent, const int64_t *offsets,
                                    int64_t count) {
  bool rise = offsets[0] == 0 && (extent < 0 || offsets[count - 1] == extent);
  for (int64_t i = 1; i < count; i++)
    rise = rise && offsets[i - 1] <= offsets[i];
  if (rise)
    return TESSERA_OK;
  char text[256] = "", end[32] = "the extent";
  size_t used = 0;
  for (int64_t i = 0; i < count && used < sizeof(text); i++)
    used +=
        (size_t)snprintf(text + used, sizeof(text) - used, "%s%" PRId64, i ? ", " : "", offsets[i]);
  if (extent >= 0)
    snprintf(end, sizeof(end), "%" PRId64, extent);
  return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                 "the shard offsets of dimension %" PRId64
                 " are %s, expected numbers that rise from 0 to %s",
                 d, text, end);
}

tessera_status tr_layout_resolve(const int64_t *layout, const int64_t *numbers,
                                 const int64_t *extents, int64_t *words) {
  memcpy(words, layout, sizeof(int64_t) * (size_t)tessera_layout_words(layout));
  const int64_t *next = layout + 1;
  for (int64_t d = 0; d < layout[0]; d++) {
    tr_dimension dimension;
    next = tr_read_dimension(next, &dimension);
    int64_t *halo = words + (dimension.halo - layout);
    int64_t *offsets = words + (dimension.offsets - layout);
    const int64_t *start = numbers;
    numbers = fill_in(halo, dimension.num_halo, numbers);
    tessera_status status = numbers > start ? check_halo(d, halo) : TESSERA_OK;
    start = numbers;
    numbers = fill_in(offsets, dimension.num_offsets, numbers);
    if (!status && numbers > start && !may_be_part(dimension.offsets, dimension.num_offsets))
      status = check_offsets(d, extents[d], offsets, dimension.num_offsets);
    if (status)
      return status;
  }
  return TESSERA_OK;
}
