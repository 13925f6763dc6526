/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Operands of contractions without the transposes and reshapes that strides can say. It knows maps
 * and reshapes of tensors; it must not know how a product is computed. */
#include "lowering/prepare/operands.h"

#include <string.h>

#include "ir/merged_dims.h"
#include "ir/transposes.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- collapse_shape -------------------------------------------------------------------------- */

static MlirOperation collapse_of(MlirValue value, ts_merged_dims *merged) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || !ts_op_is(op, "tensor.collapse_shape"))
    return (MlirOperation){NULL};
  ts_merged_dims_read(op, merged);
  return op;
}

static int rank_of(MlirValue value) {
  return (int)mlirShapedTypeGetRank(mlirValueGetType(value));
}

/* Merges dimensions of `value`, to sizes that are known or asked for nowhere. */
static MlirValue collapse(const ts_maker *build, MlirValue value, const ts_merged_dims *merged,
                          const int64_t *sizes) {
  if (merged->count == rank_of(value))
    return value;
  return ts_make_collapse(build, value, merged, sizes);
}

/* ---- transposes before it -------------------------------------------------------------------- */

/* Goes back through a transpose of `rank` dimensions before `*value`; false if there is none. Of
 * the value then dimension source[d] is dimension d of the one that the way began at. */
static bool go_back(MlirValue *value, int rank, int source[TS_MAX_RANK]) {
  int step[TS_MAX_RANK];
  if (ts_transpose_read(ts_defining_op(*value), step) < 0)
    return false;
  for (int d = 0; d < rank; d++)
    source[d] = step[source[d]];
  *value = mlirOperationGetOperand(ts_defining_op(*value), 0);
  return true;
}

/* The value that is transposed, one or more times, to `value`: of it dimension source[d] is
 * dimension d of `value`. `value` itself if nothing is. */
static MlirValue transposed_to(MlirValue value, int source[TS_MAX_RANK]) {
  int rank = rank_of(value);
  for (int d = 0; d < rank; d++)
    source[d] = d;
  while (go_back(&value, rank, source)) {
  }
  return value;
}

/* The dimensions of a group were neighbours before the transpose. */
static bool is_kept(const ts_merged_dims *merged, int g, const int *source) {
  for (int i = 1; i < merged->num[g]; i++)
    if (source[merged->first[g] + i] != source[merged->first[g]] + i)
      return false;
  return true;
}

static bool all_are_kept(const ts_merged_dims *merged, const int *source) {
  for (int g = 0; g < merged->count; g++)
    if (!is_kept(merged, g, source))
      return false;
  return true;
}

/* As far back through the transposes before `value` as the dimensions of each group stay
 * neighbours. */
static MlirValue transposed_whole(MlirValue value, const ts_merged_dims *merged,
                                  int source[TS_MAX_RANK]) {
  int all[TS_MAX_RANK], rank = rank_of(value);
  MlirValue base = value, found = value;
  for (int d = 0; d < rank; d++)
    source[d] = all[d] = d;
  while (go_back(&base, rank, all)) {
    if (!all_are_kept(merged, all))
      continue;
    found = base;
    memcpy(source, all, sizeof(int) * (size_t)rank);
  }
  return found;
}

/* A collapse_shape of a transpose as a transpose of a collapse_shape: that one, and the map that
 * reads it. Null if `value` is nothing of the kind. */
static MlirValue before_collapse(const ts_maker *build, MlirValue value, MlirAffineMap *map) {
  ts_merged_dims merged, before = {0};
  int source[TS_MAX_RANK];
  MlirOperation op = collapse_of(value, &merged);
  if (!op.ptr)
    return (MlirValue){NULL};
  MlirValue after = mlirOperationGetOperand(op, 0);
  MlirValue base = transposed_whole(after, &merged, source);
  if (mlirValueEqual(base, after))
    return (MlirValue){NULL};
  MlirAffineExpr results[TS_MAX_RANK];
  int64_t sizes[TS_MAX_RANK];
  for (int g = 0; g < merged.count; g++) {
    int at = before.count++;
    for (; at > 0 && before.first[at - 1] > source[merged.first[g]]; at--) {
      before.first[at] = before.first[at - 1];
      before.num[at] = before.num[at - 1];
      results[at] = results[at - 1];
      sizes[at] = sizes[at - 1];
    }
    before.first[at] = source[merged.first[g]];
    before.num[at] = merged.num[g];
    results[at] = mlirAffineMapGetResult(*map, g);
    sizes[at] = mlirShapedTypeGetDimSize(mlirValueGetType(value), g);
  }
  *map = mlirAffineMapGet(build->context, mlirAffineMapGetNumDims(*map), 0, before.count, results);
  return collapse(build, base, &before, sizes);
}

/* ---- batches --------------------------------------------------------------------------------- */

/* A loop that becomes several, the first one outermost. */
typedef struct parts {
  int loop, num;
  int64_t sizes[TS_MAX_RANK];
} parts;

static int loop_of(MlirAffineMap map, int d) {
  MlirAffineExpr expression = mlirAffineMapGetResult(map, d);
  return mlirAffineExprIsADim(expression) ? (int)mlirAffineDimExprGetPosition(expression) : -1;
}

static int dim_of_loop(MlirAffineMap map, int loop) {
  for (int d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (loop_of(map, d) == loop)
      return d;
  return -1;
}

static bool is_batch(const ts_operands *operands, int loop) {
  for (int i = 0; i < 3; i++)
    if (dim_of_loop(operands->maps[i], loop) < 0)
      return false;
  return true;
}

/* `merged` with the dimensions of group `g` apart. */
static ts_merged_dims without_group(const ts_merged_dims *merged, int g) {
  ts_merged_dims left = {0};
  for (int h = 0; h < merged->count; h++)
    for (int i = 0; i < (h == g ? merged->num[h] : 1); i++) {
      left.first[left.count] = merged->first[h] + i;
      left.num[left.count++] = h == g ? 1 : merged->num[h];
    }
  return left;
}

/* Input `i` is merged from dimensions that a transpose had parted, along one batch alone. The
 * innermost dimension before stays one of the matrix, so that it is read in order. */
static bool find_parts(const ts_operands *operands, int i, parts *found) {
  ts_merged_dims merged;
  int source[TS_MAX_RANK], parted = -1;
  MlirOperation op = collapse_of(operands->values[i], &merged);
  if (!op.ptr)
    return false;
  MlirValue after = mlirOperationGetOperand(op, 0);
  MlirValue base = transposed_to(after, source);
  MlirType type = mlirValueGetType(after);
  if (mlirValueEqual(base, after) || !mlirShapedTypeHasStaticShape(type))
    return false;
  for (int g = 0; g < merged.count; g++) {
    if (is_kept(&merged, g, source))
      continue;
    if (parted >= 0)
      return false;
    parted = g;
  }
  int loop = parted >= 0 ? loop_of(operands->maps[i], parted) : -1;
  if (loop < 0 || !is_batch(operands, loop))
    return false;
  *found = (parts){.loop = loop, .num = merged.num[parted]};
  for (int d = 0; d < found->num; d++) {
    found->sizes[d] = mlirShapedTypeGetDimSize(type, merged.first[parted] + d);
    if (source[merged.first[parted] + d] == rank_of(base) - 1)
      return false;
  }
  return true;
}

/* The map with a dimension for each part, in place of that of the loop. */
static MlirAffineMap part_map(MlirAffineMap map, const parts *p) {
  MlirContext context = mlirAffineMapGetContext(map);
  MlirAffineExpr results[TS_MAX_RANK];
  int num = 0, more = p->num - 1;
  for (int d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    int loop = loop_of(map, d);
    for (int i = 0; i < (loop == p->loop ? p->num : 1); i++)
      results[num++] = mlirAffineDimExprGet(context, loop + (loop > p->loop ? more : i));
  }
  return mlirAffineMapGet(context, mlirAffineMapGetNumDims(map) + more, 0, num, results);
}

/* `value` with a dimension for each part, in place of dimension `d`. */
static MlirValue expand(const ts_maker *build, MlirValue value, int d, const parts *p) {
  ts_merged_dims made = {0};
  int64_t sizes[TS_MAX_RANK];
  int rank = 0;
  for (int e = 0; e < rank_of(value); e++) {
    made.first[made.count] = rank;
    made.num[made.count++] = e == d ? p->num : 1;
    for (int i = 0; i < (e == d ? p->num : 1); i++)
      sizes[rank++] = e == d ? p->sizes[i] : mlirShapedTypeGetDimSize(mlirValueGetType(value), e);
  }
  return ts_make_expand(build, value, &made, rank, sizes);
}

static bool has_parts(MlirValue merged, const ts_merged_dims *dims, int d, const parts *p) {
  if (dims->num[d] != p->num)
    return false;
  for (int i = 0; i < p->num; i++)
    if (mlirShapedTypeGetDimSize(mlirValueGetType(merged), dims->first[d] + i) != p->sizes[i])
      return false;
  return true;
}

/* The same of an operand: as before it was merged, if it was of those parts. */
static MlirValue part(const ts_maker *build, MlirValue value, int d, const parts *p) {
  ts_merged_dims merged;
  MlirOperation op = collapse_of(value, &merged);
  if (!op.ptr || !has_parts(mlirOperationGetOperand(op, 0), &merged, d, p))
    return expand(build, value, d, p);
  ts_merged_dims left = without_group(&merged, d);
  int64_t sizes[TS_MAX_RANK];
  int num = 0;
  for (int e = 0; e < merged.count; e++)
    for (int i = 0; i < (e == d ? p->num : 1); i++)
      sizes[num++] = e == d ? p->sizes[i] : mlirShapedTypeGetDimSize(mlirValueGetType(value), e);
  return collapse(build, mlirOperationGetOperand(op, 0), &left, sizes);
}

static bool all_static(const ts_operands *operands) {
  for (int i = 0; i < 3; i++)
    if (!mlirShapedTypeHasStaticShape(mlirValueGetType(operands->values[i])) ||
        rank_of(operands->values[i]) > TS_MAX_RANK / 2)
      return false;
  return true;
}

static void part_batch(const ts_maker *build, ts_operands *operands) {
  parts p;
  if (!all_static(operands) || (!find_parts(operands, 0, &p) && !find_parts(operands, 1, &p)) ||
      p.num > TS_MAX_RANK / 2)
    return;
  operands->batch = dim_of_loop(operands->maps[2], p.loop);
  operands->num_batches = p.num;
  for (int i = 0; i < 3; i++) {
    operands->values[i] =
        part(build, operands->values[i], dim_of_loop(operands->maps[i], p.loop), &p);
    operands->maps[i] = part_map(operands->maps[i], &p);
  }
}

/* ---- folding --------------------------------------------------------------------------------- */

/* The operand goes through memory in the order of one of the matrix's dimensions. */
static bool is_in_order(const ts_operands *operands, int i) {
  intptr_t rank = mlirAffineMapGetNumResults(operands->maps[i]);
  return rank == 0 || !is_batch(operands, loop_of(operands->maps[i], (int)rank - 1));
}

/* One transpose, or one reshape of a transpose, fewer. */
static bool fold_once(const ts_maker *build, ts_operands *operands, int i) {
  ts_operands before = *operands;
  MlirValue *value = &operands->values[i];
  *value = ts_without_transposes(*value, &operands->maps[i]);
  if (mlirValueEqual(*value, before.values[i])) {
    MlirValue merged = before_collapse(build, *value, &operands->maps[i]);
    if (mlirValueIsNull(merged))
      return false;
    *value = merged;
  }
  if (is_in_order(operands, i) || !is_in_order(&before, i))
    return true;
  *operands = before;
  return false;
}

static void without_transposes(const ts_maker *build, ts_operands *operands, int i) {
  while (fold_once(build, operands, i)) {
  }
}

MlirValue ts_operands_merge(const ts_maker *build, MlirValue result, const ts_operands *operands,
                            MlirValue like) {
  if (operands->num_batches == 0)
    return result;
  ts_merged_dims merged = {0};
  int64_t sizes[TS_MAX_RANK];
  for (int d = 0, at = 0; d < rank_of(like); at += merged.num[d++]) {
    sizes[d] = mlirShapedTypeGetDimSize(mlirValueGetType(like), d);
    merged.first[d] = at;
    merged.num[d] = d == operands->batch ? operands->num_batches : 1;
    merged.count++;
  }
  return collapse(build, result, &merged, sizes);
}

void ts_operands_fold(const ts_maker *build, ts_operands *operands) {
  operands->num_batches = 0;
  for (int i = 0; i < 2; i++)
    without_transposes(build, operands, i);
  part_batch(build, operands);
  for (int i = 0; i < 2; i++)
    without_transposes(build, operands, i);
}
