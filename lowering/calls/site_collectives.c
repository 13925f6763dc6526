/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The site records of collectives: what their ops say, checked. It knows the table of collectives;
 * it must not know what is called. */
#include <string.h>

#include "capi/capi.h"
#include "lowering/calls/site_members.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sharding/notation.h"
#include "support/diagnostics.h"
#include "tessera/runtime.h"

bool ts_is_on_memory(MlirOperation op) {
  return ts_collective_of(op) &&
         (!mlirTypeIsATensor(mlirValueGetType(mlirOperationGetOperand(op, 0))) ||
          !mlirTypeIsATensor(mlirValueGetType(mlirOperationGetResult(op, 0))));
}

static bool read_reduction(MlirOperation op, int32_t *reduction) {
  MlirAttribute attribute = ts_attribute(op, "reduction");
  MlirStringRef flavour = ts_op_symbol(op, "tessera.reduction");
  *reduction = TESSERA_REDUCTION_NONE;
  if (mlirAttributeIsNull(attribute) || !ts_attr_is_partial(attribute))
    return true;
  int32_t kind = ts_partial_get(attribute);
  if (kind > TESSERA_XOR)
    return ts_error_at(mlirOperationGetLocation(op),
                       "a generic reduction has no runtime operation");
  *reduction = (int32_t)ts_reduction_from(kind, flavour);
  return *reduction != TESSERA_REDUCTION_NONE ||
         ts_error_at(mlirOperationGetLocation(op),
                     "tessera.reduction is \"%.*s\" where the reduction is %s; expected umax or "
                     "maxnum with max, umin or minnum with min",
                     (int)flavour.length, flavour.data, ts_reduction_text((ts_reduction)kind));
}

/* Reductions happen in the result's element type. */
static bool check_reduction(MlirOperation op, const ts_site_members *site) {
  if (site->reduction == TESSERA_REDUCTION_NONE)
    return true;
  char from[128], to[128];
  MlirType input = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType result = mlirValueGetType(mlirOperationGetResult(op, 0));
  ts_type_text(mlirShapedTypeGetElementType(input), from, sizeof(from));
  ts_type_text(mlirShapedTypeGetElementType(result), to, sizeof(to));
  MlirLocation location = mlirOperationGetLocation(op);
  if (!ts_reduction_has_meaning(site->reduction, site->output_type))
    return ts_error_at(location, "reduction %s has no meaning for %s",
                       ts_reduction_text((ts_reduction)site->reduction), to);
  if (!ts_reduction_converts(site->input_type, site->output_type))
    return ts_error_at(location,
                       "no reduction from %s to %s: the input's elements have no meaning in the "
                       "result's type; expected integers, or floats for floats, or complex "
                       "numbers for complex ones",
                       from, to);
  return true;
}

bool ts_sites_check_axis(MlirLocation location, const ts_grid *grid, int axis, ts_axes *seen) {
  if (axis < 0 || axis >= grid->rank)
    return ts_error_at(location, "grid axis %d is not one of @%s's %d", axis, grid->name,
                       grid->rank);
  ts_axes bit = (ts_axes)1 << axis;
  if (*seen & bit)
    return ts_error_at(location, "grid axis %d of @%s is named twice", axis, grid->name);
  *seen |= bit;
  return true;
}

/* The grid axes of the op's group, checked against the grid. */
static bool read_axes(MlirOperation op, ts_site_members *site) {
  MlirAttribute axes = ts_attribute(op, "grid_axes");
  if (mlirAttributeIsNull(axes))
    return true;
  ts_axes seen = 0;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(axes); i++) {
    int axis = mlirDenseI16ArrayGetElement(axes, i);
    if (!ts_sites_check_axis(mlirOperationGetLocation(op), site->grid, axis, &seen))
      return false;
    site->axes[site->num_axes++] = axis;
  }
  return true;
}

/* Layout words of a dictionary like tessera.layout, as a constant. */
static bool read_layout(ts_sites *sites, MlirOperation op, const char *name, ts_site_members *site,
                        const char **symbol) {
  ts_arena *arena = sites->records->arena;
  MlirType global;
  const char *mistake;
  const ts_sharding *sharding =
      ts_layout_from_attribute(&sites->grids, ts_attribute(op, name), &global, &mistake);
  if (!sharding)
    return ts_error_at(mlirOperationGetLocation(op), "`%s` is not a layout: %s", name, mistake);
  int64_t num = ts_layout_to_words(sharding, NULL);
  int64_t *words = TS_NEW(arena, int64_t, num);
  ts_layout_to_words(sharding, words);
  *symbol = ts_record_i64(sites->records, num, words);
  site->grid = sharding->grid;
  return true;
}

/* An exchange spans its whole grid. */
static bool read_exchange(ts_sites *sites, MlirOperation op, ts_site_members *site) {
  if (!read_layout(sites, op, "from", site, &site->from) ||
      !read_layout(sites, op, "to", site, &site->to))
    return false;
  if (!mlirAttributeIsNull(ts_attribute(op, "tessera.received")))
    site->flags |= TESSERA_SITE_RECEIVED;
  site->num_axes = site->grid->rank;
  for (int a = 0; a < site->grid->rank; a++)
    site->axes[a] = a;
  return true;
}

/* Two for each split dimension, as the runtime reads them. */
static bool check_halo_sizes(MlirOperation op, MlirAttribute lists) {
  const int16_t *axes;
  intptr_t split = 0;
  for (intptr_t d = 0; d < ts_axis_array_size(lists); d++)
    split += ts_axis_array_get(lists, d, &axes) > 0;
  MlirAttribute sizes = ts_attribute(op, "static_halo_sizes");
  intptr_t given = mlirAttributeIsNull(sizes) ? 0 : mlirDenseArrayGetNumElements(sizes);
  MlirLocation location = mlirOperationGetLocation(op);
  if (given != 2 * split)
    return ts_error_at(location,
                       "needs two halo sizes for each of %d split dimensions, not %d in all",
                       (int)split, (int)given);
  for (intptr_t i = 0; i < given; i++) {
    int64_t size = mlirDenseI64ArrayGetElement(sizes, i);
    if (size < 0 && size != mlirShapedTypeGetDynamicSize())
      return ts_error_at(location, "halo size %lld: expected at least 0", (long long)size);
  }
  return true;
}

/* update_halo: the axes that split each dimension, as words. */
static bool read_halo(ts_sites *sites, MlirOperation op, ts_site_members *site) {
  MlirAttribute lists = ts_attribute(op, "split_axes");
  intptr_t num = ts_axis_array_size(lists), used = 0;
  if (num > site->input_rank)
    return ts_error_at(mlirOperationGetLocation(op), "%d lists of split axes for %d dimensions",
                       (int)num, site->input_rank);
  int64_t words[1 + TS_MAX_RANK + TS_MAX_AXES] = {0};
  words[used++] = num;
  ts_axes seen = 0;
  for (intptr_t d = 0; d < num; d++) {
    const int16_t *axes;
    intptr_t count = ts_axis_array_get(lists, d, &axes);
    words[used++] = count;
    for (intptr_t i = 0; i < count; i++) {
      if (!ts_sites_check_axis(mlirOperationGetLocation(op), site->grid, axes[i], &seen))
        return false;
      words[used++] = axes[i];
      site->axes[site->num_axes++] = axes[i];
    }
  }
  site->from = ts_record_i64(sites->records, used, words);
  return check_halo_sizes(op, lists);
}

/* A halo may reach beyond the neighbour's shard: where shards need not be of one size, what the
 * others hold has to be known. */
static bool has_dynamic_shards(MlirOperation op) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirAttribute lists = ts_attribute(op, "split_axes");
  const int16_t *axes;
  for (intptr_t d = 0; d < ts_axis_array_size(lists) && d < mlirShapedTypeGetRank(type); d++)
    if (ts_axis_array_get(lists, d, &axes) > 0 && mlirShapedTypeIsDynamicDim(type, d))
      return true;
  return false;
}

/* Upstream's ops carry no global sizes: where a length is known only at run time, the pieces are
 * whatever the devices hold. */
static bool has_local_sizes(MlirOperation op, const ts_collective *row) {
  if (row->group == TS_GROUP_OF_SPLITS)
    return has_dynamic_shards(op);
  if (row->extents == TS_EXTENTS_GIVEN || !row->joins)
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  return mlirShapedTypeIsDynamicDim(type, ts_op_int(op, row->joins, 0));
}

/* Every device runs this op on pieces of its type: where that says how long they are, all are so
 * long. Members cannot see it from the undivided side where that is one member's alone. */
static bool has_even_sizes(MlirOperation op, const ts_collective *row) {
  const char *axis = row->joins ? row->joins : row->cuts;
  if (row->words != TS_MEMBER_WORDS || !axis)
    return false;
  MlirValue piece = row->joins ? mlirOperationGetOperand(op, 0) : mlirOperationGetResult(op, 0);
  return !mlirShapedTypeIsDynamicDim(mlirValueGetType(piece), ts_op_int(op, axis, 0));
}

static bool read_types(MlirOperation op, ts_site_members *site) {
  MlirType input = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType output = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirLocation location = mlirOperationGetLocation(op);
  if (!mlirTypeIsAShaped(input) || !mlirShapedTypeHasRank(input) ||
      !mlirShapedTypeHasRank(output) || mlirShapedTypeGetRank(output) > TS_MAX_RANK)
    return ts_error_at(location, "collectives take ranked tensors of up to %d dimensions",
                       TS_MAX_RANK);
  site->input_rank = (int32_t)mlirShapedTypeGetRank(input);
  site->output_rank = (int32_t)mlirShapedTypeGetRank(output);
  int32_t (*dtype)(MlirType) = site->reduction ? ts_dtype : ts_dtype_to_move;
  site->input_type = dtype(mlirShapedTypeGetElementType(input));
  site->output_type = dtype(mlirShapedTypeGetElementType(output));
  char text[128];
  ts_type_text(mlirShapedTypeGetElementType(site->input_type ? output : input), text, sizeof(text));
  if (site->input_type == 0 || site->output_type == 0)
    return ts_error_at(location, "element type %s has no runtime representation", text);
  return true;
}

/* Upstream's verifier knows the coordinates that are too large. */
static bool check_device(MlirOperation op, const ts_collective *row) {
  if (row->words != TS_MEMBER_WORDS)
    return true;
  MlirAttribute words = ts_attribute(op, row->words_in);
  intptr_t num = mlirAttributeIsNull(words) ? 0 : mlirDenseArrayGetNumElements(words);
  for (intptr_t i = 0; i < num; i++) {
    int64_t coordinate = mlirDenseI64ArrayGetElement(words, i);
    if (coordinate < 0 && coordinate != mlirShapedTypeGetDynamicSize())
      return ts_error_at(mlirOperationGetLocation(op),
                         "coordinate %d of `%s` is %lld: expected at least 0", (int)i,
                         row->words_in, (long long)coordinate);
  }
  return true;
}

/* Those that the runtime looks at: the cut one where pieces are also joined. */
static void read_axes_of_tensor(MlirOperation op, const ts_collective *row, ts_site_members *site) {
  const char *axis = row->cuts ? row->cuts : row->joins ? row->joins : row->along;
  if (axis)
    site->axis = (int32_t)ts_op_int(op, axis, 0);
  if (row->joins && row->cuts)
    site->concat_axis = (int32_t)ts_op_int(op, row->joins, 0);
  if (!row->along)
    return;
  site->offset = ts_op_int(op, "offset", 0);
  if (!mlirAttributeIsNull(ts_attribute(op, "rotate")))
    site->flags |= TESSERA_SITE_ROTATE;
}

static bool read_collective(ts_sites *sites, MlirOperation op, const ts_collective *row,
                            ts_site_members *site) {
  *site = (ts_site_members){.kind = (uint32_t)row->kind,
                            .name = mlirIdentifierStr(mlirOperationGetName(op))};
  read_axes_of_tensor(op, row, site);
  if (!read_reduction(op, &site->reduction) || !read_types(op, site) || !check_reduction(op, site))
    return false;
  if (row->group == TS_GROUP_OF_LAYOUTS)
    return read_exchange(sites, op, site);
  if (has_local_sizes(op, row))
    site->flags |= TESSERA_SITE_LOCAL_SIZES;
  if (has_even_sizes(op, row))
    site->flags |= TESSERA_SITE_EVEN_SIZES;
  site->grid = ts_sites_grid(sites, op);
  if (!site->grid)
    return false;
  if (row->group == TS_GROUP_OF_SPLITS)
    return read_halo(sites, op, site);
  return read_axes(op, site) && check_device(op, row);
}

static void check_combination(MlirOperation op, void *user) {
  bool *good = user;
  ts_site_members site = {0};
  if (!ts_collective_of(op))
    return;
  *good &= read_reduction(op, &site.reduction) &&
           (!site.reduction || (read_types(op, &site) && check_reduction(op, &site)));
}

bool ts_sites_check_reductions(MlirOperation module) {
  bool good = true;
  ts_each_op(module, check_combination, &good);
  return good;
}

typedef struct site_walk {
  ts_sites *sites;
  bool failed;
} site_walk;

static void make_site(MlirOperation op, void *user) {
  site_walk *walk = user;
  const ts_collective *row = ts_collective_of(op);
  if (!row || !mlirAttributeIsNull(ts_attribute(op, "tessera.site")))
    return;
  ts_site_members site;
  if (!read_collective(walk->sites, op, row, &site)) {
    walk->failed = true;
    return;
  }
  const char *symbol = ts_sites_add(walk->sites, mlirOperationGetLocation(op), &site);
  mlirOperationSetDiscardableAttributeByName(
      op, mlirStringRefCreateFromCString("tessera.site"),
      ts_symbol_attribute(walk->sites->records->context, symbol));
}

bool ts_sites_create(ts_sites *sites) {
  site_walk walk = {sites, false};
  ts_each_op(sites->records->module, make_site, &walk);
  return !walk.failed;
}

static bool is_dense(MlirType type, const ts_steps *steps) {
  int64_t strides[TS_MAX_RANK], offset;
  mlirMemRefTypeGetStridesAndOffset(ts_identity_memref_type(type), strides, &offset);
  bool dense = steps->offset == 0 || steps->offset == mlirShapedTypeGetDynamicStrideOrOffset();
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    dense &= steps->strides[d] == strides[d] ||
             steps->strides[d] == mlirShapedTypeGetDynamicStrideOrOffset();
  return dense;
}

/* Steps that are known lead to places after each other, none of them negative. */
static bool find_reach(MlirType type, ts_steps *steps) {
  bool known = mlirShapedTypeHasStaticShape(type) && steps->offset >= 0;
  steps->reach = steps->offset;
  for (intptr_t d = 0; known && d < mlirShapedTypeGetRank(type); d++) {
    int64_t size = mlirShapedTypeGetDimSize(type, d), span;
    known = steps->strides[d] > 0 &&
            !__builtin_mul_overflow(size > 0 ? size - 1 : 0, steps->strides[d], &span) &&
            !__builtin_add_overflow(steps->reach, span, &steps->reach);
  }
  return known && !__builtin_add_overflow(steps->reach, 1, &steps->reach);
}

ts_memory ts_memory_layout(MlirType memref, ts_steps *steps) {
  mlirMemRefTypeGetStridesAndOffset(memref, steps->strides, &steps->offset);
  if (is_dense(memref, steps))
    return TS_MEMORY_DENSE;
  return find_reach(memref, steps) ? TS_MEMORY_GAPS : TS_MEMORY_UNKNOWN;
}

/* Calls pass sizes and strides, and addresses of plain memory. */
static bool check_memory(MlirOperation op, MlirType type) {
  int64_t strides[TS_MAX_RANK], offset;
  bool fits = mlirTypeIsAMemRef(type) && mlirShapedTypeGetRank(type) <= TS_MAX_RANK;
  if (fits && mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type)) &&
      mlirLogicalResultIsSuccess(mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)))
    return true;
  char text[128];
  ts_type_text(type, text, sizeof(text));
  return ts_error_at(mlirOperationGetLocation(op),
                     "`%s` of %s: expected a memref of up to %d dimensions with strides, in the "
                     "default memory space; copy it to one",
                     ts_op_name(op), text, TS_MAX_RANK);
}

/* A result of its own is allocated. */
static bool check_own_memory(MlirOperation op) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  ts_steps steps;
  if (ts_collective_of(op)->memory == TS_RESULT_OVER_INPUT ||
      ts_memory_layout(type, &steps) != TS_MEMORY_UNKNOWN)
    return true;
  char text[128];
  ts_type_text(type, text, sizeof(text));
  return ts_error_at(mlirOperationGetLocation(op),
                     "`%s` gives %s, memory of its own that cannot be allocated so: expected no "
                     "strides, run-time ones, or positive ones and a static shape",
                     ts_op_name(op), text);
}

static void make_site_on_memory(MlirOperation op, void *user) {
  site_walk *walk = user;
  if (!ts_is_on_memory(op))
    return;
  if (check_memory(op, mlirValueGetType(mlirOperationGetOperand(op, 0))) &&
      check_memory(op, mlirValueGetType(mlirOperationGetResult(op, 0))) && check_own_memory(op))
    make_site(op, user);
  else
    walk->failed = true;
}

bool ts_sites_create_on_memory(ts_sites *sites) {
  site_walk walk = {sites, false};
  ts_each_op(sites->records->module, make_site_on_memory, &walk);
  return !walk.failed;
}
