/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Walks over layout words.
 * It must not know contexts or messages. */
#include "layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

tessera_status tr_layout_extents(const int64_t *from, const int64_t *to, const int64_t **sizes,
                                 int32_t rank, int64_t *extents) {
  if (from[0] != rank || to[0] != rank)
    return tr_fail(TESSERA_ERROR_MISMATCH, "layouts of ranks %lld and %lld for a tensor of rank %d",
                   (long long)from[0], (long long)to[0], rank);
  const int64_t *source = from + 1, *target = to + 1;
  for (int32_t i = 0; i < rank; i++) {
    extents[i] = source[0] >= 0 ? source[0] : target[0];
    if (source[0] < 0 || target[0] < 0) {
      if (!*sizes)
        return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "the extent of dimension %d is not given",
                       i);
      extents[i] = *(*sizes)++;
    }
    source = skip_dimension(source);
    target = skip_dimension(target);
  }
  return TESSERA_OK;
}

/* ---- numbers known at run time --------------------------------------------------------------- */

/* The words of one dimension that may be known at run time only. */
typedef struct ends {
  int64_t num_halo, num_offsets;
  int64_t halo, offsets; /* positions in the layout */
} ends;

/* Of the dimension at position `at` of the layout; returns the position behind it. */
static int64_t find_ends(const int64_t *layout, int64_t at, ends *ends) {
  const int64_t *words = layout + at + 2;
  for (int64_t i = 0; i < layout[at + 1]; i++)
    words = skip_factor(words);
  ends->num_halo = words[0];
  ends->halo = words + 1 - layout;
  words += 1 + words[0];
  ends->num_offsets = words[0];
  ends->offsets = words + 1 - layout;
  return ends->offsets + ends->num_offsets;
}

static int64_t count_unknown(const int64_t *words, int64_t count) {
  int64_t unknown = 0;
  for (int64_t i = 0; i < count; i++)
    unknown += words[i] == -1;
  return unknown;
}

int64_t tr_layout_unknowns(const int64_t *layout) {
  int64_t unknown = 0, at = 1;
  for (int64_t d = 0; layout && d < layout[0]; d++) {
    ends ends;
    at = find_ends(layout, at, &ends);
    unknown += count_unknown(layout + ends.halo, ends.num_halo) +
               count_unknown(layout + ends.offsets, ends.num_offsets);
  }
  return unknown;
}

/* Fills in what is unknown; returns the numbers behind those that were used. */
static const int64_t *fill_in(int64_t *words, int64_t count, const int64_t *numbers) {
  for (int64_t i = 0; i < count; i++)
    if (words[i] == -1)
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
  int64_t at = 1;
  for (int64_t d = 0; d < layout[0]; d++) {
    ends ends;
    at = find_ends(layout, at, &ends);
    const int64_t *start = numbers;
    numbers = fill_in(words + ends.halo, ends.num_halo, numbers);
    tessera_status status = numbers > start ? check_halo(d, words + ends.halo) : TESSERA_OK;
    start = numbers;
    numbers = fill_in(words + ends.offsets, ends.num_offsets, numbers);
    if (!status && numbers > start)
      status = check_offsets(d, extents[d], words + ends.offsets, ends.num_offsets);
    if (status)
      return status;
  }
  return TESSERA_OK;
}
