/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Layouts outside of annotations: the tessera.layout dictionary and the runtime's layout words. It
 * knows the notation; it must not know the ops that carry it. */
#include "sharding/annotation.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "sharding/notation.h"
#include "support/ir.h"

/* ---- the dictionary -------------------------------------------------------------------------- */

static bool has_halo(const ts_sharding *sharding) {
  for (int d = 0; d < sharding->rank; d++)
    if (ts_dim_has_halo(&sharding->dims[d]))
      return true;
  return false;
}

static bool has_offsets(const ts_sharding *sharding) {
  for (int d = 0; d < sharding->rank; d++)
    if (sharding->dims[d].offsets)
      return true;
  return false;
}

static MlirAttribute halo_attribute(ts_arena *arena, MlirContext context,
                                    const ts_sharding *sharding) {
  int64_t *sizes = TS_NEW(arena, int64_t, 2 * (intptr_t)sharding->rank);
  intptr_t num = 0;
  for (int d = 0; d < sharding->rank; d++) {
    sizes[num++] = ts_number_to_attribute(sharding->dims[d].halo[0]);
    sizes[num++] = ts_number_to_attribute(sharding->dims[d].halo[1]);
  }
  return mlirDenseI64ArrayGet(context, num, sizes);
}

/* A list a dimension; empty where shards are balanced. */
static MlirAttribute offsets_attribute(ts_arena *arena, MlirContext context,
                                       const ts_sharding *sharding) {
  MlirAttribute *lists = TS_NEW(arena, MlirAttribute, sharding->rank);
  for (int d = 0; d < sharding->rank; d++) {
    const ts_dim *dim = &sharding->dims[d];
    int64_t num = dim->offsets ? ts_dim_shards(sharding->grid, dim) + 1 : 0;
    int64_t *values = TS_NEW(arena, int64_t, num);
    for (int64_t i = 0; i < num; i++)
      values[i] = ts_number_to_attribute(dim->offsets[i]);
    lists[d] = mlirDenseI64ArrayGet(context, (intptr_t)num, values);
  }
  return mlirArrayAttrGet(context, sharding->rank, lists);
}

static bool is_part(const ts_sharding *sharding) {
  for (int d = 0; d < sharding->rank; d++)
    if (sharding->dims[d].is_part)
      return true;
  return false;
}

MlirAttribute ts_layout_to_attribute(ts_arena *arena, MlirContext context,
                                     const ts_sharding *sharding, MlirType global_type) {
  MlirStringRef grid = mlirStringRefCreateFromCString(sharding->grid->name);
  MlirNamedAttribute members[7] = {
      ts_named(context, "grid", mlirFlatSymbolRefAttrGet(context, grid)),
      ts_named(context, "global", mlirTypeAttrGet(global_type)),
      ts_named(context, "factors", ts_factors_to_attribute(arena, context, sharding)),
  };
  intptr_t num = 3;
  if (has_halo(sharding))
    members[num++] = ts_named(context, "halo", halo_attribute(arena, context, sharding));
  if (has_offsets(sharding))
    members[num++] = ts_named(context, "offsets", offsets_attribute(arena, context, sharding));
  if (is_part(sharding))
    members[num++] = ts_named(context, "part", mlirUnitAttrGet(context));
  if (sharding->num_partial)
    members[num++] =
        ts_named(context, "partial", ts_partial_to_attribute(arena, context, sharding));
  return mlirDictionaryAttrGet(context, num, members);
}

static MlirAttribute member(MlirAttribute dictionary, const char *name) {
  return mlirDictionaryAttrGetElementByName(dictionary, mlirStringRefCreateFromCString(name));
}

/* What is wrong with the numbers of `list`, or NULL. */
static const char *list_mistake(ts_arena *arena, const char *what, MlirAttribute list) {
  const char *mistake = NULL;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(list) && !mistake; i++)
    mistake = ts_number_mistake(arena, what, mlirDenseI64ArrayGetElement(list, i));
  return mistake;
}

/* They return what is wrong, or NULL. */
static const char *read_halo(ts_arena *arena, MlirAttribute halo, int rank, ts_dim *dims) {
  if (mlirAttributeIsNull(halo))
    return NULL;
  if (!mlirAttributeIsADenseI64Array(halo) ||
      mlirDenseArrayGetNumElements(halo) != 2 * (intptr_t)rank)
    return "`halo` does not have two sizes for each dimension";
  for (int d = 0; d < rank; d++)
    for (int side = 0; side < 2; side++)
      dims[d].halo[side] =
          ts_number_from_attribute(mlirDenseI64ArrayGetElement(halo, 2 * (intptr_t)d + side));
  return list_mistake(arena, "a halo size", halo);
}

static const char *read_offsets(ts_arena *arena, const ts_grid *grid, MlirAttribute offsets,
                                int rank, ts_dim *dims) {
  const char *wrong = "`offsets` does not have an offset more than shards for each dimension";
  if (mlirAttributeIsNull(offsets))
    return NULL;
  if (!mlirAttributeIsAArray(offsets) || mlirArrayAttrGetNumElements(offsets) != rank)
    return wrong;
  for (int d = 0; d < rank; d++) {
    MlirAttribute list = mlirArrayAttrGetElement(offsets, d);
    if (!mlirAttributeIsADenseI64Array(list))
      return wrong;
    intptr_t num = mlirDenseArrayGetNumElements(list);
    if (num == 0)
      continue;
    if (num != ts_dim_shards(grid, &dims[d]) + 1)
      return wrong;
    const char *mistake = list_mistake(arena, "a shard offset", list);
    if (mistake)
      return mistake;
    ts_number *values = TS_NEW(arena, ts_number, num);
    for (intptr_t i = 0; i < num; i++)
      values[i] = ts_number_from_attribute(mlirDenseI64ArrayGetElement(list, i));
    dims[d].offsets = values;
  }
  return NULL;
}

/* Reads what the dictionary says of `sharding`, whose grid and rank are set; returns what is wrong
 * with it, or NULL. Axes are looked at first: offsets are as many as the grid has shards. */
static const char *read_members(ts_arena *arena, MlirAttribute dictionary, const int64_t *shape,
                                ts_sharding *sharding) {
  int rank = sharding->rank;
  ts_dim *dims = TS_NEW(arena, ts_dim, rank);
  sharding->dims = dims;
  MlirAttribute partial = member(dictionary, "partial");
  const char *mistake = ts_factors_from_attribute(arena, member(dictionary, "factors"), rank, dims);
  if (!mistake)
    mistake = ts_sharding_mistake(arena, sharding, rank, shape);
  if (mistake)
    return mistake;
  mistake = read_halo(arena, member(dictionary, "halo"), rank, dims);
  if (!mistake)
    mistake = read_offsets(arena, sharding->grid, member(dictionary, "offsets"), rank, dims);
  for (int d = 0; d < rank && !mlirAttributeIsNull(member(dictionary, "part")); d++)
    dims[d].is_part = dims[d].offsets;
  if (!mistake && !mlirAttributeIsNull(partial))
    mistake = ts_partial_from_attribute(arena, partial, &sharding->num_partial, &sharding->partial);
  return mistake ? mistake : ts_sharding_mistake_of_part(arena, sharding, rank, shape);
}

const ts_sharding *ts_layout_from_attribute(ts_grids *grids, MlirAttribute attribute,
                                            MlirType *global_type, const char **mistake) {
  ts_arena *arena = grids->arena;
  *mistake = "it is not a dictionary with `grid`, `global` and `factors`";
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsADictionary(attribute))
    return NULL;
  MlirAttribute name = member(attribute, "grid"), global = member(attribute, "global");
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAFlatSymbolRef(name) ||
      mlirAttributeIsNull(global) || !mlirAttributeIsAType(global) ||
      mlirAttributeIsNull(member(attribute, "factors")))
    return NULL;
  const ts_grid *grid = ts_grids_find(grids, mlirFlatSymbolRefAttrGetValue(name));
  MlirType type = mlirTypeAttrGetValue(global);
  *mistake = grid ? "`global` is not a ranked tensor" : "`grid` is not a grid of the module";
  if (!grid || !mlirTypeIsARankedTensor(type))
    return NULL;
  int rank = (int)mlirShapedTypeGetRank(type);
  int64_t *shape = TS_NEW(arena, int64_t, rank);
  for (int d = 0; d < rank; d++)
    shape[d] = mlirShapedTypeIsDynamicDim(type, d) ? TS_DYNAMIC : mlirShapedTypeGetDimSize(type, d);
  ts_sharding *sharding = TS_NEW(arena, ts_sharding, 1);
  *sharding = (ts_sharding){.grid = grid, .rank = rank};
  *mistake = read_members(arena, attribute, shape, sharding);
  if (*mistake)
    return NULL;
  *global_type = type;
  return sharding;
}

/* ---- the runtime's words --------------------------------------------------------------------- */

/* Appends words where there is room to keep them, and counts them in any case. */
typedef struct word_writer {
  int64_t *words;
  int64_t num;
} word_writer;

static void put(word_writer *writer, int64_t word) {
  if (writer->words)
    writer->words[writer->num] = word;
  writer->num++;
}

static int64_t size_word(int64_t size) {
  return size == TS_DYNAMIC ? -1 : size;
}

static int64_t number_word(ts_number number) {
  return size_word(ts_number_to_attribute(number));
}

static void put_dim(word_writer *writer, const ts_grid *grid, const ts_dim *dim) {
  put(writer, size_word(ts_dim_size(dim)));
  put(writer, dim->num_factors);
  for (int f = 0; f < dim->num_factors; f++) {
    const ts_factor *factor = &dim->factors[f];
    put(writer, size_word(factor->size));
    put(writer, factor->num_axes);
    for (int i = 0; i < factor->num_axes; i++)
      put(writer, factor->axes[i]);
  }
  bool halo = ts_dim_has_halo(dim);
  put(writer, halo ? 2 : 0);
  for (int side = 0; side < 2 && halo; side++)
    put(writer, number_word(dim->halo[side]));
  int64_t offsets = dim->offsets ? ts_dim_shards(grid, dim) + 1 : 0;
  put(writer, offsets);
  for (int64_t i = 0; i < offsets; i++)
    put(writer,
        dim->is_part && ts_is_run_time(dim->offsets[i]) ? -2 : number_word(dim->offsets[i]));
}

int64_t ts_layout_to_words(const ts_sharding *sharding, int64_t *words) {
  word_writer writer = {.words = words};
  put(&writer, sharding->rank);
  for (int d = 0; d < sharding->rank; d++)
    put_dim(&writer, sharding->grid, &sharding->dims[d]);
  put(&writer, sharding->num_partial);
  for (int i = 0; i < sharding->num_partial; i++) {
    put(&writer, sharding->partial[i].axis);
    put(&writer, sharding->partial[i].kind);
  }
  return writer.num;
}
