/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Walks a program's record, table by table, and finds what cannot be.
 * It must not know contexts, or where the record came from. */
#include "program/record.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "context/context.h"
#include "planes/product.h"
#include "program/device_record.h"
#include "program/tensor.h"
#include "support/error.h"

/* No program has more rows in a table, or more shards of a tensor; no dimension more factors. */
enum { MOST_ROWS = 1 << 20, MOST_FACTORS = 1 << 10 };

/* Where the walk is: "entry 'main', argument 0". */
typedef struct place {
  const char *program;
  char text[192];
} place;

static bool damaged(const place *place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool damaged(const place *place, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  tr_fail(TESSERA_ERROR_MISMATCH, "%s carries a damaged program record: %s: %s", place->program,
          place->text, text);
  return false;
}

static place place_at(const place *outer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static place place_at(const place *outer, const char *format, ...) {
  place inner = {.program = outer->program};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(inner.text, sizeof(inner.text), format, arguments);
  va_end(arguments);
  return inner;
}

/* ---- numbers and pointers -------------------------------------------------------------------- */

static bool has_number(const place *place, const char *what, int64_t value, int64_t lowest,
                       int64_t highest) {
  if (value >= lowest && value <= highest)
    return true;
  return lowest == highest
             ? damaged(place, "%s is %" PRId64 ", expected %" PRId64, what, value, lowest)
             : damaged(place, "%s is %" PRId64 ", expected %" PRId64 " to %" PRId64, what, value,
                       lowest, highest);
}

/* Nothing lies in the first page, nor across the alignment of its type. */
static bool has_address(const place *place, const char *what, const void *pointer,
                        size_t alignment) {
  enum { PAGE = 4096 };
  if (!pointer)
    return damaged(place, "%s: there is none", what);
  return ((uintptr_t)pointer >= PAGE && (uintptr_t)pointer % alignment == 0) ||
         damaged(place, "%s: %p is no address of it", what, pointer);
}

static bool has_table(const place *place, const char *what, const void *rows, int64_t count,
                      int64_t most, size_t alignment) {
  char number[64];
  snprintf(number, sizeof(number), "the number of %s", what);
  return has_number(place, number, count, 0, most) &&
         (count == 0 || has_address(place, what, rows, alignment));
}

static bool has_text(const place *place, const char *what, const char *text) {
  return has_address(place, what, text, 1);
}

static bool has_type(const place *place, const char *what, int32_t type) {
  return tessera_dtype_size((tessera_dtype)type) != 0 ||
         damaged(place, "%s is %d, which is no element type", what, type);
}

/* Some calls have no tensors, or results without a float type: 0. */
static bool has_type_or_none(const place *place, const char *what, int32_t type) {
  return type == 0 || has_type(place, what, type);
}

/* ---- grids ----------------------------------------------------------------------------------- */

static bool check_grid(const place *place, const tessera_grid *grid) {
  if (!has_address(place, "the grid", grid, _Alignof(tessera_grid)) ||
      !has_number(place, "the size of its grid's record", grid->struct_size, sizeof(*grid),
                  MOST_ROWS) ||
      !has_text(place, "its grid's name", grid->name) ||
      !has_table(place, "its grid's axes", grid->shape, grid->rank, TR_VIEW_RANK,
                 _Alignof(int64_t)))
    return false;
  for (int32_t i = 0; i < grid->rank; i++)
    if (!has_number(place, "an extent of its grid", grid->shape[i], -1, INT32_MAX))
      return false;
  return true;
}

static bool check_axes(const place *place, const tessera_grid *grid, const int32_t *axes,
                       int32_t num) {
  if (!has_table(place, "axes", axes, num, grid ? grid->rank : 0, _Alignof(int32_t)))
    return false;
  for (int32_t i = 0; i < num; i++)
    if (!has_number(place, "an axis", axes[i], 0, grid->rank - 1))
      return false;
  return true;
}

/* ---- layouts -----------------------------------------------------------------------------------
 * Each reads the words behind those that are known to be right, and returns what lies behind its
 * own; NULL after a message. */

/* `*shards` becomes their number; -1: known at the launch. */
static const int64_t *walk_axes(const place *place, const tessera_grid *grid, const int64_t *words,
                                int64_t *shards) {
  int64_t num = *words++;
  if (!has_number(place, "the number of a layout's axes", num, 0, grid->rank))
    return NULL;
  for (int64_t i = 0; i < num; i++, words++) {
    if (!has_number(place, "an axis of a layout", *words, 0, grid->rank - 1))
      return NULL;
    int64_t extent = grid->shape[*words];
    if (*shards < 0 || extent < 0 || __builtin_mul_overflow(*shards, extent, shards))
      *shards = -1;
  }
  return words;
}

/* `count` words of at least `least`, and so small that a piece with its halo has a size. */
static const int64_t *walk_numbers(const place *place, const char *what, const int64_t *words,
                                   int64_t count, int64_t least) {
  for (int64_t i = 0; i < count; i++)
    if (!has_number(place, what, words[i], least, INT64_MAX / 4))
      return NULL;
  return words + count;
}

static const int64_t *walk_halo(const place *place, const int64_t *words, int64_t factors) {
  int64_t num = *words++;
  if (num != 0 && (factors != 1 || num != 2)) {
    damaged(place, "%" PRId64 " halo sizes of a dimension of %" PRId64 " factors", num, factors);
    return NULL;
  }
  return walk_numbers(place, "a halo size", words, num, -1);
}

static const int64_t *walk_offsets(const place *place, const int64_t *words, int64_t factors,
                                   int64_t shards, int64_t least) {
  int64_t num = *words++;
  bool fits =
      num == 0 || (factors == 1 && (shards < 0 ? num >= 2 && num <= MOST_ROWS : num == shards + 1));
  if (!fits) {
    damaged(place, "%" PRId64 " shard offsets of a dimension of %" PRId64 " factors", num, factors);
    return NULL;
  }
  return walk_numbers(place, "a shard offset", words, num, least);
}

static const int64_t *walk_dimension(const place *place, const tessera_grid *grid,
                                     const int64_t *words, int64_t least) {
  words = walk_numbers(place, "an extent of a layout", words, 1, -1);
  if (!words || !has_number(place, "the number of a dimension's factors", *words, 1, MOST_FACTORS))
    return NULL;
  int64_t factors = *words++, shards = 1;
  for (int64_t i = 0; words && i < factors; i++) {
    words = walk_numbers(place, "a factor's extent", words, 1, -1);
    words = words ? walk_axes(place, grid, words, &shards) : NULL;
  }
  words = words ? walk_halo(place, words, factors) : NULL;
  return words ? walk_offsets(place, words, factors, shards, least) : NULL;
}

/* `least` of the offsets: -2 where they may be those of a part. */
static bool check_layout(const place *place, const tessera_grid *grid, const int64_t *words,
                         int32_t rank, int64_t least) {
  if (!has_address(place, "the layout", words, _Alignof(int64_t)) ||
      !has_number(place, "the rank of a layout", *words, rank, rank))
    return false;
  words++;
  for (int32_t i = 0; words && i < rank; i++)
    words = walk_dimension(place, grid, words, least);
  if (!words || !has_number(place, "the number of a layout's partial axes", *words, 0, grid->rank))
    return false;
  for (int64_t i = 0, num = *words++; i < num; i++, words += 2)
    if (!has_number(place, "a partial axis", words[0], 0, grid->rank - 1) ||
        !has_number(place, "the reduction over a partial axis", words[1], TESSERA_SUM,
                    TESSERA_MINNUM))
      return false;
  return true;
}

/* ---- sites ----------------------------------------------------------------------------------- */

/* update_halo: the axes that split each dimension. */
static bool check_split_axes(const place *place, const tessera_site *site) {
  const int64_t *words = site->from;
  int64_t shards = 1;
  if (!has_address(place, "the split axes", words, _Alignof(int64_t)) ||
      !has_number(place, "the number of dimensions with split axes", *words, 0, site->input_rank))
    return false;
  for (int64_t i = *words++; words && i > 0; i--)
    words = walk_axes(place, site->grid, words, &shards);
  return words;
}

/* conv: a number for each dimension of the window. */
static bool check_window(const place *place, const tessera_site *site, const char *what,
                         const int64_t *words) {
  if (!has_address(place, what, words, _Alignof(int64_t)))
    return false;
  for (int32_t i = TR_CONV_WINDOW; i < site->input_rank; i++)
    if (!has_number(place, what, *words++, 1, INT32_MAX))
      return false;
  return true;
}

static bool check_conv(const place *place, const tessera_site *site) {
  return has_number(place, "the rank of its input", site->input_rank, TR_CONV_WINDOW + 1,
                    TR_VIEW_RANK / 2) &&
         has_number(place, "the rank of its output", site->output_rank, site->input_rank,
                    site->input_rank) &&
         check_window(place, site, "a step of the window", site->from) &&
         check_window(place, site, "a dilation of the window", site->to);
}

static bool check_site_layouts(const place *place, const tessera_site *site) {
  if (site->kind == TESSERA_SITE_CONV)
    return check_conv(place, site);
  if (site->kind == TESSERA_SITE_UPDATE_HALO)
    return check_split_axes(place, site);
  if (site->kind != TESSERA_SITE_EXCHANGE)
    return true;
  return check_layout(place, site->grid, site->from, site->input_rank, -1) &&
         check_layout(place, site->grid, site->to, site->input_rank, -2);
}

static bool check_site_numbers(const place *place, const tessera_site *site) {
  int64_t most = site->kind == TESSERA_SITE_SHIFT ? site->grid->rank : TR_VIEW_RANK;
  return has_number(place, "the rank of its input", site->input_rank, 0, TR_VIEW_RANK) &&
         has_number(place, "the rank of its output", site->output_rank, 0, TR_VIEW_RANK) &&
         has_type_or_none(place, "the type of its input", site->input_type) &&
         has_type_or_none(place, "the type of its output", site->output_type) &&
         has_number(place, "its reduction", site->reduction, 0, TESSERA_MINNUM) &&
         has_number(place, "its axis", site->axis, 0, most - 1) &&
         has_number(place, "its second axis", site->concat_axis, 0, TR_VIEW_RANK - 1);
}

static bool check_site(const place *outer, const tessera_site *site, int32_t index) {
  place place = place_at(outer, "site %d", index);
  if (!has_address(&place, "its record", site, _Alignof(tessera_site)) ||
      !has_number(&place, "the size of its record", site->struct_size, sizeof(*site), MOST_ROWS) ||
      !has_text(&place, "its name", site->name) ||
      !has_text(&place, "its location", site->location) ||
      !has_number(&place, "its kind", site->kind, TESSERA_SITE_ALL_GATHER, TESSERA_SITE_COPY) ||
      !has_number(&place, "its index", site->index, index, index))
    return false;
  place = place_at(outer, "site %d (%.64s at %.64s)", index, site->name, site->location);
  if ((site->grid || site->kind <= TESSERA_SITE_QUERY) && !check_grid(&place, site->grid))
    return false;
  return check_axes(&place, site->grid, site->axes, site->num_axes) &&
         check_site_numbers(&place, site) && check_site_layouts(&place, site);
}

/* ---- entries --------------------------------------------------------------------------------- */

static bool check_shape(const place *place, const tessera_parameter *parameter) {
  if (!has_number(place, "its rank", parameter->rank, -1, TR_MAX_RANK))
    return false;
  if (parameter->rank > 0 && !has_address(place, "its shape", parameter->shape, _Alignof(int64_t)))
    return false;
  return parameter->rank <= 0 ||
         walk_numbers(place, "an extent", parameter->shape, parameter->rank, -1);
}

static bool check_parameter(const place *place, const tessera_program_record *record,
                            const tessera_parameter *parameter) {
  if (!has_number(place, "the size of its record", parameter->struct_size, sizeof(*parameter),
                  sizeof(*parameter)) ||
      !has_type(place, "its element type", parameter->dtype) || !check_shape(place, parameter) ||
      !has_number(place, "its grid", parameter->grid, -1, record->num_grids - 1) ||
      !has_text(place, "its name", parameter->name) ||
      !has_text(place, "the name of its element type", parameter->element) ||
      !has_type_or_none(place, "the type that it is computed in", parameter->computed_in))
    return false;
  if (parameter->range && !has_address(place, "its range", parameter->range, _Alignof(double)))
    return false;
  if (!parameter->layout)
    return true;
  if (parameter->grid < 0)
    return damaged(place, "it has a layout, but no grid");
  return check_layout(place, record->grids[parameter->grid], parameter->layout,
                      parameter->rank < 0 ? 0 : parameter->rank, -1);
}

static bool check_parameters(const place *outer, const tessera_program_record *record,
                             const char *entry, const char *kind,
                             const tessera_parameter *parameters, int32_t num) {
  char kinds[16];
  snprintf(kinds, sizeof(kinds), "%ss", kind);
  if (!has_table(outer, kinds, parameters, num, MOST_ROWS, _Alignof(tessera_parameter)))
    return false;
  for (int32_t i = 0; i < num; i++) {
    place place = place_at(outer, "entry '%.128s', %s %d", entry, kind, i);
    if (!check_parameter(&place, record, &parameters[i]))
      return false;
  }
  return true;
}

static bool has_function(const place *place, const char *what, tessera_packed_function function) {
  return has_address(place, what, (const void *)(uintptr_t)function, 1);
}

/* Records of before there were resolvers end sooner. */
static bool check_resolver(const place *place, const tessera_entry *entry) {
  if (entry->struct_size < offsetof(tessera_entry, num_resolved) + sizeof(entry->num_resolved))
    return true;
  if (entry->resolve && !has_function(place, "its resolver", entry->resolve))
    return false;
  return has_number(place, "how many numbers it resolves", entry->num_resolved, 0, MOST_ROWS);
}

/* All rows of the table are as long as the first. */
static bool check_entry(const place *outer, const tessera_program_record *record,
                        const tessera_entry *entry, int32_t index) {
  place place = place_at(outer, "entry %d", index);
  uint32_t size = record->entries->struct_size;
  if (!has_number(&place, "the size of its record", entry->struct_size, size, size) ||
      !has_text(&place, "its name", entry->name))
    return false;
  place = place_at(outer, "entry '%.128s'", entry->name);
  return has_function(&place, "its function", entry->function) && check_resolver(&place, entry) &&
         check_parameters(&place, record, entry->name, "argument", entry->arguments,
                          entry->num_arguments) &&
         check_parameters(&place, record, entry->name, "result", entry->results,
                          entry->num_results);
}

static bool check_entries(const place *outer, const tessera_program_record *record) {
  place first = place_at(outer, "entry 0");
  if (record->num_entries == 0)
    return true;
  int64_t size = record->entries->struct_size;
  if (!has_number(&first, "the size of its record", size, offsetof(tessera_entry, resolve),
                  MOST_ROWS))
    return false;
  if (size % (int64_t)_Alignof(tessera_entry) != 0)
    return damaged(&first, "the size of its record is %" PRId64 ", which does not align the next",
                   size);
  for (int32_t i = 0; i < record->num_entries; i++) {
    const char *row = (const char *)record->entries + (int64_t)i * size;
    if (!check_entry(outer, record, (const tessera_entry *)(const void *)row, i))
      return false;
  }
  return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool check_tables(const place *place, const tessera_program_record *record) {
  return has_text(place, "the name of its source", record->source) &&
         has_table(place, "grids", record->grids, record->num_grids, MOST_ROWS,
                   _Alignof(tessera_grid *)) &&
         has_table(place, "groups", record->groups, record->num_groups, MOST_ROWS,
                   _Alignof(tessera_group_record)) &&
         has_table(place, "sites", record->sites, record->num_sites, MOST_ROWS,
                   _Alignof(tessera_site *)) &&
         has_table(place, "entries", record->entries, record->num_entries, MOST_ROWS,
                   _Alignof(tessera_entry));
}

static bool check_rows(const place *outer, const tessera_program_record *record) {
  for (int32_t i = 0; i < record->num_grids; i++) {
    place place = place_at(outer, "grid %d", i);
    if (!check_grid(&place, record->grids[i]))
      return false;
  }
  for (int32_t i = 0; i < record->num_groups; i++) {
    const tessera_group_record *group = &record->groups[i];
    place place = place_at(outer, "group %d", i);
    if (!check_grid(&place, group->grid) ||
        !check_axes(&place, group->grid, group->axes, group->num_axes))
      return false;
  }
  for (int32_t i = 0; i < record->num_sites; i++)
    if (!check_site(outer, record->sites[i], i))
      return false;
  return check_entries(outer, record);
}

tessera_status tr_record_check(const tessera_program_record *record, const char *name) {
  place place = {.program = name, .text = "its tables"};
  if (record->abi_version != TESSERA_ABI_VERSION)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "%s was compiled for version %u of the runtime's interface; this libtessera has "
                   "version %u",
                   name, record->abi_version, TESSERA_ABI_VERSION);
  bool sound = has_number(&place, "the size of the record", record->struct_size,
                          offsetof(tessera_program_record, device_code), MOST_ROWS) &&
               check_tables(&place, record) && check_rows(&place, record);
  return sound ? tr_device_code_check(tr_record_device_code(record), name) : TESSERA_ERROR_MISMATCH;
}
