/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* shard.grid, shard.sharding and shard.shard, read. It knows the ops; it must not know where
 * shardings come from nor what they are used for. */
#include "sharding/annotation.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "sharding/notation.h"
#include "sharding/unverified.h"
#include "support/diagnostics.h"
#include "support/ir.h"

const char ts_halos_name[] = "static_halo_sizes";
const char ts_offsets_name[] = "static_sharded_dims_offsets";

/* ---- reading --------------------------------------------------------------------------------- */

/* What is being read, and the arena for it and for messages. */
typedef struct reader {
  ts_arena *arena;
  MlirOperation op; /* the shard.sharding */
  MlirType type;    /* of the annotated tensor */
  const ts_grid *grid;
  int rank;
  ts_dim *dims;
  ts_numbers *numbers;
  intptr_t next_operand; /* of those that give numbers */
} reader;

/* One list of split_axes as a plain factor of dimension `d`. */
static const char *read_axes(reader *r, int d, const int16_t *axes, intptr_t num) {
  int64_t size =
      mlirShapedTypeIsDynamicDim(r->type, d) ? TS_DYNAMIC : mlirShapedTypeGetDimSize(r->type, d);
  int8_t list[TS_MAX_AXES];
  ts_axes seen = 0;
  for (intptr_t i = 0; i < num; i++) {
    const char *mistake = ts_axis_mistake(r->arena, r->grid, axes[i], &seen);
    if (mistake)
      return mistake;
    list[i] = (int8_t)axes[i]; /* fits: distinct axes of a grid of at most TS_MAX_AXES */
  }
  r->dims[d] = ts_dim_plain(r->arena, size, (int)num, list);
  return NULL;
}

static const char *read_split_axes(reader *r) {
  MlirAttribute split = ts_attribute(r->op, "split_axes");
  intptr_t num = ts_axis_array_size(split);
  for (int d = 0; d < r->rank; d++) {
    const int16_t *axes = NULL;
    intptr_t count = d < num ? ts_axis_array_get(split, d, &axes) : 0;
    const char *mistake = read_axes(r, d, axes, count);
    if (mistake)
      return mistake;
  }
  for (intptr_t d = r->rank; d < num; d++) {
    const int16_t *axes;
    if (ts_axis_array_get(split, d, &axes) == 0)
      continue;
    if (r->rank == 0)
      return "a tensor of rank 0 cannot be split";
    return ts_arena_format(r->arena,
                           "split_axes splits dimension %d, but the tensor has %d dimensions",
                           (int)d, r->rank);
  }
  return NULL;
}

/* Factors refine what split_axes says: the same axes, of dimensions that they multiply to. */
static const char *read_factors(reader *r) {
  MlirAttribute attribute = ts_attribute(r->op, "tessera.factors");
  if (mlirAttributeIsNull(attribute))
    return NULL;
  ts_dim *dims = TS_NEW(r->arena, ts_dim, r->rank);
  const char *mistake = ts_factors_from_attribute(r->arena, attribute, r->rank, dims);
  for (int d = 0; d < r->rank && !mistake; d++) {
    const ts_factor *plain = &r->dims[d].factors[0];
    int seen = 0;
    bool same = true;
    for (int f = 0; f < dims[d].num_factors; f++)
      for (int i = 0; i < dims[d].factors[f].num_axes; i++, seen++)
        same = same && seen < plain->num_axes && dims[d].factors[f].axes[i] == plain->axes[seen];
    if (!same || seen != plain->num_axes)
      mistake = ts_arena_format(
          r->arena, "tessera.factors and split_axes name different axes for dimension %d", d);
  }
  if (!mistake)
    r->dims = dims;
  return mistake;
}

static intptr_t num_elements(MlirAttribute dense) {
  return mlirAttributeIsNull(dense) ? 0 : mlirDenseArrayGetNumElements(dense);
}

/* The numbers of a list make sense. */
static const char *check_list(reader *r, const char *what, const char *name) {
  MlirAttribute list = ts_attribute(r->op, name);
  const char *mistake = NULL;
  for (intptr_t i = 0; i < num_elements(list) && !mistake; i++)
    mistake = ts_number_mistake(r->arena, what, mlirDenseI64ArrayGetElement(list, i));
  return mistake;
}

static const char *check_lists(reader *r) {
  const char *mistake = check_list(r, "a shard offset", ts_offsets_name);
  if (!mistake)
    mistake = check_list(r, "a halo size", ts_halos_name);
  return mistake ? mistake : ts_shard_op_mistake(r->arena, r->op);
}

/* Number `i` of a list; what the list does not say is the next operand. */
static ts_number read_number(reader *r, MlirAttribute list, intptr_t i) {
  int64_t number = mlirDenseI64ArrayGetElement(list, i);
  return number == TS_DYNAMIC ? ts_number_of_operand(r->numbers, r->op, r->next_operand++)
                              : ts_known_number(number);
}

/* Two halo sizes for each split dimension, in order. */
static const char *read_halos(reader *r) {
  MlirAttribute halos = ts_attribute(r->op, ts_halos_name);
  intptr_t num = num_elements(halos), next = 0;
  if (num == 0)
    return NULL;
  for (int d = 0; d < r->rank; d++) {
    if (!ts_dim_is_split(&r->dims[d]))
      continue;
    if (r->dims[d].num_factors > 1)
      return "halos need dimensions of one factor";
    for (int side = 0; side < 2; side++, next++)
      r->dims[d].halo[side] = next < num ? read_number(r, halos, next) : ts_known_number(0);
  }
  if (next != num)
    return ts_arena_format(r->arena, "%d halo sizes, expected two for each split dimension: %d",
                           (int)num, (int)next);
  return NULL;
}

/* For each split dimension the start of every shard and the end of the last. */
static const char *read_offsets(reader *r) {
  MlirAttribute offsets = ts_attribute(r->op, ts_offsets_name);
  intptr_t num = num_elements(offsets), next = 0;
  if (num == 0)
    return NULL;
  for (int d = 0; d < r->rank; d++) {
    if (!ts_dim_is_split(&r->dims[d]))
      continue;
    int64_t shards = ts_dim_shards(r->grid, &r->dims[d]);
    if (shards == TS_DYNAMIC)
      return "shard offsets need a grid of static shape";
    if (r->dims[d].num_factors > 1)
      return "shard offsets need dimensions of one factor";
    if (shards + 1 > num - next)
      return ts_arena_format(r->arena,
                             "dimension %d needs %lld shard offsets (shards + 1), but %d are left",
                             d, (long long)(shards + 1), (int)(num - next));
    ts_number *list = TS_NEW(r->arena, ts_number, shards + 1);
    for (int64_t i = 0; i <= shards; i++, next++)
      list[i] = read_number(r, offsets, next);
    r->dims[d].offsets = list;
  }
  if (next != num)
    return ts_arena_format(r->arena,
                           "%d shard offsets, expected shards + 1 for each split dimension: %d",
                           (int)num, (int)next);
  return NULL;
}

static const char *read_partial_axes(reader *r, ts_sharding *sharding) {
  MlirAttribute attribute = ts_attribute(r->op, "tessera.partial");
  if (mlirAttributeIsNull(attribute))
    return NULL;
  int num;
  const ts_partial *partial;
  const char *mistake = ts_partial_from_attribute(r->arena, attribute, &num, &partial);
  if (!mistake)
    *sharding = *ts_sharding_with_partial(r->arena, sharding, num, partial);
  return mistake;
}

/* Reads everything but the grid into `sharding`; returns what is wrong, or NULL. */
static const char *read_sharding(reader *r, ts_sharding *sharding) {
  const char *mistake = read_split_axes(r);
  if (!mistake)
    mistake = read_factors(r);
  if (!mistake)
    mistake = check_lists(r);
  /* The op's operands are the offsets', then the halos'. */
  if (!mistake)
    mistake = read_offsets(r);
  if (!mistake)
    mistake = read_halos(r);
  if (mistake)
    return mistake;
  *sharding = (ts_sharding){.grid = r->grid, .rank = r->rank, .dims = r->dims};
  mistake = read_partial_axes(r, sharding);
  if (mistake)
    return mistake;
  int64_t *shape = TS_NEW(r->arena, int64_t, r->rank);
  for (int d = 0; d < r->rank; d++)
    shape[d] =
        mlirShapedTypeIsDynamicDim(r->type, d) ? TS_DYNAMIC : mlirShapedTypeGetDimSize(r->type, d);
  return ts_sharding_mistake(r->arena, sharding, r->rank, shape);
}

MlirOperation ts_annotation_source(MlirOperation annotation) {
  MlirValue operand = mlirOperationGetOperand(annotation, 1);
  if (!mlirValueIsAOpResult(operand))
    return (MlirOperation){NULL};
  MlirOperation op = mlirOpResultGetOwner(operand);
  return ts_op_is(op, "shard.sharding") ? op : (MlirOperation){NULL};
}

/* What a shard.sharding was read as, for a tensor of `type`. */
typedef struct read_before {
  MlirType type;
  const ts_sharding *sharding;
} read_before;

/* Reads `source` for the annotation `op`; NULL after a located error. */
static const ts_sharding *read_source(ts_grids *grids, MlirOperation op, MlirOperation source) {
  ts_arena *arena = grids->arena;
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(ts_attribute(source, "grid"));
  reader r = {.arena = arena,
              .op = source,
              .type = mlirValueGetType(mlirOperationGetOperand(op, 0)),
              .numbers = &grids->numbers,
              .grid = ts_grids_find(grids, name)};
  r.rank = (int)mlirShapedTypeGetRank(r.type);
  r.dims = TS_NEW(arena, ts_dim, r.rank);
  ts_sharding *sharding = TS_NEW(arena, ts_sharding, 1);
  const char *mistake =
      r.grid ? read_sharding(&r, sharding)
             : ts_arena_format(arena, "there is no grid @%.*s", (int)name.length, name.data);
  if (!mistake)
    return sharding;
  ts_error_with_note(op, source, "the sharding was made here", "%s", mistake);
  return NULL;
}

/* The same for all annotations that share one shard.sharding and a type. */
static const ts_sharding *read_shared(ts_grids *grids, MlirOperation op, MlirOperation source) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  read_before *known = ts_map_get(&grids->read, source.ptr);
  if (known && mlirTypeEqual(known->type, type))
    return known->sharding;
  const ts_sharding *sharding = read_source(grids, op, source);
  if (!sharding)
    return NULL;
  if (!known) {
    known = TS_NEW(grids->arena, read_before, 1);
    ts_map_set(&grids->read, grids->arena, source.ptr, known);
  }
  *known = (read_before){type, sharding};
  return sharding;
}

const ts_sharding *ts_annotation_read(ts_grids *grids, MlirOperation op, ts_openness *openness) {
  MlirOperation source = ts_annotation_source(op);
  if (mlirOperationIsNull(source)) {
    ts_error(op, "the sharding of this annotation is not made by a shard.sharding");
    return NULL;
  }
  const ts_sharding *sharding = read_shared(grids, op, source);
  const char *mistake =
      sharding && openness ? ts_openness_read(grids->arena, op, source, sharding, openness) : NULL;
  if (!mistake)
    return sharding;
  ts_error_with_note(op, source, "the sharding was made here", "%s", mistake);
  return NULL;
}

const ts_grid *ts_annotation_grid(const ts_grids *grids, MlirOperation op) {
  MlirOperation source = ts_annotation_source(op);
  return source.ptr
             ? ts_grids_find(grids, mlirFlatSymbolRefAttrGetValue(ts_attribute(source, "grid")))
             : NULL;
}
