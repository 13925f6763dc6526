/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tensor.reshape and tosa.reshape as merged dimensions that are split again, each group of them
 * alone. It knows extents; it must not know layouts. */
#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "rules/rules.h"
#include "structured/structured.h"

/* Dimensions that have as many elements on both sides: how many of them. */
typedef struct group {
  intptr_t from, to;
} group;

typedef struct reshape {
  MlirValue source, shape; /* shape: what says the result's extents, or null */
  MlirType from, to;
  intptr_t from_rank, to_rank;
  intptr_t num;
  group groups[TS_MAX_RANK];
} reshape;

/* The next dimensions, counted from the front or from the back, of known extents and equal product;
 * `from` and `to` are those that are grouped already, `end_from` and `end_to` those there are.
 * False if there are none. */
static bool next_group(const reshape *r, bool backwards, group done, group end, group *found) {
  group g = {0, 0};
  int64_t from = 1, to = 1;
  do {
    bool takes_from = g.from == 0 || (g.to > 0 && from < to);
    intptr_t at = takes_from ? done.from + g.from : done.to + g.to;
    if (at >= (takes_from ? end.from : end.to))
      return false;
    if (backwards)
      at = (takes_from ? r->from_rank : r->to_rank) - 1 - at;
    int64_t size = ts_known_extent(takes_from ? r->from : r->to, at);
    if (size <= 0)
      return false;
    from *= takes_from ? size : 1;
    to *= takes_from ? 1 : size;
    g.from += takes_from;
    g.to += !takes_from;
  } while (g.from == 0 || g.to == 0 || from != to);
  *found = g;
  return true;
}

/* What lists the extents of the result, each by itself; null if nothing does. */
static MlirOperation listed(const reshape *r) {
  MlirOperation op = mlirValueIsNull(r->shape) ? (MlirOperation){NULL} : ts_defining_op(r->shape);
  return op.ptr && ts_op_is(op, "tensor.from_elements") ? op : (MlirOperation){NULL};
}

/* The next dimensions, one of each side, if their extent is the same though only the run knows it.
 */
static bool next_kept(const reshape *r, bool backwards, group done, group end, group *found) {
  if (done.from >= end.from || done.to >= end.to)
    return false;
  intptr_t from = backwards ? r->from_rank - 1 - done.from : done.from;
  intptr_t to = backwards ? r->to_rank - 1 - done.to : done.to;
  MlirOperation list = listed(r);
  if (ts_known_extent(r->from, from) >= 0 || ts_known_extent(r->to, to) >= 0 || !list.ptr)
    return false;
  ts_arena arena = {0};
  bool same = ts_extent_is_value(&arena, r->source, (int)from, mlirOperationGetOperand(list, to));
  ts_arena_free(&arena);
  *found = (group){1, 1};
  return same;
}

static bool next(const reshape *r, bool keeps, bool backwards, group done, group end,
                 group *found) {
  return next_group(r, backwards, done, end, found) ||
         (keeps && next_kept(r, backwards, done, end, found));
}

/* Whether the dimensions `left` behind those in `front` surely have as many elements on both sides.
 */
static bool are_equal(const reshape *r, group front, group left) {
  MlirValue indices[TS_MAX_RANK];
  int64_t known = 1;
  int num = 0;
  for (intptr_t d = front.to; d < front.to + left.to; d++)
    if (ts_known_extent(r->to, d) < 0)
      indices[num++] = mlirOperationGetOperand(listed(r), d);
    else if (__builtin_mul_overflow(known, ts_known_extent(r->to, d), &known))
      return false;
  ts_arena arena = {0};
  bool equal = ts_extents_have_product(&arena, r->source, (int)front.from,
                                       (int)(front.from + left.from), known, num, indices);
  ts_arena_free(&arena);
  return equal;
}

/* Sizes of 1 that are left over belong to the group before, or behind. False if others are. */
static bool add_ones(const reshape *r, group front, group left, group *to) {
  for (intptr_t d = 0; d < left.from; d++)
    if (ts_known_extent(r->from, front.from + d) != 1)
      return false;
  for (intptr_t d = 0; d < left.to; d++)
    if (ts_known_extent(r->to, front.to + d) != 1)
      return false;
  if (!to)
    return false;
  to->from += left.from;
  to->to += left.to;
  return true;
}

/* Groups from the front, one of all that only the run knows, and groups from the back. False if
 * that cannot be said. Of dimensions beside such that it `keeps`, and that may have no elements,
 * the number of elements does not follow. */
static bool read_groups(reshape *r, bool keeps) {
  group end = {r->from_rank, r->to_rank}, front = {0, 0}, back = {0, 0}, g;
  group behind[TS_MAX_RANK];
  intptr_t num_behind = 0;
  r->num = 0;
  while (next(r, keeps, false, front, end, &g)) {
    r->groups[r->num++] = g;
    front = (group){front.from + g.from, front.to + g.to};
  }
  group left = {end.from - front.from, end.to - front.to};
  while (left.from && left.to && next(r, keeps, true, back, left, &g)) {
    behind[num_behind++] = g;
    back = (group){back.from + g.from, back.to + g.to};
  }
  left = (group){left.from - back.from, left.to - back.to};
  group *beside = r->num ? &r->groups[r->num - 1] : num_behind ? &behind[num_behind - 1] : NULL;
  if (left.from && left.to) {
    if (keeps && !are_equal(r, front, left))
      return false;
    r->groups[r->num++] = left;
  } else if ((left.from || left.to) && !add_ones(r, front, left, beside)) {
    return false;
  }
  while (num_behind)
    r->groups[r->num++] = behind[--num_behind];
  return r->num > 0;
}

/* The groups of one side, as reshapes say them. */
static MlirAttribute reassociation(MlirContext context, const reshape *r, bool of_from) {
  MlirType i64 = ts_i64_type(context);
  MlirAttribute lists[TS_MAX_RANK], dims[TS_MAX_RANK];
  intptr_t d = 0;
  for (intptr_t g = 0; g < r->num; g++) {
    intptr_t num = of_from ? r->groups[g].from : r->groups[g].to;
    for (intptr_t i = 0; i < num; i++)
      dims[i] = ts_int_attribute(i64, d++);
    lists[g] = mlirArrayAttrGet(context, num, dims);
  }
  return mlirArrayAttrGet(context, r->num, lists);
}

/* The tensor with one dimension for each group. */
static MlirType merged_type(const reshape *r) {
  int64_t shape[TS_MAX_RANK];
  intptr_t d = 0;
  for (intptr_t g = 0; g < r->num; g++) {
    shape[g] = 1;
    for (intptr_t i = 0; i < r->groups[g].from; i++, d++)
      shape[g] = ts_known_extent(r->from, d) < 0 || shape[g] == mlirShapedTypeGetDynamicSize()
                     ? mlirShapedTypeGetDynamicSize()
                     : shape[g] * ts_known_extent(r->from, d);
  }
  return mlirRankedTensorTypeGet(r->num, shape, mlirShapedTypeGetElementType(r->from),
                                 mlirRankedTensorTypeGetEncoding(r->from));
}

/* Extent `d` of the result, which the operand `shape` of a tensor.reshape says. */
static MlirValue said_extent(const ts_maker *build, MlirValue shape, intptr_t d) {
  MlirOperation made = ts_defining_op(shape);
  MlirValue number;
  if (made.ptr && ts_op_is(made, "tensor.from_elements")) {
    number = mlirOperationGetOperand(made, d);
  } else {
    MlirValue operands[] = {shape, ts_make_index(build, d)};
    number = ts_make_value(build, "tensor.extract", 2, operands,
                           mlirShapedTypeGetElementType(mlirValueGetType(shape)), 0, NULL);
  }
  if (mlirTypeIsAIndex(mlirValueGetType(number)))
    return number;
  return ts_make_value(build, "arith.index_cast", 1, &number, mlirIndexTypeGet(build->context), 0,
                       NULL);
}

/* The group of the result that dimension `d` is in; what others of it come to, in `known`. */
static intptr_t group_of(const reshape *r, intptr_t d, int64_t *known) {
  intptr_t g = 0, first = 0;
  while (first + r->groups[g].to <= d)
    first += r->groups[g++].to;
  *known = 1;
  for (intptr_t i = first; i < first + r->groups[g].to; i++)
    *known *= i == d ? 1 : ts_known_extent(r->to, i);
  return g;
}

/* Extent `d` of the result where nothing but the merged tensor says it. */
static MlirValue told_by_merged(const ts_maker *build, const reshape *r, MlirValue merged,
                                intptr_t d) {
  int64_t known;
  intptr_t g = group_of(r, d, &known);
  MlirValue size = ts_make_size(build, merged, g);
  return known == 1 ? size
                    : ts_make_binary(build, "arith.divui", size, ts_make_index(build, known));
}

/* Whether the merged tensor tells all extents: at most one of each group is not known. */
static bool is_told_by_merged(const reshape *r) {
  intptr_t d = 0;
  for (intptr_t g = 0; g < r->num; g++) {
    int unknown = 0;
    for (intptr_t i = 0; i < r->groups[g].to; i++)
      unknown += ts_known_extent(r->to, d++) < 0;
    if (unknown > 1)
      return false;
  }
  return true;
}

static MlirValue split(const ts_maker *build, const reshape *r, MlirValue merged) {
  MlirValue operands[1 + TS_MAX_RANK] = {merged};
  int64_t extents[TS_MAX_RANK];
  intptr_t num = 1;
  for (intptr_t d = 0; d < r->to_rank; d++) {
    extents[d] = ts_known_extent(r->to, d);
    if (extents[d] >= 0)
      continue;
    extents[d] = mlirShapedTypeGetDynamicSize();
    operands[num++] = mlirValueIsNull(r->shape) ? told_by_merged(build, r, merged, d)
                                                : said_extent(build, r->shape, d);
  }
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "reassociation", reassociation(build->context, r, false)),
      ts_named(build->context, "static_output_shape",
               mlirDenseI64ArrayGet(build->context, r->to_rank, extents))};
  return ts_make_value(build, "tensor.expand_shape", num, operands, r->to, 2, attributes);
}

/* The merged tensor with the extents that the result says of each group. */
static MlirType told_type(const reshape *r, MlirType merged) {
  int64_t shape[TS_MAX_RANK], dynamic = mlirShapedTypeGetDynamicSize();
  intptr_t d = 0;
  for (intptr_t g = 0; g < r->num; g++) {
    shape[g] = 1;
    for (intptr_t i = 0; i < r->groups[g].to; i++, d++)
      shape[g] = ts_known_extent(r->to, d) < 0 || shape[g] == dynamic
                     ? dynamic
                     : shape[g] * ts_known_extent(r->to, d);
  }
  return mlirRankedTensorTypeGet(r->num, shape, mlirShapedTypeGetElementType(merged),
                                 mlirRankedTensorTypeGetEncoding(merged));
}

static bool is_zero_free(const reshape *r) {
  for (intptr_t d = 0; d < r->to_rank; d++)
    if (ts_known_extent(r->to, d) == 0)
      return false;
  return true;
}

void ts_structure_reshape(MlirOperation op) {
  bool says = ts_op_is(op, "tensor.reshape");
  MlirValue source = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  reshape r = {.source = source, .from = mlirValueGetType(source), .to = mlirValueGetType(result)};
  if (says)
    r.shape = mlirOperationGetOperand(op, 1);
  if (!mlirTypeIsARankedTensor(r.from) || !mlirTypeIsARankedTensor(r.to))
    return;
  r.from_rank = mlirShapedTypeGetRank(r.from);
  r.to_rank = mlirShapedTypeGetRank(r.to);
  if (r.from_rank == 0 || r.to_rank == 0 ||
      !((listed(&r).ptr && read_groups(&r, true)) || read_groups(&r, false)) ||
      (!says && !(is_told_by_merged(&r) && is_zero_free(&r))))
    return;
  ts_maker build = ts_make_before(op);
  MlirValue value = source;
  if (r.num < r.from_rank) {
    MlirNamedAttribute groups =
        ts_named(build.context, "reassociation", reassociation(build.context, &r, true));
    value = ts_make_value(&build, "tensor.collapse_shape", 1, &value, merged_type(&r), 1, &groups);
  }
  MlirType told = told_type(&r, mlirValueGetType(value));
  if (!mlirTypeEqual(mlirValueGetType(value), told))
    value = ts_make_value(&build, "tensor.cast", 1, &value, told, 0, NULL);
  if (r.num < r.to_rank)
    value = split(&build, &r, value);
  mlirValueReplaceAllUsesOfWith(result, value);
  mlirOperationDestroy(op);
}

static void reshape_ranked(MlirOperation op, void *user) {
  (void)user;
  if (ts_op_is(op, "tensor.reshape"))
    ts_structure_reshape(op);
}

void ts_structure_reshapes(MlirOperation module) {
  ts_each_op(module, reshape_ranked, NULL);
}
