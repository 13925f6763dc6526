/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Factor lists and partial lists as attributes, and the names of reductions. It knows the notation;
 * it must not know the ops and dictionaries that it stands in. */
#include "sharding/notation.h"

#include <limits.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"

/* ---- reductions ------------------------------------------------------------------------------ */

typedef struct reduction_name {
  ts_reduction kind;
  ts_reduction shard_kind; /* the kind that `shard` names */
  const char *flavour;     /* what tessera.reduction adds to it, or NULL */
} reduction_name;

static const reduction_name reductions[] = {
    {TS_SUM, TS_SUM, NULL},         {TS_MAX, TS_MAX, NULL},         {TS_MIN, TS_MIN, NULL},
    {TS_PRODUCT, TS_PRODUCT, NULL}, {TS_AVERAGE, TS_AVERAGE, NULL}, {TS_AND, TS_AND, NULL},
    {TS_OR, TS_OR, NULL},           {TS_XOR, TS_XOR, NULL},         {TS_UMAX, TS_MAX, "umax"},
    {TS_UMIN, TS_MIN, "umin"},      {TS_MAXNUM, TS_MAX, "maxnum"},  {TS_MINNUM, TS_MIN, "minnum"},
};

enum { NUM_REDUCTIONS = sizeof(reductions) / sizeof(reductions[0]) };

static const reduction_name *find_reduction(ts_reduction kind) {
  for (int i = 0; i < NUM_REDUCTIONS; i++)
    if (reductions[i].kind == kind)
      return &reductions[i];
  return NULL;
}

int32_t ts_reduction_shard_kind(ts_reduction reduction) {
  const reduction_name *name = find_reduction(reduction);
  return name ? (int32_t)name->shard_kind : 0;
}

const char *ts_reduction_flavour(ts_reduction reduction) {
  const reduction_name *name = find_reduction(reduction);
  return name ? name->flavour : NULL;
}

ts_reduction ts_reduction_from(int32_t shard_kind, MlirStringRef flavour) {
  for (int i = 0; i < NUM_REDUCTIONS; i++) {
    const reduction_name *name = &reductions[i];
    MlirStringRef expected =
        name->flavour ? mlirStringRefCreateFromCString(name->flavour) : (MlirStringRef){"", 0};
    if ((int32_t)name->shard_kind == shard_kind && mlirStringRefEqual(expected, flavour))
      return name->kind;
  }
  return TS_REDUCTION_NONE;
}

/* ---- factors --------------------------------------------------------------------------------- */

static MlirAttribute integer(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value);
}

static MlirAttribute factor_to_attribute(MlirContext context, const ts_factor *factor) {
  MlirAttribute axes[TS_MAX_AXES];
  for (int i = 0; i < factor->num_axes; i++)
    axes[i] = integer(context, factor->axes[i]);
  MlirAttribute pair[2] = {integer(context, factor->size == TS_DYNAMIC ? -1 : factor->size),
                           mlirArrayAttrGet(context, factor->num_axes, axes)};
  return mlirArrayAttrGet(context, 2, pair);
}

MlirAttribute ts_factors_to_attribute(ts_arena *arena, MlirContext context,
                                      const ts_sharding *sharding) {
  MlirAttribute *dims = TS_NEW(arena, MlirAttribute, sharding->rank);
  for (int d = 0; d < sharding->rank; d++) {
    const ts_dim *dim = &sharding->dims[d];
    MlirAttribute *factors = TS_NEW(arena, MlirAttribute, dim->num_factors);
    for (int f = 0; f < dim->num_factors; f++)
      factors[f] = factor_to_attribute(context, &dim->factors[f]);
    dims[d] = mlirArrayAttrGet(context, dim->num_factors, factors);
  }
  return mlirArrayAttrGet(context, sharding->rank, dims);
}

/* The elements of an array attribute, or -1 if it is none. */
static intptr_t array_size(MlirAttribute attribute) {
  return mlirAttributeIsAArray(attribute) ? mlirArrayAttrGetNumElements(attribute) : -1;
}

static bool read_factor(MlirAttribute attribute, ts_factor *factor) {
  if (array_size(attribute) != 2)
    return false;
  MlirAttribute size = mlirArrayAttrGetElement(attribute, 0);
  MlirAttribute axes = mlirArrayAttrGetElement(attribute, 1);
  intptr_t num_axes = array_size(axes);
  if (!mlirAttributeIsAInteger(size) || num_axes < 0 || num_axes > TS_MAX_AXES)
    return false;
  int64_t value = mlirIntegerAttrGetValueInt(size);
  if (value < -1)
    return false;
  *factor = (ts_factor){.size = value == -1 ? TS_DYNAMIC : value, .num_axes = (int8_t)num_axes};
  for (intptr_t i = 0; i < num_axes; i++) {
    MlirAttribute axis = mlirArrayAttrGetElement(axes, i);
    if (!mlirAttributeIsAInteger(axis))
      return false;
    int64_t number = mlirIntegerAttrGetValueInt(axis);
    /* Out of any grid's range, but reported by whoever knows the grid. */
    factor->axes[i] = (int8_t)(number < 0 || number > INT8_MAX ? INT8_MAX : number);
  }
  return true;
}

/* Whether the dimension's extent is a number. */
static bool extent_fits(intptr_t num, const ts_factor *factors) {
  int64_t extent = 1;
  for (intptr_t f = 0; f < num; f++)
    if (factors[f].size != TS_DYNAMIC && __builtin_mul_overflow(extent, factors[f].size, &extent))
      return false;
  return true;
}

const char *ts_factors_from_attribute(ts_arena *arena, MlirAttribute attribute, int rank,
                                      ts_dim *dims) {
  if (array_size(attribute) != rank)
    return ts_arena_format(arena, "tessera.factors must list the factors of each of %d dimensions",
                           rank);
  for (int d = 0; d < rank; d++) {
    MlirAttribute list = mlirArrayAttrGetElement(attribute, d);
    intptr_t num = array_size(list);
    if (num < 1)
      return ts_arena_format(arena, "dimension %d of tessera.factors has no factor", d);
    ts_factor *factors = TS_NEW(arena, ts_factor, num);
    for (intptr_t f = 0; f < num; f++)
      if (!read_factor(mlirArrayAttrGetElement(list, f), &factors[f]))
        return ts_arena_format(
            arena,
            "factor %d of dimension %d of tessera.factors is not of the form [size, [axes]] with a "
            "size of 0 or more, or -1 where it is dynamic",
            (int)f, d);
    if (!extent_fits(num, factors))
      return ts_arena_format(arena, "the factors of dimension %d multiply to more than 64 bits", d);
    dims[d] = (ts_dim){.num_factors = (int)num, .factors = factors};
  }
  return NULL;
}

/* ---- partial axes ---------------------------------------------------------------------------- */

MlirAttribute ts_partial_to_attribute(ts_arena *arena, MlirContext context,
                                      const ts_sharding *sharding) {
  MlirAttribute *entries = TS_NEW(arena, MlirAttribute, sharding->num_partial);
  for (int i = 0; i < sharding->num_partial; i++) {
    const ts_partial *partial = &sharding->partial[i];
    const char *flavour = ts_reduction_flavour(partial->kind);
    MlirAttribute entry[3] = {integer(context, partial->axis),
                              ts_partial_create(context, ts_reduction_shard_kind(partial->kind))};
    if (flavour)
      entry[2] = mlirStringAttrGet(context, mlirStringRefCreateFromCString(flavour));
    entries[i] = mlirArrayAttrGet(context, flavour ? 3 : 2, entry);
  }
  return mlirArrayAttrGet(context, sharding->num_partial, entries);
}

static const char *read_partial(ts_arena *arena, MlirAttribute attribute, ts_partial *partial) {
  const char *form = "an entry of tessera.partial is not of the form [axis, #shard<partial kind>]";
  intptr_t size = array_size(attribute);
  if (size != 2 && size != 3)
    return form;
  MlirAttribute axis = mlirArrayAttrGetElement(attribute, 0);
  MlirAttribute kind = mlirArrayAttrGetElement(attribute, 1);
  if (!mlirAttributeIsAInteger(axis) || !ts_attr_is_partial(kind))
    return form;
  MlirStringRef flavour = {"", 0};
  if (size == 3) {
    if (!mlirAttributeIsAString(mlirArrayAttrGetElement(attribute, 2)))
      return form;
    flavour = mlirStringAttrGetValue(mlirArrayAttrGetElement(attribute, 2));
  }
  int64_t number = mlirIntegerAttrGetValueInt(axis);
  if (number < INT_MIN || number > INT_MAX)
    return ts_arena_format(arena, "axis %lld of tessera.partial is outside of any grid",
                           (long long)number);
  partial->axis = (int)number;
  partial->kind = ts_reduction_from(ts_partial_get(kind), flavour);
  return partial->kind ? NULL
                       : "tessera.partial names no reduction that makes a value whole: expected "
                         "sum, max, min, product, average or a bitwise one";
}

/* Reductions one after the other give the same in any order: one kind, or sums and averages. */
static bool commute(ts_reduction a, ts_reduction b) {
  return a == b || (a == TS_SUM && b == TS_AVERAGE) || (a == TS_AVERAGE && b == TS_SUM);
}

/* Nothing says which of two kinds combines first; so it must not matter. An axis that is named
 * twice is another mistake. */
static const char *order_mistake(ts_arena *arena, int num, const ts_partial *partial) {
  for (int i = 0; i < num; i++)
    for (int j = 0; j < i; j++)
      if (partial[j].axis != partial[i].axis && !commute(partial[j].kind, partial[i].kind))
        return ts_arena_format(
            arena,
            "partial by %s over axis %d and by %s over axis %d, which means different values in "
            "different orders: expected one kind for all axes, or sum and average; make the value "
            "whole over one of the axes",
            ts_reduction_text(partial[j].kind), partial[j].axis, ts_reduction_text(partial[i].kind),
            partial[i].axis);
  return NULL;
}

const char *ts_partial_from_attribute(ts_arena *arena, MlirAttribute attribute, int *num_partial,
                                      const ts_partial **partial) {
  intptr_t num = array_size(attribute);
  if (num < 0)
    return "tessera.partial is not a list of [axis, #shard<partial kind>]";
  if (num > TS_MAX_AXES)
    return "tessera.partial has more entries than a grid can have axes";
  ts_partial *entries = TS_NEW(arena, ts_partial, num);
  for (intptr_t i = 0; i < num; i++) {
    const char *mistake = read_partial(arena, mlirArrayAttrGetElement(attribute, i), &entries[i]);
    if (mistake)
      return mistake;
  }
  *num_partial = (int)num;
  *partial = entries;
  return order_mistake(arena, (int)num, entries);
}
